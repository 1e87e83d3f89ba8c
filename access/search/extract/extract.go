// Package extract finds what can be looked for in an archived payload: its text, title and
// language, and what documents and pictures say of themselves.
//
// Payloads are hostile: each reader below has bounds of time and memory. Nothing is an error: what
// cannot be read is told in Note, and is found by its address and title all the same.
package extract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"quire/format/charset"
	"quire/format/compound"
	"quire/format/rtf"
	"quire/preserve/pages"
	"quire/preserve/prose"
)

// The bounds.
const (
	MaxBody  = 512 << 10 // bytes of text that are kept of one payload
	maxPage  = 4 << 20   // bytes of a page or a plain text that are read
	maxTitle = 500       // bytes
	maxValue = 1000      // bytes of a description or a detail
	sniffed  = 2 << 10
)

// Content is a payload, its content codings removed.
type Content struct {
	URL      string
	MIME     string // Content-Type as it was sent, with its parameters
	Language string // Content-Language
	In       io.ReaderAt
	Size     int64
}

// Text is what can be looked for.
type Text struct {
	Type        string // page, text, pdf, document, spreadsheet, presentation, image, audio, video, other: see TypeOf
	Title       string // "" where there is none
	Description string
	Body        string // paragraphs, a line each
	Language    string // two letters mostly; "" where it is not known
	Details     []Detail
	Cut         bool   // there is more text than is kept
	Note        string // why there is no text, or less than there should be
}

// Detail is something that a document or a picture says of itself.
type Detail struct{ Name, Value string }

// From reads a payload.
func From(c Content) (t *Text) {
	t = &Text{Type: TypeOf(c.MIME, c.URL)}
	defer func() {
		// one payload must not stop an index of millions; the note tells which, so that it can be
		// mended
		if broken := recover(); broken != nil {
			t = &Text{Type: t.Type, Note: fmt.Sprintf("reading it failed: %v", broken)}
		}
		t.tidy(c)
	}()
	head := make([]byte, min(c.Size, sniffed))
	if _, err := c.In.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		t.Note = err.Error()
		return t
	}
	read := t.reader(head, c.MIME)
	if read == nil {
		return t
	}
	if err := read(c); err != nil {
		t.Note = err.Error()
	}
	return t
}

// reader chooses who reads a payload, by its first bytes before what was declared, and corrects its
// type; nil where nobody can.
func (t *Text) reader(head []byte, contentType string) func(Content) error {
	readable := isText(head, contentType)
	switch {
	case bytes.Contains(head[:min(len(head), 1024)], []byte("%PDF-")):
		t.Type = "pdf"
		return t.pdf
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte(compound.Signature)):
		return t.office
	case rtf.Is(head):
		t.Type = "document"
		return t.rtf
	case isPicture(head):
		t.Type = "image"
		return t.image
	case t.Type == "page" && readable, (t.Type == "page" || t.Type != "image" && readable) &&
		pages.Seems(head[:min(len(head), 1<<10)]):
		t.Type = "page"
		return t.page
	case t.Type == "text" && readable:
		return t.plain
	case t.Type == "page" || t.Type == "text":
		t.Type = "other"
		t.Note = "it is declared as text, and is none"
	}
	return nil
}

// isText says whether bytes may be text: those of one byte a character have no NUL, those of two
// are known by their mark or declared.
func isText(b []byte, contentType string) bool {
	wide := strings.HasPrefix(charset.Mark(b), "utf-16") ||
		strings.HasPrefix(charset.Resolve(charset.OfContentType(contentType)), "utf-16")
	return len(b) > 0 && (wide || bytes.IndexByte(b, 0) < 0)
}

// begin reads the beginning of a payload.
func (c *Content) begin(most int64) ([]byte, error) {
	b := make([]byte, min(c.Size, most))
	n, err := c.In.ReadAt(b, 0)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b[:n], err
}

func (t *Text) page(c Content) error {
	b, err := c.begin(maxPage)
	if err != nil {
		return err
	}
	p := prose.FromHTML(b, c.MIME)
	t.Title, t.Description = p.Title, p.Description
	t.prose(p, c.Size > maxPage)
	return nil
}

func (t *Text) plain(c Content) error {
	b, err := c.begin(maxPage)
	if err != nil {
		return err
	}
	t.prose(prose.FromPlain(b, c.MIME), c.Size > maxPage)
	return nil
}

func (t *Text) prose(p *prose.Text, more bool) {
	t.Language, t.Cut = p.Language, p.Cut || more
	text := strings.Join(p.Paragraphs, "\n")
	t.Body = strings.TrimSpace(strings.ReplaceAll(text, "\x00", "")) // as browsers read what old editors left
}

func (t *Text) detail(name, value string) {
	if value = short(value, maxValue); value != "" {
		t.Details = append(t.Details, Detail{name, value})
	}
}

// tidy brings all to its bounds, and tells the language where nobody did.
func (t *Text) tidy(c Content) {
	t.Title, t.Description = short(t.Title, maxTitle), short(t.Description, maxValue)
	t.Body = strings.ToValidUTF8(t.Body, "\uFFFD")
	if len(t.Body) > MaxBody {
		t.Cut, t.Body = true, strings.ToValidUTF8(t.Body[:MaxBody], "")
	}
	t.Language = language(t.Language)
	if t.Language == "" && t.Type != "image" {
		if first, _, _ := strings.Cut(c.Language, ","); language(first) != "" {
			t.Language = language(first)
		} else {
			t.Language = prose.LanguageOf(strings.Split(t.Body[:min(len(t.Body), 32<<10)], "\n"))
		}
	}
}

// language is the first part of a tag of a language, when it is one of letters.
func language(tag string) string {
	tag, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
	tag, _, _ = strings.Cut(tag, "_")
	if len(tag) < 2 || len(tag) > 3 || strings.Trim(tag, "abcdefghijklmnopqrstuvwxyz") != "" {
		return ""
	}
	return tag
}

// short is a text on one line, without the beginning of a character at its end.
func short(s string, most int) string {
	s = strings.Join(strings.Fields(strings.Map(printable, strings.ToValidUTF8(s, "\uFFFD"))), " ")
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

func printable(r rune) rune {
	if r < ' ' || r == 0x7f {
		return ' '
	}
	return r
}
