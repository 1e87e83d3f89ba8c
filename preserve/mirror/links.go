package mirror

import (
	"fmt"
	"io"

	"quire/model"
	"quire/source"
)

// Page is a file whose links are to be turned back.
type Page struct {
	File   string // path within the mirror, to which its links are relative
	URL    string // original; "" when nothing tells
	MIME   string
	Style  source.Style
	Lookup func(path string) (url string, ok bool) // of a file within the mirror
}

// Turned says what was done to a page.
type Turned struct {
	Links    int64 // turned back
	Unknown  int64 // left as they are, because nothing tells where they led
	Removed  int64 // insertions of the crawler that were taken out
	Software string
}

func (t *Turned) note() string {
	return fmt.Sprintf("%d links turned back, %d left because nothing tells where they led, %d insertions of the crawler removed; links reconstructed, not original bytes", t.Links, t.Unknown, t.Removed)
}

// turner turns the links of a page back.
type turner func(dst io.Writer, src io.Reader, p Page) (*Turned, error)

// links knows which URL each file of the mirror is, for those who follow a link to it.
type links struct {
	byPath map[string]target
}

type target struct {
	url  string
	kept bool
}

func (l *links) lookup(path string) (string, bool) {
	t, ok := l.byPath[path]
	return t.url, ok
}

// collectLinks goes through the mirror once before the conversion, where there are links to be turned back. Of several URLs that
// are said to lie at one path, that whose bytes are there is meant.
func (c *conversion) collectLinks() error {
	if style(c.mirror) == source.StyleNone {
		return nil
	}
	c.links.byPath = map[string]target{}
	needed := false
	for r, err := range c.mirror.Resources(c.ctx, nil) {
		if err == nil {
			err = c.ctx.Err()
		}
		if err != nil {
			return err
		}
		needed = needed || r.Rewritten
		if r.Saved == "" || r.URL == "" {
			continue
		}
		if t, ok := c.links.byPath[r.Saved]; !ok || !t.kept && r.Body != nil {
			c.links.byPath[r.Saved] = target{r.URL, r.Body != nil}
		}
	}
	if !needed {
		c.links.byPath = nil
	}
	return nil
}

// turnBack turns the links of a page back. Where nothing is to be turned back and the size is what the server sent, the crawler
// has changed nothing: a link that it made is never as long as every other.
func (c *conversion) turnBack(p *present) error {
	c.turned.Cut(0)
	dst := &watchedWriter{w: &c.turned}
	file := p.Saved
	if file == "" {
		file = p.File
	}
	t, err := c.o.turn(dst, c.body.Reader(), Page{File: file, URL: p.URL, MIME: p.MIME, Style: style(c.mirror), Lookup: c.links.lookup})
	switch {
	case dst.err != nil:
		return fmt.Errorf("holding a page whose links are turned back: %w", dst.err)
	case err != nil:
		c.find(model.Finding{Code: CodeLinks, Severity: model.Warning, Path: p.File, Message: fmt.Sprintf("its links cannot be turned back: %v", err)})
		p.Why = append(p.Why[:len(p.Why):len(p.Why)], "links: they cannot be turned back; the file is kept as found")
		p.Grade = source.Differing
		return nil
	case t.Links == 0 && t.Removed == 0 && p.Sent == p.size && !p.damaged:
		p.Rewritten, p.Grade = false, source.OriginalFile
		p.Why = append(p.Why[:len(p.Why):len(p.Why)], "grade: there is nothing to be turned back in it, and its size is what was sent")
		return nil
	}
	p.turned, p.Grade = t, source.LinksReconstructed
	return nil
}

// watchedWriter keeps the error of writing.
type watchedWriter struct {
	w   io.Writer
	err error
}

// Write implements io.Writer.
func (w *watchedWriter) Write(b []byte) (int, error) {
	n, err := w.w.Write(b)
	if err != nil {
		w.err = err
	}
	return n, err
}
