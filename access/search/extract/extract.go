// Package extract extracts the searchable content of an archived payload: text, title, language,
// and the metadata of documents and pictures.
//
// Payloads are hostile: each reader below limits time and memory. No payload causes an error: Note
// describes unreadable parts, and address and title remain searchable.
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

// The limits.
const (
	MaxBody  = 512 << 10 // bytes of text kept per payload
	maxPage  = 4 << 20   // maximum bytes read from a page or plain text
	maxTitle = 500       // bytes
	maxValue = 1000      // bytes of a description or detail
	sniffed  = 2 << 10
)

// Content is a payload without content codings.
type Content struct {
	URL      string
	MIME     string // Content-Type as sent, with parameters
	Language string // Content-Language
	In       io.ReaderAt
	Size     int64
	Bytes    []byte // all of it, if it is in memory; else nil. They are not kept
	Pictures bool   // also list the pictures of a page
}

// Text is the searchable content.
type Text struct {
	Type        string // page, text, pdf, document, spreadsheet, presentation, image, audio, video, other: see TypeOf
	Title       string // "" for none
	Description string
	Body        string // one line per paragraph
	Language    string // usually two letters; "" if unknown
	Details     []Detail
	Links       []Link   `json:",omitempty"` // of a page: to the web, sorted
	Pictures    []string `json:",omitempty"` // addresses of the pictures of a page, if asked for: on the web, sorted
	Cut         bool     // the text was truncated
	Note        string   // reason for missing text
}

// Detail is a metadata value of a document or picture.
type Detail struct{ Name, Value string }

// From reads a payload.
func From(c Content) (t *Text) {
	t = &Text{Type: TypeOf(c.MIME, c.URL)}
	defer func() {
		// One payload must not stop the index of millions; the note identifies it, so the bug can
		// be fixed.
		if broken := recover(); broken != nil {
			t = &Text{Type: t.Type, Note: fmt.Sprintf("reading failed: %v", broken)}
		}
		t.tidy(c)
	}()
	head, err := c.begin(sniffed)
	if err != nil {
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

// reader selects the reader of a payload. The first bytes of the payload take precedence over its
// declared type, and reader corrects the type. It returns nil if there is no reader for the
// payload.
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
		t.Note = "declared as text, but binary"
	}
	return nil
}

// isText reports whether bytes may be text: single-byte text has no NUL; UTF-16 has a byte order
// mark, or is declared.
func isText(b []byte, contentType string) bool {
	wide := strings.HasPrefix(charset.Mark(b), "utf-16") ||
		strings.HasPrefix(charset.Resolve(charset.OfContentType(contentType)), "utf-16")
	return len(b) > 0 && (wide || bytes.IndexByte(b, 0) < 0)
}

// begin returns the beginning of a payload.
func (c *Content) begin(most int64) ([]byte, error) {
	if c.Bytes != nil {
		return c.Bytes[:min(int64(len(c.Bytes)), most)], nil
	}
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
	t.links(b, c)
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
	t.Body = strings.TrimSpace(strings.ReplaceAll(text, "\x00", "")) // like browsers, ignore NULs that old editors left
}

func (t *Text) detail(name, value string) {
	if value = short(value, maxValue); value != "" {
		t.Details = append(t.Details, Detail{name, value})
	}
}

// tidy applies the limits, and detects the language if none is declared.
func (t *Text) tidy(c Content) {
	t.Title, t.Description = short(t.Title, maxTitle), short(t.Description, maxValue)
	if !utf8.ValidString(t.Body) { // this test is many times as fast
		t.Body = strings.ToValidUTF8(t.Body, "\uFFFD")
	}
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

// language returns the first part of a language tag, if it consists of letters.
func language(tag string) string {
	tag, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
	tag, _, _ = strings.Cut(tag, "_")
	if len(tag) < 2 || len(tag) > 3 || strings.Trim(tag, "abcdefghijklmnopqrstuvwxyz") != "" {
		return ""
	}
	return tag
}

// short returns a text on one line, truncated between characters.
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
