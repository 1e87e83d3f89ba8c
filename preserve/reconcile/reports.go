package reconcile

import (
	"fmt"
	"strings"

	"quire/internal/extsort"
)

// compareReports compares the reports with the log, row by row. A row missing on either side is a
// difference. Missing tables are not compared.
func (r *run) compareReports() error {
	if err := r.tallyTotals(); err != nil {
		return err
	}
	present := map[string]bool{}
	for _, f := range r.out.Witnesses.Reports {
		present[f.File[strings.LastIndexByte(f.File, '/')+1:]] = true
	}
	if !r.out.Witnesses.Log.Present {
		if len(present) > 0 {
			r.note("no log: the reports cannot be compared")
		}
		return nil
	}
	var row string
	var log, report extsort.Count
	flush := func() error {
		table, name, _ := strings.Cut(row, "\x00")
		if row == "" || !present[table] {
			return nil
		}
		return r.compareRow(table, name, log, report)
	}
	err := r.counts.Each(func(name string, n extsort.Count) error {
		at := len(name) - len(ofTheLog)
		if name[:at] != row {
			if err := flush(); err != nil {
				return err
			}
			row, log, report = name[:at], extsort.Count{}, extsort.Count{}
		}
		if name[at:] == ofTheLog {
			log = n
		} else {
			report = n
		}
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}

// tallyTotals adds the counts of the log to the table for crawl-report.txt. It adds only rows that
// the report has, because rows missing from a report are compared too.
func (r *run) tallyTotals() error {
	w := &r.out.Witnesses.Log
	have := map[string]bool{}
	err := r.counts.Each(func(name string, _ extsort.Count) error {
		if row, ok := strings.CutPrefix(name, tableTotals+"\x00"); ok {
			have[strings.TrimSuffix(row, ofTheReport)] = true
		}
		return nil
	})
	for row, n := range map[string]int64{totalLines: w.Lines, totalFetched: w.Fetched, totalBytes: r.log.bytes} {
		if err == nil && have[row] {
			err = r.tally(tableTotals, row, ofTheLog, n, 0)
		}
	}
	return err
}

func (r *run) compareRow(table, row string, log, report extsort.Count) error {
	unsized := !r.log.sized && (table == tableTypes || table == tableTotals && row == totalBytes)
	if unsized {
		r.noHeaders = true
	}
	if log.N != report.N {
		if table == tableTotals && unsized {
			return nil
		}
		detail := fmt.Sprintf("%s, %s: %d, by the log %d", table, row, report.N, log.N)
		return r.differ(ReportDiffers, r.whyReport(report.N, log.N), Case{Detail: detail})
	}
	if table != tableTypes || log.Bytes == report.Bytes || unsized {
		return nil
	}
	return r.differ(ReportDiffers, nil,
		Case{Detail: fmt.Sprintf("%s, %s: %d bytes, by the log %d", table, row, report.Bytes, log.Bytes)})
}

// whyReport explains why the number in a report is below the number in the log. The log of a
// resumed crawl is in pieces, and the reports cover only the time after the interruption.
func (r *run) whyReport(report, log int64) *Reason {
	if len(r.log.pieces) > 1 && report < log {
		return reasonResumed
	}
	return nil
}

// compareHost compares a row of hosts-report.txt with the log lines of the host. bytes is -1
// without a count that includes HTTP headers, as in the report.
func (r *run) compareHost(host string, row *sighting, fetched, bytes int64) error {
	if row == nil {
		row = &sighting{content: -1}
	}
	if row.size != fetched {
		detail := fmt.Sprintf("hosts-report.txt, %s: %d URLs, by the log %d", host, row.size, fetched)
		return r.differ(ReportDiffers, r.whyReport(row.size, fetched), Case{Host: host, Detail: detail})
	}
	if row.content >= 0 && bytes < 0 {
		r.noHeaders = true
	}
	if row.content < 0 || bytes < 0 || row.content == bytes {
		return nil
	}
	return r.differ(ReportDiffers, nil,
		Case{Host: host, Detail: fmt.Sprintf("hosts-report.txt, %s: %d bytes, by the log %d", host, row.content,
			bytes)})
}
