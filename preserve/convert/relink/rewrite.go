package relink

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"strings"

	"quire/format/csslink"
	"quire/format/htmllink"
	"quire/format/lookahead"
)

// kept is how many bytes before the scanner's position are held back: the line end before an
// insertion.
const kept = 2

// Rewrite reads a document of a crawler from src, restores its links, and writes it to dst. After
// an error the output is incomplete.
func Rewrite(dst io.Writer, src io.Reader, page Page) (Result, error) {
	kind, parameters, err := mime.ParseMediaType(page.MIME)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		kind = strings.ToLower(strings.TrimSpace(page.MIME))
	}
	if page.Lookup == nil {
		page.Lookup = func(string) (string, bool) { return "", false }
	}
	w := &writer{page: page, edit: lookahead.NewEditor(dst, src, kept)}
	switch kind {
	case "text/css":
		err = w.css()
	case "text/html":
		err = w.html(htmllink.Options{Charset: parameters["charset"]})
	case "application/xhtml+xml", "image/svg+xml":
		err = w.html(htmllink.Options{Charset: parameters["charset"], XML: true})
	default:
		return Result{}, fmt.Errorf("%s is %q: %w", page.File, page.MIME, ErrMIME)
	}
	if err == nil {
		err = w.edit.Err()
	}
	if err != nil {
		return w.result, fmt.Errorf("turning back the links of %s: %w", page.File, err)
	}
	return w.result, nil
}

// writer rewrites one document.
type writer struct {
	page   Page
	edit   *lookahead.Editor
	result Result
	base   string // the document's base, if links are relative to it
	based  bool   // the document has declared its base
}

func (w *writer) css() error {
	s := csslink.NewScanner(w.edit)
	s.Report = w.page.Report
	w.edit.Settled = s.Offset
	for {
		l, err := s.Next()
		switch {
		case errors.Is(err, io.EOF):
			w.edit.CopyTo(w.edit.End())
			return nil
		case err != nil:
			return err
		}
		w.link(place{start: l.Start, end: l.End, raw: l.Raw, cut: l.Cut, bareCSS: true, write: l.Append}, l.Value)
	}
}

func (w *writer) html(o htmllink.Options) error {
	s := htmllink.NewScanner(w.edit, o)
	s.Report = w.page.Report
	in := insertions{w: w, open: -1, tail: -1}
	w.edit.Settled = func() int64 { return in.settled(s.Offset()) }
	if w.page.Style.isHTTrack() {
		s.Comment = in.comment
	}
	for {
		l, err := s.Next()
		if err == nil || errors.Is(err, io.EOF) {
			in.finish()
		}
		switch {
		case errors.Is(err, io.EOF):
			w.edit.CopyTo(w.edit.End())
			return nil
		case err != nil:
			return err
		}
		if l.Kind == htmllink.Base && l.Flags&htmllink.Conditional == 0 {
			w.takeBase(string(l.Value))
		}
		w.link(place{start: l.Start, end: l.End, raw: l.Raw, cut: l.Flags&htmllink.Cut != 0,
			isBase:  l.Kind == htmllink.Base,
			bareCSS: l.Attribute == "", write: l.Append}, l.Value)
	}
}

// takeBase uses the first base element (HTML, 4.2.3). HTTrack reduces the one that it meets to
// "<base >", and Wget empties it.
func (w *writer) takeBase(value string) {
	if w.based || value == "" {
		return
	}
	w.based, w.base = true, value
	w.result.LateBase = w.result.Links > 0
}

// place is the context of a link.
type place struct {
	start, end int64
	raw        []byte
	cut        bool
	isBase     bool
	bareCSS    bool // in CSS outside attributes: no character references
	write      func(dst []byte, url string) []byte
}

// link turns one link back.
func (w *writer) link(p place, value []byte) {
	w.result.Links++
	if p.cut {
		if hasScheme(string(value)) {
			w.result.Kept++ // usually data:
			return
		}
		w.result.unresolved(p.start, p.raw, TooLong)
		return
	}
	url, why := w.resolve(string(value), p)
	switch {
	case why != "":
		w.result.unresolved(p.start, p.raw, why)
	case url == "":
		w.result.Kept++
	case !w.edit.Replace(p.start, p.end, p.write(nil, ascii(url))):
		w.result.unresolved(p.start, p.raw, Overlap)
	default:
		w.result.Changed++
	}
}

// ascii percent-encodes bytes outside ASCII, so the URL is correct in every charset of the
// document. It also encodes white space, which would end the URL.
func ascii(url string) string {
	var b strings.Builder
	for i := range len(url) {
		if c := url[i]; c <= ' ' || c >= 0x7f {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
