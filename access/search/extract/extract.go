// Package extract finds what can be looked for in an archived payload: its text, title and language, and what documents and pictures say of
// themselves.
//
//	t := extract.From(extract.Content{URL: "http://a.example/report.pdf", MIME: "application/pdf", In: file, Size: size})
//	fmt.Println(t.Type, t.Title, t.Body)
//
// Payloads are hostile: each reader below has bounds of time and memory. Nothing is an error: what cannot be read is told in Note, and is
// found by its address and title all the same.
package extract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"quire/format/charset"
	"quire/format/exif"
	"quire/format/office"
	"quire/format/pdf"
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
		if broken := recover(); broken != nil { // one payload must not stop an index of millions; the note tells which, so that it can be mended
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

// reader chooses who reads a payload, by its first bytes before what was declared, and corrects its type; nil where nobody can.
func (t *Text) reader(head []byte, contentType string) func(Content) error {
	readable := isText(head, contentType)
	switch {
	case bytes.Contains(head[:min(len(head), 1024)], []byte("%PDF-")):
		t.Type = "pdf"
		return t.pdf
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return t.office
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")): // Office before 2007, which nothing here reads
		return nil
	case isPicture(head):
		t.Type = "image"
		return t.image
	case t.Type == "page" && readable, (t.Type == "page" || t.Type != "image" && readable) && pages.Seems(head[:min(len(head), 1<<10)]):
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

// isText says whether bytes may be text: those of one byte a character have no NUL, those of two are known by their mark or declared.
func isText(b []byte, contentType string) bool {
	wide := strings.HasPrefix(charset.Mark(b), "utf-16") || strings.HasPrefix(charset.Resolve(charset.OfContentType(contentType)), "utf-16")
	return len(b) > 0 && (wide || bytes.IndexByte(b, 0) < 0)
}

func isPicture(head []byte) bool {
	for _, mark := range []string{"\xff\xd8\xff", "\x89PNG\r\n\x1a\n", "GIF8", "II*\x00", "MM\x00*"} {
		if bytes.HasPrefix(head, []byte(mark)) {
			return true
		}
	}
	return len(head) >= 12 && (string(head[:4]) == "RIFF" && string(head[8:12]) == "WEBP" ||
		string(head[4:8]) == "ftyp" && (string(head[8:11]) == "hei" || string(head[8:11]) == "avi" || string(head[8:12]) == "mif1"))
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

func (t *Text) pdf(c Content) error {
	facts, err := pdf.Read(c.In, c.Size)
	if err != nil {
		return err
	}
	t.Title, t.Description, t.Language = facts.Title, facts.Subject, facts.Language
	t.detail("author", facts.Author)
	t.detail("keywords", facts.Keywords)
	t.detail("created", facts.Created)
	if facts.Pages > 0 {
		t.detail("pages", fmt.Sprint(facts.Pages))
	}
	found, err := pdf.ReadText(c.In, c.Size, MaxBody)
	if err != nil {
		return err
	}
	t.Body, t.Cut = found.Text, found.Cut
	if len(found.Warnings) > 0 && found.Text == "" {
		t.Note = found.Warnings[0]
	}
	return nil
}

func (t *Text) office(c Content) error {
	f, err := office.Read(c.In, c.Size, MaxBody)
	if errors.Is(err, office.ErrUnknown) {
		return nil // another ZIP
	}
	if err != nil {
		return err
	}
	t.Type = f.Kind
	if f.Kind == "drawing" {
		t.Type = "document"
	}
	t.Title, t.Description, t.Language, t.Cut = f.Title, strings.TrimSpace(f.Subject+" "+f.Description), f.Language, f.Cut
	t.Body = strings.Join(f.Paragraphs, "\n")
	t.detail("author", f.Author)
	t.detail("keywords", f.Keywords)
	t.detail("created", f.Created)
	if len(f.Warnings) > 0 {
		t.Note = f.Warnings[0]
	}
	return nil
}

// imageDetails are the fields of EXIF that are told, and what they are called. Of those of one name the first that is there counts.
var imageDetails = []struct{ field, name string }{
	{"XPTitle", "title"}, {"ImageDescription", "description"}, {"XPSubject", "description"}, {"XPComment", "description"}, {"UserComment", "description"},
	{"XPKeywords", "keywords"}, {"Artist", "author"}, {"XPAuthor", "author"}, {"Copyright", "copyright"}, {"DateTimeOriginal", "created"}, {"DateTime", "created"},
	{"Make", "camera"}, {"Model", "camera"},
}

func (t *Text) image(c Content) error {
	f, err := exif.Read(c.In, c.Size)
	if errors.Is(err, exif.ErrUnknown) { // GIF
		return nil
	}
	if err != nil {
		return err
	}
	found := map[string]string{}
	for _, d := range imageDetails {
		for _, field := range f.Fields {
			value := strings.TrimSpace(field.Value)
			if field.Name != d.field || value == "" || field.Directory == "IFD1" || strings.HasPrefix(value, "(") && strings.HasSuffix(value, " bytes)") {
				continue
			}
			switch {
			case found[d.name] == "":
				found[d.name] = value
			case d.name == "camera" && !strings.HasPrefix(value, found[d.name]): // the model often begins with the maker
				found[d.name] += " " + value
			case d.name == "camera":
				found[d.name] = value
			}
			break
		}
	}
	t.Title, t.Description = found["title"], found["description"]
	for _, name := range []string{"author", "created", "camera", "keywords", "copyright"} {
		t.detail(name, found[name])
	}
	if f.Position != nil {
		t.detail("position", fmt.Sprintf("%.5f, %.5f", f.Position.Latitude, f.Position.Longitude))
	}
	return nil
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

// Year is the year of a timestamp.
func Year(timestamp string) int {
	if t, err := time.Parse("2006", timestamp[:min(len(timestamp), 4)]); err == nil {
		return t.Year()
	}
	return 0
}

// TypeOf tells the type of a payload by what was declared or, when that says nothing, by the end of its URL: page, text, pdf, document,
// spreadsheet, presentation, image, audio, video, other; "" for what makes up pages (scripts, style sheets, fonts, data), which nobody looks for.
func TypeOf(mime, url string) string {
	mime, _, _ = strings.Cut(strings.ToLower(mime), ";")
	mime = strings.TrimSpace(mime)
	if t, ok := types[mime]; ok {
		return t
	}
	family, rest, _ := strings.Cut(mime, "/")
	switch {
	case family == "image" || family == "audio" || family == "video":
		return family
	case family == "font" || strings.Contains(rest, "font") || strings.HasSuffix(rest, "+json"):
		return ""
	case strings.Contains(rest, "wordprocessing") || strings.Contains(rest, "opendocument.text"):
		return "document"
	case strings.Contains(rest, "spreadsheet") || strings.Contains(rest, "excel"):
		return "spreadsheet"
	case strings.Contains(rest, "presentation") || strings.Contains(rest, "powerpoint"):
		return "presentation"
	case family == "text":
		return "text"
	}
	return byName(url)
}

func byName(url string) string {
	url, _, _ = strings.Cut(url, "#")
	url, _, _ = strings.Cut(url, "?")
	if t, ok := ends[strings.ToLower(strings.TrimPrefix(path.Ext(url), "."))]; ok {
		return t
	}
	return "other"
}

var types = map[string]string{
	"text/html": "page", "application/xhtml+xml": "page", "text/plain": "text", "application/pdf": "pdf", "application/x-pdf": "pdf",
	"application/msword": "document", "application/rtf": "document", "text/rtf": "document", "application/epub+zip": "document",
	"application/vnd.oasis.opendocument.graphics": "document", "application/vnd.ms-word": "document", "application/postscript": "document",
	"text/csv": "spreadsheet", "text/css": "", "text/javascript": "", "application/javascript": "", "application/x-javascript": "",
	"text/ecmascript": "", "application/ecmascript": "", "application/json": "", "application/ld+json": "", "application/manifest+json": "",
	"text/x-javascript": "", "application/wasm": "", "text/dns": "", "text/vtt": "", "application/x-font-ttf": "", "application/vnd.ms-fontobject": "",
}

// ends of files' names, where the type is not declared.
var ends = map[string]string{
	"html": "page", "htm": "page", "xhtml": "page", "php": "page", "asp": "page", "aspx": "page", "jsp": "page", "txt": "text", "pdf": "pdf",
	"doc": "document", "docx": "document", "odt": "document", "rtf": "document", "sxw": "document", "epub": "document", "ps": "document",
	"xls": "spreadsheet", "xlsx": "spreadsheet", "ods": "spreadsheet", "csv": "spreadsheet", "ppt": "presentation", "pptx": "presentation", "odp": "presentation",
	"jpg": "image", "jpeg": "image", "png": "image", "gif": "image", "tif": "image", "tiff": "image", "webp": "image", "svg": "image", "bmp": "image",
	"mp3": "audio", "wav": "audio", "ogg": "audio", "m4a": "audio", "flac": "audio", "mp4": "video", "mpg": "video", "mpeg": "video", "avi": "video",
	"mov": "video", "webm": "video", "wmv": "video", "flv": "video", "css": "", "js": "", "mjs": "", "json": "", "woff": "", "woff2": "", "ttf": "", "eot": "",
}
