package pack

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"quire/format/fault"
	"quire/internal/secret"
	"quire/metadata/harvestmd"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/convert"
	"quire/preserve/reconcile"
	"quire/source"
	"quire/source/detect"
	"quire/source/heritrix"
)

// maxRows is how many rows of a report the METS has. The report itself is in the package.
const maxRows = 1000

// top keeps the rows with the largest numbers.
type top[Row any] struct {
	rows  []Row
	total int64
	by    func(Row) int64
}

func (t *top[Row]) add(r Row) {
	t.total++
	if t.rows = append(t.rows, r); len(t.rows) >= 2*maxRows {
		t.list()
	}
}

// list returns the rows, those with the largest numbers first.
func (t *top[Row]) list() []Row {
	slices.SortStableFunc(t.rows, func(a, b Row) int { return cmp.Compare(t.by(b), t.by(a)) })
	t.rows = t.rows[:min(len(t.rows), maxRows)]
	return t.rows
}

// readReports reads the reports of the crawlers for the METS, each once. A restricted report stays
// only in its file.
func (f *facts) readReports(ctx context.Context, p *convert.Plan) error {
	for i, h := range p.Harvests {
		for j := range h.About().Files {
			file := &h.About().Files[j]
			read := reportReaders[path.Base(file.Path)]
			if read == nil || file.Restricted != "" || file.Role != model.RoleReport {
				continue
			}
			if err := errors.Join(ctx.Err(), f.harvests[i].readReport(h, file, read)); err != nil {
				return err
			}
		}
		f.harvests[i].listContainers()
		f.harvests[i].listDomains()
	}
	return nil
}

// reportReader reads one report. The faults are lines that do not fit it.
type reportReader func(h *harvest, name string, in io.Reader, faults fault.Sink) error

var reportReaders = map[string]reportReader{
	"hosts-report.txt": (*harvest).readHosts, "mimetype-report.txt": (*harvest).readTypes,
	"responsecode-report.txt": (*harvest).readStatuses, "seeds-report.txt": (*harvest).readSeeds,
	"crawl-report.txt": (*harvest).readTotals,
}

func (h *harvest) readReport(of detect.Harvest, file *model.SourceFile, read reportReader) (err error) {
	in, err := source.OpenFile(of.Found.Tree, of.Harvest, file)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // it was only read
	bad := int64(0)
	if err := read(h, file.Path, in, func(fault.Fault) { bad++ }); err != nil {
		return err
	}
	if bad > 0 {
		h.totals = append(h.totals, harvestmd.Fact{Name: "unreadable lines", Value: xmlstream.IntOf(bad).String(),
			Source: file.Path})
	}
	return nil
}

// count returns a number of a report; it is absent if the report does not have it.
func count(n int64) xmlstream.Int {
	if n < 0 {
		return xmlstream.Int{}
	}
	return xmlstream.IntOf(n)
}

func (h *harvest) readHosts(name string, in io.Reader, faults fault.Sink) error {
	rows := top[harvestmd.Host]{by: documentsOf}
	for r, err := range heritrix.Hosts(in, faults) {
		if err != nil {
			return err
		}
		rows.add(harvestmd.Host{Name: r.Host, Documents: count(r.URLs), Bytes: count(r.Bytes), Robots: count(r.Robots),
			Remaining: count(r.Remaining), NovelDocuments: count(r.NovelURLs), NovelBytes: count(r.NovelBytes),
			DuplicateDocuments: count(r.DuplicateURLs), DuplicateBytes: count(r.DuplicateBytes),
			UnmodifiedDocuments: count(r.NotModifiedURLs), UnmodifiedBytes: count(r.NotModifiedBytes)})
	}
	h.tables = append(h.tables, &harvestmd.Hosts{Source: name, Total: rows.total, Hosts: rows.list()})
	return nil
}

func (h *harvest) readTypes(name string, in io.Reader, faults fault.Sink) error {
	rows := top[harvestmd.Type]{by: func(t harvestmd.Type) int64 { return t.Documents }}
	for r, err := range heritrix.Types(in, faults) {
		if err != nil {
			return err
		}
		rows.add(harvestmd.Type{Name: r.MIME, Documents: r.URLs, Bytes: r.Bytes})
	}
	h.tables = append(h.tables, &harvestmd.Types{Source: name, Total: rows.total, Types: rows.list()})
	return nil
}

func (h *harvest) readStatuses(name string, in io.Reader, faults fault.Sink) error {
	rows := top[harvestmd.Status]{by: func(s harvestmd.Status) int64 { return s.Documents }}
	for r, err := range heritrix.Codes(in, faults) {
		if err != nil {
			return err
		}
		rows.add(harvestmd.Status{Code: int64(r.Code), Documents: r.URLs})
	}
	h.tables = append(h.tables, &harvestmd.Statuses{Source: name, Total: rows.total, Statuses: rows.list()})
	return nil
}

func (h *harvest) readSeeds(name string, in io.Reader, faults fault.Sink) error {
	rows := top[harvestmd.Seed]{by: func(harvestmd.Seed) int64 { return 0 }}
	for r, err := range heritrix.Seeds(in, faults) {
		if err != nil {
			return err
		}
		rows.add(harvestmd.Seed{URL: secret.Conceal(r.Seed), Code: int64(r.Code), Status: r.Status,
			Redirect: secret.Conceal(r.Redirect)})
	}
	h.tables = append(h.tables, &harvestmd.Seeds{Source: name, Total: rows.total, Seeds: rows.list()})
	return nil
}

// maxTotals bounds the lines of crawl-report.txt, of which the crawlers write some 15.
const maxTotals = 100

// readTotals reads the lines "name: value" of crawl-report.txt.
func (h *harvest) readTotals(name string, in io.Reader, faults fault.Sink) error {
	lines := bufio.NewScanner(io.LimitReader(in, 1<<20))
	for lines.Scan() && len(h.totals) < maxTotals {
		key, value, ok := strings.Cut(lines.Text(), ":")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		switch strings.ToLower(key) {
		case "crawl name", "crawl status": // facts of the reader of Heritrix
			continue
		}
		if ok && key != "" && value != "" {
			h.totals = append(h.totals, harvestmd.Fact{Name: key, Value: value, Source: name})
		}
	}
	err := lines.Err()
	if errors.Is(err, bufio.ErrTooLong) { // no report has such a line; the rest is not read
		faults.Add(fault.Fault{Code: heritrix.FaultRow, Detail: err.Error()})
		return nil
	}
	return err
}

// listContainers adds the containers that documents list, by document.
func (h *harvest) listContainers() {
	tables := map[string]*harvestmd.Containers{}
	for i := range h.about.Expected {
		e := &h.about.Expected[i]
		name := path.Base(strings.ReplaceAll(e.Name, `\`, "/"))
		if !reconcile.IsContainerName(name) {
			continue
		}
		by := e.Source
		if _, document, ok := strings.Cut(by, " of "); ok { // "line 3 of archivefiles-report.txt"
			by = document
		}
		t := tables[by]
		if t == nil {
			if len(tables) >= maxListed {
				continue
			}
			t = &harvestmd.Containers{Source: by}
			tables[by] = t
			h.tables = append(h.tables, t)
		}
		if t.Total++; len(t.Containers) < maxRows {
			t.Containers = append(t.Containers, harvestmd.Container{Name: name, Bytes: count(e.Size),
				Written: e.Created})
		}
	}
}
