package crawl

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"quire/access/export"
	"quire/format/warc"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/internal/spool"
	"quire/preserve/pages"
	"quire/preserve/prose"
)

// Limits of page details.
const (
	maxPage  = 4 << 20  // bytes of a page that are read
	maxProse = 64 << 10 // bytes of its text that are kept
)

// page is a line of the page list.
type page struct {
	ID     string `json:"id"`
	URL    string `json:"url"`
	TS     string `json:"ts"` // RFC 3339
	Title  string `json:"title"`
	Text   string `json:"text,omitempty"`
	MIME   string `json:"mime,omitempty"`
	Status int    `json:"status,omitempty"`
	Size   int64  `json:"size,omitempty"`
}

// entry is a page, or a capture that may be one and is read when all records are copied.
type entry struct {
	Page  *page
	Later *captures.Capture
}

// pageList collects the pages of the export: starting points for the reader, and the text for
// search. It reads most pages while their records are copied.
type pageList struct {
	source  *export.Source
	scratch string
	entries *spool.Spool[entry]
	later   bool              // not all entries are pages
	seen    *captures.Capture // the last capture that was read while it was copied
	now     *page             // the page that it is; nil if it is none
	n       int               // of pages
	main    page              // the first captured page: a crawl begins with its seed
	buffer  bytes.Buffer      // a page
}

func newPages(s *export.Source, scratch string) (_ *pageList, err error) {
	p := &pageList{source: s, scratch: scratch}
	p.entries, err = spool.New[entry](scratch)
	return p, err
}

func (p *pageList) close() { _ = p.entries.Close() } // a temporary file

// mayBePage reports whether a capture may be a page: a response with content declared as HTML.
func mayBePage(c *captures.Capture) bool {
	return (c.Status == 0 || c.Status/100 == 2) && (c.Method == "" || c.Method == "GET") && pages.IsHTML("", c.MIME)
}

// see reads a capture while its record is being copied. After any error, the capture is read again
// later, perhaps from another copy.
func (p *pageList) see(ctx context.Context, c *holdings.Judged, rec *warc.Record) error {
	p.seen, p.now = nil, nil
	if !mayBePage(c.Capture) || c.Type == warc.TypeRevisit {
		return nil
	}
	content, err := p.source.ReadRecord(ctx, c.Capture, rec, rec.Get(warc.FieldContentType))
	if err == nil {
		p.now, err = p.pageOf(c.Capture, content)
		err = errors.Join(err, content.Body.Close())
	}
	if err == nil {
		p.seen = c.Capture
	}
	return ctx.Err()
}

// note adds a capture that was copied.
func (p *pageList) note(c *holdings.Judged) error {
	switch {
	case !mayBePage(c.Capture):
		return nil
	case p.seen == c.Capture:
		return p.add(p.now)
	}
	p.later = true
	return p.entries.Add(entry{Later: c.Capture})
}

// add adds a page, and does nothing if it is nil.
func (p *pageList) add(made *page) error {
	if made == nil {
		return nil
	}
	p.n++
	made.ID = fmt.Sprintf("page-%d", p.n)
	if p.n == 1 || made.leads(&p.main) {
		p.main = *made
	}
	return p.entries.Add(entry{Page: made})
}

// read reads the pages that were not read while they were copied. The copied captures must be known.
func (p *pageList) read(ctx context.Context) error {
	if !p.later {
		return ctx.Err()
	}
	former := p.entries
	defer func() { _ = former.Close() }() // a temporary file
	var err error
	if p.entries, err = spool.New[entry](p.scratch); err != nil {
		p.entries = former
		return err
	}
	p.n = 0
	for one, err := range former.All() {
		if err == nil && one.Later != nil {
			one.Page, err = p.readPage(ctx, one.Later)
		}
		if err == nil {
			err = p.add(one.Page)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// leads reports whether p is a better start page than other. A crawler begins with its seed. Files
// of a mirror without a known URL (urn:) have dates from their disk, which can be older.
func (p *page) leads(other *page) bool {
	if web := strings.HasPrefix(p.URL, "http"); web != strings.HasPrefix(other.URL, "http") {
		return web
	}
	return p.TS < other.TS
}

// readPage reads a page. It returns nil if the capture is not a page, or cannot be read; then the
// report lists it as withheld.
func (p *pageList) readPage(ctx context.Context, c *captures.Capture) (*page, error) {
	content, err := p.source.Read(ctx, c)
	if err != nil { // its record was just read: rules or copies have changed
		return nil, p.source.Fail(c, err)
	}
	defer func() { _ = content.Body.Close() }() // only read
	made, err := p.pageOf(c, content)
	if err != nil {
		return nil, p.source.Fail(c, err)
	}
	return made, nil
}

// pageOf returns the page that a content is, or nil if it is none.
func (p *pageList) pageOf(c *captures.Capture, content *holdings.Content) (*page, error) {
	at, err := time.Parse(timestampForm, c.Timestamp)
	if err != nil {
		return nil, nil //nolint:nilerr,nilnil // not in the index
	}
	made := &page{URL: c.URL, TS: at.Format("2006-01-02T15:04:05Z"), Title: c.URL, MIME: c.MIME, Status: c.Status,
		Size: c.Length}
	text := content.InMemory()
	if text = text[:min(len(text), maxPage)]; text == nil {
		p.buffer.Reset()
		if _, err := p.buffer.ReadFrom(io.LimitReader(p.source.Decoded(content), maxPage)); err != nil {
			return nil, err
		}
		text = p.buffer.Bytes()
	}
	if !pages.Seems(text[:min(len(text), 4096)]) {
		return nil, nil //nolint:nilnil // declared as HTML, but something else
	}
	kind := c.MIME
	for _, f := range content.Header {
		if strings.EqualFold(f.Name, "Content-Type") {
			kind = f.Value
		}
	}
	found := prose.Untold(text, kind)
	if found.Title != "" {
		made.Title = found.Title
	}
	whole := strings.Join(found.Paragraphs, "\n")
	made.Text = strings.ToValidUTF8(whole[:min(len(whole), maxProse)], "")
	return made, nil
}

// write writes the list.
func (p *pageList) write(to io.Writer) error {
	if _, err := io.WriteString(to,
		`{"format": "json-pages-1.0", "id": "pages", "title": "All Pages", "hasText": true}`+"\n"); err != nil {
		return err
	}
	e := json.NewEncoder(to)
	e.SetEscapeHTML(false)
	return p.entries.Each(func(one entry) error { return e.Encode(one.Page) })
}
