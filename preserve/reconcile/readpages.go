package reconcile

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"quire/format/fault"
	"quire/format/wacz"
	"quire/model"
)

// readPages reads the page lists of a WACZ: each page needs a record.
func (r *run) readPages() error {
	for i := range r.about.Files {
		f := &r.about.Files[i]
		if base := path.Base(f.Path); base != "pages.jsonl" && base != "extraPages.jsonl" {
			continue
		}
		if err := r.readPageList(f); err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	return nil
}

func (r *run) readPageList(f *model.SourceFile) (err error) {
	in, err := r.reading(f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	row := File{File: f.Path}
	for p, err := range wacz.Pages(in, func(x fault.Fault) {
		r.find(model.Finding{Code: string(x.Code), Severity: model.Warning, Path: f.Path, Offset: x.Offset,
			Message: x.Detail})
	}) {
		if err != nil {
			return err
		}
		row.Rows++
		if err := r.seePage(&p); err != nil {
			return err
		}
	}
	if row.Rows > 0 {
		r.out.Witnesses.Pages = append(r.out.Witnesses.Pages, row)
	}
	return nil
}

// seePage stores a page. The fragment after the # is only for the browser.
func (r *run) seePage(p *wacz.Page) error {
	url, _, _ := strings.Cut(p.URL, "#")
	s := sighting{kind: ofPage, at: millis(p.Time), status: p.Status, container: -1, offset: -1, size: -1, content: -1,
		stored: -1, line: p.Line}
	if p.LoadState == 0 {
		s.marks |= isUnloaded
	}
	r.spelled(s.set(url))
	return r.see(&s)
}

// pageTime is the maximum time between a page and its record, in seconds: the page has the time
// when a browser opened it.
const pageTime = 300

// comparePages looks for the records of pages.
func (m *match) comparePages() error {
	for _, i := range m.pages {
		p := &m.g.all[i]
		found, other := false, int64(noTime)
		for _, k := range m.records {
			rec := &m.g.all[k]
			apart := rec.second() - p.second()
			if p.at == noTime || rec.at == noTime || apart >= -pageTime && apart <= pageTime {
				found = true
				break
			}
			other = rec.at
		}
		if found {
			continue
		}
		why, detail := reasonNone, ""
		switch {
		case p.is(isUnloaded):
			why = reasonUnloaded
		case other != noTime:
			detail = "the nearest record of the URL is of " + time.UnixMilli(other).UTC().Format(timeForm)
		default:
			why, detail = m.whyNoPage(p)
		}
		if err := m.r.differ(PageWithoutRecord, why, m.r.caseOf(p, detail)); err != nil {
			return err
		}
	}
	return nil
}

// whyNoPage looks up the container of the page in the index.
func (m *match) whyNoPage(p *sighting) (*Reason, string) {
	for _, e := range m.entries {
		if entry := &m.g.all[e]; entry.container >= 0 {
			c := m.r.shelf.all[entry.container]
			lost := c.lost
			why, detail := m.r.whyNotIn(c, entry)
			c.lost = lost // already counted with the entry
			return why, detail
		}
	}
	if len(m.r.missing) > 0 {
		return m.r.whyLost(p)
	}
	return reasonNone, ""
}
