package pages

import (
	"bytes"
	"strings"

	"quire/model"
)

// formats lists the PRONOM formats that decide alone: HTML and XHTML are pages. For text, XML or
// unknown formats, the declared type decides. The reason is that a page without an html element has
// no signature. Many early pages are like this.
var formats = map[string]bool{
	"fmt/96": true, "fmt/97": true, "fmt/98": true, "fmt/99": true, "fmt/100": true, "fmt/471": true, // HTML, 2.0 to 5
	"fmt/102": true, "fmt/103": true, // XHTML 1.0, 1.1
}

var undecidedFormats = map[string]bool{"": true, "UNKNOWN": true, "x-fmt/111": true, "fmt/101": true}

// Is reports whether a record is a web page: an answer with content, or a resource, that is HTML or
// XHTML as identified or, if not identified, as declared.
func Is(kind, status, puid, mime string) bool {
	switch kind {
	case "response", "resource", "": // an ARC has no kinds
	default:
		return false
	}
	if status != "" && status[0] != '2' {
		return false
	}
	return IsHTML(puid, mime)
}

// IsHTML reports whether content is HTML or XHTML, by its PRONOM identifier and its declared type.
func IsHTML(puid, mime string) bool {
	if !undecidedFormats[puid] {
		return formats[puid]
	}
	return mime == "text/html" || mime == "application/xhtml+xml"
}

// Listener reads the pages of a container during the pass. The format shows whether a record is a
// page, but it is known late. So the Listener reads every possible page.
//
//	l := pages.Listener{Told: …}
//	inspect.Options{Served: func(r model.Record) inspect.Served { return l.Listen(r) }}
type Listener struct {
	// Link receives the links of a possible page, before Told is called for the page. Link may be
	// nil.
	Link func(order int64, l Link) error
	// Embedded receives the files that a possible page loads, in the same order; it may be nil.
	Embedded func(order int64, l Link) error
	// Told receives the declared metadata of each record that may be a page. whole means that the
	// record was fully read.
	Told func(order int64, d *Declared, whole bool) error

	page   *Page
	order  int64
	served model.Record
	head   []byte
	state  state
}

// state is the state of the decision whether a record is read.
type state uint8

const (
	undecided state = iota
	reading
	passed // over
)

// window is how many bytes decide whether content may be a page.
const window = 1 << 10

// Listen begins a record, and reports whether it must be read.
func (l *Listener) Listen(r model.Record) bool {
	l.Stop() // after a container that could not be fully read
	if !Is(r.Type, r.Status, "", "text/html") {
		return false
	}
	l.order, l.served, l.head, l.state = r.Order, r, l.head[:0], undecided
	if Is(r.Type, r.Status, "", r.DeclaredMIME) {
		l.begin()
	}
	return true
}

func (l *Listener) begin() {
	o := Options{ContentType: l.served.ServedType, Language: l.served.Language}
	if l.Link != nil {
		o.Link = func(x Link) error { return l.Link(l.order, x) }
	}
	if l.Embedded != nil {
		o.Embedded = func(x Link) error { return l.Embedded(l.order, x) }
	}
	if l.page == nil {
		l.page = New(o)
	} else {
		l.page.Reset(o)
	}
	l.state = reading
}

// Write adds content.
func (l *Listener) Write(p []byte) (int, error) {
	switch l.state {
	case reading:
		return l.page.Write(p)
	case passed:
		return len(p), nil
	case undecided:
	}
	l.head = append(l.head, p...)
	if len(l.head) < window {
		return len(p), nil
	}
	return len(p), l.decide()
}

// decide checks the beginning of content that was not declared as a page.
func (l *Listener) decide() error {
	if !Seems(l.head[:min(window, len(l.head))]) {
		l.state = passed
		return nil
	}
	l.begin()
	_, err := l.page.Write(l.head)
	return err
}

// Seems reports whether bytes look like the beginning of a page: they contain one of the tags that
// begin pages. It ignores zero bytes, so it also works for UTF-16.
func Seems(head []byte) bool {
	low := bytes.ToLower(bytes.ReplaceAll(head, []byte{0}, nil))
	for _, tag := range []string{"<!doctype html", "<html", "<head", "<title", "<body"} {
		if bytes.Contains(low, []byte(tag)) {
			return true
		}
	}
	return false
}

// End ends the record.
func (l *Listener) End(whole bool) error {
	if l.state == undecided {
		if err := l.decide(); err != nil {
			return err
		}
	}
	if l.state != reading {
		return nil
	}
	l.state = passed
	d, err := l.page.Close()
	if err != nil {
		return err
	}
	return l.Told(l.order, d, whole)
}

// Stop abandons a record when the pass fails in the middle.
func (l *Listener) Stop() {
	if l.state == reading {
		l.page.Stop()
		l.state = passed
	}
}

// bare returns a media type without its parameters, in lower case.
func bare(contentType string) string {
	media, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(media))
}
