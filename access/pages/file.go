package pages

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"quire/holdings"
)

// filePage shows a log or document of a package as text, in pieces.
type filePage struct {
	Kicker, Path, Words, Text, Other string
	Pager                            pager
	Links                            []link
}

// filePiece is the size of a page of a file, in bytes; it ends with a line, unless the line is
// longer.
const filePiece = 128 << 10

// file shows a file, or with raw=1 serves it unchanged.
func (s *site) file(q *request) (answer, error) {
	p, err := s.pkg(q, q.place.ID)
	if err != nil {
		return answer{}, err
	}
	f, err := s.h.OpenFile(q.Context(), q.who, p.ID, q.place.Path)
	var denied *holdings.DeniedError
	switch {
	case errors.As(err, &denied):
		return s.deniedFile(q, p, denied), nil
	case err != nil:
		return answer{}, notFoundIf(err)
	}
	v, _ := url.ParseQuery(q.place.Arguments) // unreadable parts are not from our pages
	if v.Get("raw") != "" {
		return answer{stream: func(w http.ResponseWriter) { sendFile(q.Context(), w, f, q.place.Path, q.Method) }}, nil
	}
	defer func() { _ = f.Close() }() // only read
	from, err := strconv.ParseInt(v.Get("from"), 10, 64)
	if err != nil || from < 0 {
		from = 0
	}
	return s.piece(q, p, f, from)
}

// sendFile serves a file. It always declares bytes to be saved: a document from a crawl can be as
// hostile as any page.
func sendFile(ctx context.Context, w http.ResponseWriter, f io.ReadCloser, name, method string) {
	defer func() { _ = f.Close() }() // only read
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", "attachment; filename*=UTF-8''"+url.PathEscape(path.Base(name)))
	h.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	if method == http.MethodGet && ctx.Err() == nil {
		_, _ = io.Copy(w, f) // a truncated copy breaks the chunked encoding: the client notices
	}
}

// piece shows the part of a file at an offset, in bytes.
func (s *site) piece(q *request, p *holdings.Package, f *holdings.Opened, from int64) (answer, error) {
	size := f.Size
	if from >= size {
		from = 0
	}
	if _, err := io.CopyN(io.Discard, f, from); err != nil {
		return answer{}, err
	}
	text, err := io.ReadAll(io.LimitReader(f, filePiece))
	if err != nil {
		return answer{}, err
	}
	if from+int64(len(text)) < size {
		if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
			text = text[:i+1]
		}
	}
	here := s.ui.File(p.ID, q.place.Path)
	page := &filePage{Kicker: s.words.T("file.kicker"), Path: q.place.Path,
		Words: s.words.T("file.words", s.words.Size(size), p.Title),
		Links: []link{{s.words.T("file.whole"), here + "?raw=1"}, {s.words.T("banner.site"), s.ui.Site(p.ID)}}}
	if isBinary(text) {
		page.Other = s.words.T("file.binary")
	} else {
		page.Text = plain(text)
	}
	if from > 0 {
		page.Pager.Prev = here + "?from=" + strconv.FormatInt(max(0, from-filePiece), 10)
	}
	if to := from + int64(len(text)); to < size && page.Other == "" {
		page.Pager.Next = here + "?from=" + strconv.FormatInt(to, 10)
	}
	if size > filePiece {
		page.Pager.Words = s.words.T("file.place", s.words.Size(from), s.words.Size(size))
	}
	return answer{template: "file.html", title: q.place.Path, body: page, private: true,
		crumbs: []link{{s.words.T("nav.sites"), string(s.ui) + "/site/"}, {p.Title, s.ui.Site(p.ID)},
			{path.Base(q.place.Path), ""}}}, nil
}

// isBinary reports whether b contains a zero byte, which text does not.
func isBinary(b []byte) bool { return bytes.IndexByte(b, 0) >= 0 }

// plain converts bytes in any encoding to text: bytes that are invalid UTF-8 are read as Latin-1.
// It replaces control characters and direction marks by U+FFFD, to make them visible.
func plain(b []byte) string {
	var out strings.Builder
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			r = rune(b[0])
		}
		if !shown(r) {
			r = '\uFFFD'
		}
		out.WriteRune(r)
		b = b[n:]
	}
	return out.String()
}

func shown(r rune) bool {
	switch {
	case r == '\n' || r == '\t' || r == '\r':
		return true
	case r < ' ' || r >= 0x7f && r < 0xa0:
		return false
	case r >= 0x200e && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069: // direction marks
		return false
	}
	return true
}

// deniedFile reports that a file is closed to the reader.
func (s *site) deniedFile(q *request, p *holdings.Package, d *holdings.DeniedError) answer {
	page := &filePage{Kicker: s.words.T("file.kicker"), Path: q.place.Path, Words: s.verdict(d.Decision),
		Other: s.message(d.Decision)[0],
		Links: []link{{s.words.T("banner.site"), s.ui.Site(p.ID)}}}
	return answer{template: "file.html", status: refusal(d.Decision), title: q.place.Path, body: page, private: true}
}
