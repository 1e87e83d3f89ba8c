package reconcile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"quire/model"
)

// codePages is a line of a list of pages that cannot be read.
const codePages = "PAGES-LINE"

// maxPage bounds a line of a list of pages, in bytes: it may hold the text of the page.
const maxPage = 16 << 20

// pageLine is a line of pages.jsonl (WACZ 1.1.1, 5.2.2): what a person is shown to begin with.
type pageLine struct {
	Format    string `json:"format"` // of the first line, which is no page
	URL       string `json:"url"`
	TS        string `json:"ts"`
	Status    int    `json:"status"`
	LoadState *int   `json:"loadState"` // of Browsertrix: 0 when the page could not be loaded
}

// readPages reads the lists of pages of a WACZ: each page wants a record.
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
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxPage)
	pages, offset := int64(0), int64(0)
	for n := int64(1); lines.Scan(); n++ {
		at := offset
		offset += int64(len(lines.Bytes())) + 1
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var p pageLine
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			r.find(model.Finding{Code: codePages, Severity: model.Warning, Path: f.Path, Offset: at, Message: fmt.Sprintf("line %d: %v", n, err)})
			continue
		}
		if p.URL == "" {
			continue
		}
		pages++
		if err := r.seePage(&p, n); err != nil {
			return err
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		r.find(model.Finding{Code: codePages, Severity: model.Warning, Path: f.Path, Offset: offset, Message: fmt.Sprintf("a line is longer than %d bytes; the list was read to here", maxPage)})
	} else if lines.Err() != nil {
		return lines.Err()
	}
	if pages > 0 {
		r.out.Witnesses.Pages = append(r.out.Witnesses.Pages, File{f.Path, pages})
	}
	return nil
}

// seePage keeps a page. The part behind the # is for the browser.
func (r *run) seePage(p *pageLine, n int64) error {
	url, _, _ := strings.Cut(p.URL, "#")
	s := sighting{kind: ofPage, at: noTime, status: p.Status, container: -1, offset: -1, size: -1, content: -1, stored: -1, line: n}
	if t, err := time.Parse(time.RFC3339, p.TS); err == nil {
		s.at = millis(t)
	}
	if p.LoadState != nil && *p.LoadState == 0 {
		s.marks |= isUnloaded
	}
	r.spelled(s.set(url))
	return r.see(&s)
}

// pageTime is how far a page and its record may lie apart, in seconds: the page has the time when a browser turned to it.
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

// whyNoPage asks the index in which container the page was.
func (m *match) whyNoPage(p *sighting) (*Reason, string) {
	for _, e := range m.entries {
		if entry := &m.g.all[e]; entry.container >= 0 {
			c := m.r.shelf.all[entry.container]
			lost := c.lost
			why, detail := m.r.whyNotIn(c, entry)
			c.lost = lost // it is counted with the entry
			return why, detail
		}
	}
	if len(m.r.missing) > 0 {
		return m.r.whyLost(p)
	}
	return reasonNone, ""
}
