package check

import (
	"io"

	"quire/format/fault"
	"quire/format/wacz"
	"quire/model"
	"quire/preserve/aip"
)

// wacz checks a WACZ: its metadata, all hashes, and signatures as far as possible without trusted
// keys. quire inspect checks the WARC files inside.
func (c *checking) wacz() error {
	files := wacz.Files{Open: func(p string) (io.ReadCloser, error) {
		in, err := c.tree.Open(c.path(p))
		if err != nil {
			return nil, err
		}
		return struct {
			io.Reader
			io.Closer
		}{&reader{c, in}, in}, nil
	}}
	for _, p := range c.inside() {
		files.List = append(files.List, wacz.Entry{Path: p, Size: c.tree.Find(c.path(p)).Size})
	}
	checked, err := wacz.Check(c.ctx, files,
		wacz.Options{Report: func(f fault.Fault) { c.find(severityOf(f.Code), string(f.Code), "", "%s", f.Detail) }})
	if err != nil {
		return err
	}
	if p := checked.Package; p != nil {
		c.report.ID = p.Title
	}
	for _, s := range checked.Steps {
		outcome := aip.NotDone
		switch s.Verdict {
		case wacz.Pass:
			outcome = aip.Passed
		case wacz.Fail:
			outcome = aip.Failed
			c.errors++
		case wacz.NotChecked:
		}
		c.report.Checks = append(c.report.Checks, aip.Check{Name: string(s.Name), Outcome: outcome, Detail: s.Evidence})
	}
	return nil
}

// severityOf returns the severity of a fault: a warning if common tools omit the part and readers
// do not need it.
func severityOf(code fault.Code) model.Severity {
	switch code {
	case wacz.FaultProfile, wacz.FaultUnlisted, wacz.FaultPages, wacz.FaultNoPages, wacz.FaultResource:
		return model.Warning
	}
	return model.Error
}
