package reconcile

import (
	"errors"
	"io"
	"iter"
	"path"
	"strconv"
	"strings"

	"quire/format/fault"
	"quire/model"
	"quire/source/heritrix"
)

// The tables that are compared, row by row, with keys for the Counter: table, row, and source of
// the number.
const (
	tableCodes   = "responsecode-report.txt"
	tableTypes   = "mimetype-report.txt"
	tableSources = "source-report.txt"
	tableTotals  = "crawl-report.txt"
	ofTheLog     = "\x00l"
	ofTheReport  = "\x00r"
)

func (r *run) tally(table, row, whose string, n, bytes int64) error {
	return r.counts.Add(table+"\x00"+row+whose, n, bytes)
}

// countLine adds the log line of a fetched URL to the tables.
func (r *run) countLine(s *sighting, f *model.Fetch) error {
	bytes := max(0, s.content)
	seed := f.Seed
	if seed == "" {
		seed = "-"
	}
	return errors.Join(
		r.tally(tableCodes, strconv.Itoa(f.Status), ofTheLog, 1, bytes),
		r.tally(tableTypes, mediaType(f.MIME), ofTheLog, 1, bytes),
		r.tally(tableSources, seed+" "+s.host, ofTheLog, 1, bytes),
	)
}

// readReports reads the crawl reports: each row is stored until it can be compared.
func (r *run) readReports() error {
	for i := range r.about.Files {
		f := &r.about.Files[i]
		var read func(*model.SourceFile, io.Reader, fault.Sink) (int64, error)
		switch path.Base(f.Path) {
		case "hosts-report.txt":
			read, r.hasHosts = r.readHosts, true
		case tableTypes:
			read = r.readTypes
		case tableCodes:
			read = r.readCodes
		case "seeds-report.txt":
			read = r.readSeeds
		case tableSources:
			read = r.readSources
		case tableTotals:
			read = r.readTotals
		default:
			continue
		}
		if err := r.readReport(f, read); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) readReport(f *model.SourceFile,
	read func(*model.SourceFile, io.Reader, fault.Sink) (int64, error)) (err error) {
	in, err := r.reading(f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	n, err := read(f, in, func(x fault.Fault) {
		r.find(model.Finding{Code: string(x.Code), Severity: model.Warning, Path: f.Path, Offset: x.Offset,
			Message: x.Detail})
	})
	if n > 0 {
		r.out.Witnesses.Reports = append(r.out.Witnesses.Reports, File{f.Path, n})
	}
	return err
}

// each visits the rows of a report, and counts them.
func each[Row any](rows iter.Seq2[Row, error], visit func(Row) error) (n int64, err error) {
	for row, err := range rows {
		if err != nil {
			return n, err
		}
		n++
		if err := visit(row); err != nil {
			return n, err
		}
	}
	return n, nil
}

// readHosts stores the rows for the comparison of their hosts.
func (r *run) readHosts(_ *model.SourceFile, in io.Reader, faults fault.Sink) (int64, error) {
	return each(heritrix.Hosts(in, faults), func(row heritrix.HostRow) error {
		host := strings.ToLower(row.Host)
		return r.see(&sighting{kind: ofHostRow, host: host, at: noTime, container: -1, offset: -1, size: row.URLs,
			content: row.Bytes, stored: -1})
	})
}

func (r *run) readTypes(_ *model.SourceFile, in io.Reader, faults fault.Sink) (int64, error) {
	return each(heritrix.Types(in, faults), func(row heritrix.TypeRow) error {
		return r.tally(tableTypes, mediaType(row.MIME), ofTheReport, row.URLs, row.Bytes)
	})
}

// mediaType returns the row of a media type. Versions of Heritrix differ in the name for a missing
// one.
func mediaType(mime string) string {
	switch mime {
	case "", "-", "not set", "unknown":
		return "no-type"
	}
	return mime
}

func (r *run) readCodes(_ *model.SourceFile, in io.Reader, faults fault.Sink) (int64, error) {
	return each(heritrix.Codes(in, faults), func(row heritrix.CodeRow) error {
		if row.Code <= 0 { // logged, but not reported by every version
			return nil
		}
		return r.tally(tableCodes, strconv.Itoa(row.Code), ofTheReport, row.URLs, 0)
	})
}

func (r *run) readSources(_ *model.SourceFile, in io.Reader, faults fault.Sink) (int64, error) {
	return each(heritrix.Sources(in, faults), func(row heritrix.SourceRow) error {
		return r.tally(tableSources, row.Source+" "+strings.ToLower(row.Host), ofTheReport, row.URLs, 0)
	})
}

// readSeeds stores the rows for the comparison of their URLs.
func (r *run) readSeeds(_ *model.SourceFile, in io.Reader, faults fault.Sink) (int64, error) {
	return each(heritrix.Seeds(in, faults), func(row heritrix.SeedRow) error {
		s := sighting{kind: ofSeedRow, at: noTime, container: -1, offset: -1, status: row.Code, what: row.Status}
		s.set(row.Seed)
		return r.see(&s)
	})
}

// The totals in crawl-report.txt, under one name for both versions of the report, and for the
// corresponding counts of the log.
const (
	totalLines   = "all documents"
	totalFetched = "fetched documents"
	totalBytes   = "bytes"
)

var totalNames = map[string]string{
	"total documents crawled": totalLines, "uris processed": totalLines,
	"documents crawled successfully": totalFetched, "uri successes": totalFetched,
	"total raw data size in bytes": totalBytes, "total crawled bytes": totalBytes,
}

// readTotals parses crawl-report.txt: names and values, separated by colons.
func (r *run) readTotals(_ *model.SourceFile, in io.Reader, _ fault.Sink) (n int64, err error) {
	text, err := io.ReadAll(io.LimitReader(in, 1<<20))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		row := totalNames[strings.ToLower(strings.TrimSpace(name))]
		value, _, _ = strings.Cut(strings.TrimSpace(value), " ")
		count, err := strconv.ParseInt(value, 10, 64)
		if row == "" || err != nil {
			continue
		}
		n++
		if err := r.tally(tableTotals, row, ofTheReport, count, 0); err != nil {
			return n, err
		}
	}
	return n, nil
}
