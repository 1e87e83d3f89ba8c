package crawl

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"quire/access/export"
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

// pageList collects the pages of the export: starting points for the reader, and the text for
// search.
type pageList struct {
	captures *spool.Spool[captures.Capture] // that may be pages
	pages    *spool.Spool[page]
	main     page         // the first captured page: a crawl begins with its seed
	buffer   bytes.Buffer // a page
}

func newPages(scratch string) (_ *pageList, err error) {
	p := &pageList{}
	if p.captures, err = spool.New[captures.Capture](scratch); err != nil {
		return nil, err
	}
	p.pages, err = spool.New[page](scratch)
	return p, err
}

func (p *pageList) close() {
	_ = p.captures.Close() // temporary files
	if p.pages != nil {
		_ = p.pages.Close()
	}
}

// note adds a capture that may be a page: a response with content declared as HTML.
func (p *pageList) note(c *holdings.Judged) error {
	if c.Status != 0 && c.Status/100 != 2 || c.Method != "" && c.Method != "GET" || !pages.IsHTML("", c.MIME) {
		return nil
	}
	return p.captures.Add(*c.Capture)
}

// read reads title and text of all pages. The copied captures must be known.
func (p *pageList) read(ctx context.Context, s *export.Source) error {
	n := 0
	for c, err := range p.captures.All() {
		if err != nil {
			return err
		}
		made, err := p.readPage(ctx, s, &c)
		if err != nil {
			return err
		}
		if made == nil {
			continue
		}
		n++
		made.ID = fmt.Sprintf("page-%d", n)
		if n == 1 || made.leads(&p.main) {
			p.main = *made
		}
		if err := p.pages.Add(*made); err != nil {
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
func (p *pageList) readPage(ctx context.Context, s *export.Source, c *captures.Capture) (*page, error) {
	at, err := time.Parse(timestampForm, c.Timestamp)
	if err != nil {
		return nil, nil // not in the index
	}
	made := &page{URL: c.URL, TS: at.Format("2006-01-02T15:04:05Z"), Title: c.URL, MIME: c.MIME, Status: c.Status,
		Size: c.Length}
	content, err := s.Read(ctx, c)
	if err != nil { // its record was just read: rules or copies have changed
		return nil, s.Fail(c, err)
	}
	defer func() { _ = content.Body.Close() }() // only read
	p.buffer.Reset()
	if _, err := p.buffer.ReadFrom(io.LimitReader(s.Decoded(content), maxPage)); err != nil {
		return nil, s.Fail(c, err)
	}
	text := p.buffer.Bytes()
	if !pages.Seems(text[:min(len(text), 4096)]) {
		return nil, nil // declared as HTML, but something else
	}
	kind := c.MIME
	for _, f := range content.Header {
		if strings.EqualFold(f.Name, "Content-Type") {
			kind = f.Value
		}
	}
	found := prose.FromHTML(text, kind)
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
	return p.pages.Each(func(one page) error { return e.Encode(one) })
}
