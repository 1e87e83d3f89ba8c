package office

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
)

// grammar lists the elements of a part that hold text. Names are without prefix: prefixes vary, and
// the names are unambiguous here.
type grammar struct {
	text  map[string]bool // only text in these is read; nil means all text
	ends  map[string]bool // these end a paragraph
	space map[string]bool // these mean white space
	out   map[string]bool // text in these is ignored
	codes map[string]bool // of text: these hold codes of a header or footer of a sheet
}

func set(names ...string) map[string]bool {
	m := map[string]bool{}
	for _, n := range names {
		m[n] = true
	}
	return m
}

var (
	wordML  = grammar{text: set("t"), ends: set("p"), space: set("tab", "br", "cr"), out: set("del", "instrText")}
	sheetML = grammar{text: set("t", "oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader",
		"firstFooter"),
		ends: set("si", "c", "comment"), out: set("rPh"),
		codes: set("oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter")}
	webPage = grammar{ends: set("p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "div", "td", "th", "dt", "dd", "pre",
		"blockquote", "figcaption", "section", "tr", "body"),
		space: set("br"), out: set("head", "script", "style", "svg", "math")}
	drawingML = grammar{text: set("t"), ends: set("p"), space: set("br")}
	openText  = grammar{ends: set("p", "h"), space: set("s", "tab", "line-break"),
		out: set("tracked-changes", "scripts", "font-face-decls", "automatic-styles",
			"binary-data", "annotation")}
	// pageStyles reads the headers and footers of pages, which ODF keeps among the styles (part 3, 16.10)
	pageStyles = grammar{text: set("header", "footer", "header-left", "footer-left", "header-first",
		"footer-first"),
		ends: set("p", "h"), space: set("s", "tab", "line-break"),
		out: set("tracked-changes", "annotation", "page-number", "page-count", "date", "time", "sheet-name", "title")}
)

// ooxmlParts are the parts of an OOXML document that hold text, in order. "*" means a number.
var ooxmlParts = []struct {
	kind, main string // the part that identifies the kind
	text       []string
	grammar    grammar
}{
	{"document", "word/document.xml",
		[]string{"word/document.xml", "word/footnotes.xml", "word/endnotes.xml", "word/comments.xml",
			"word/header*.xml", "word/footer*.xml"}, wordML},
	{"spreadsheet", "xl/workbook.xml", []string{"xl/sharedStrings.xml", "xl/worksheets/sheet*.xml", "xl/comments*.xml"},
		sheetML},
	{"presentation", "ppt/presentation.xml", []string{"ppt/slides/slide*.xml", "ppt/notesSlides/notesSlide*.xml"},
		drawingML},
}

// ooxml reads the document if it is OOXML.
func (r *reader) ooxml() bool {
	for _, p := range ooxmlParts {
		if r.parts[p.main] == nil {
			continue
		}
		r.facts.Kind, r.facts.Format = p.kind, "OOXML"
		r.values("docProps/core.xml")
		if p.kind == "spreadsheet" {
			r.sheetNames()
		}
		for _, pattern := range p.text {
			for _, name := range r.named(pattern) {
				r.read(name, p.grammar)
			}
		}
		return true
	}
	return false
}

// odfKinds are the kinds of ODF, by their media types (ODF 1.3, part 2, 2.2.1).
var odfKinds = map[string]string{"text": "document", "spreadsheet": "spreadsheet", "presentation": "presentation",
	"graphics": "drawing"}

// odf reads the document if it is ODF.
func (r *reader) odf() bool {
	const most = 200
	b, err := io.ReadAll(io.LimitReader(r.open("mimetype"), most))
	mime, ok := strings.CutPrefix(strings.TrimSpace(string(b)), "application/vnd.oasis.opendocument.")
	// OpenOffice 1
	if mime, ok2 := strings.CutPrefix(strings.TrimSpace(string(b)), "application/vnd.sun.xml."); !ok && ok2 {
		if mime == "writer" {
			mime = "text"
		}
		r.facts.Kind, ok = odfKinds[mime], true
	}
	if err != nil || !ok {
		return false
	}
	if r.facts.Kind == "" {
		r.facts.Kind = odfKinds[strings.TrimSuffix(mime, "-template")]
	}
	if r.facts.Kind == "" {
		r.facts.Kind = "document"
	}
	r.facts.Format = "ODF"
	r.values("meta.xml")
	r.read("content.xml", openText)
	r.read("styles.xml", pageStyles)
	return true
}

// named returns the parts with names of this pattern, sorted by number.
func (r *reader) named(pattern string) (all []string) {
	before, after, many := strings.Cut(pattern, "*")
	if !many {
		if r.parts[pattern] != nil {
			return []string{pattern}
		}
		return nil
	}
	number := func(name string) int {
		n, err := strconv.Atoi(name[len(before) : len(name)-len(after)])
		if err != nil {
			return 1 << 30
		}
		return n
	}
	for name := range r.parts {
		if len(name) >= len(before)+len(after) && strings.HasPrefix(name, before) && strings.HasSuffix(name, after) {
			all = append(all, name)
		}
	}
	slices.SortFunc(all, func(a, b string) int {
		if n := number(a) - number(b); n != 0 {
			return n
		}
		return strings.Compare(a, b)
	})
	return all[:min(len(all), maxParts)]
}

// open returns the content of a part, within the bounds; empty if the part is missing.
func (r *reader) open(name string) io.Reader {
	f := r.parts[name]
	if f == nil {
		return strings.NewReader("")
	}
	in, err := f.Open()
	if err != nil {
		r.facts.warn("%s: %v", name, err)
		return strings.NewReader("")
	}
	return &part{in: in, r: r, left: maxPart}
}

// part reads a part of the document, and counts its inflated bytes.
type part struct {
	in   io.Reader
	r    *reader
	left int64
}

var errMuch = errors.New("the content exceeds the bound; the rest was not read")

func (p *part) Read(b []byte) (int, error) {
	if p.left <= 0 || p.r.inflated >= maxInflated {
		return 0, errMuch
	}
	n, err := p.in.Read(b[:min(int64(len(b)), p.left)])
	p.left -= int64(n)
	p.r.inflated += int64(n)
	return n, err
}

// read appends the paragraphs of a part.
func (r *reader) read(name string, g grammar) {
	x := decoder(r.open(name))
	var now strings.Builder
	out, in := 0, 0
	for r.room > 0 {
		token, err := x.RawToken()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				r.facts.warn("%s: %v", name, err)
			}
			break
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch {
			case g.out[t.Name.Local]:
				out++
			case g.text[t.Name.Local]:
				in++
			case g.space[t.Name.Local]:
				now.WriteByte(' ')
			}
		case xml.EndElement:
			switch {
			case g.out[t.Name.Local]:
				out = max(0, out-1)
			case g.text[t.Name.Local]:
				in = max(0, in-1)
				if g.codes[t.Name.Local] {
					r.add(withoutCodes(now.String()))
					now.Reset()
				}
			case g.ends[t.Name.Local]:
				r.add(now.String())
				now.Reset()
			}
		case xml.CharData:
			if out == 0 && (in > 0 || g.text == nil) && now.Len() <= r.room {
				now.Write(t)
			}
		}
	}
	r.add(now.String())
}

// withoutCodes returns the text of a header or footer of a sheet, without the codes for its sections, fonts and
// numbers (ECMA-376, part 1, 18.3.1.39).
func withoutCodes(s string) string {
	var b strings.Builder
	for {
		text, rest, ok := strings.Cut(s, "&")
		b.WriteString(text)
		if !ok || rest == "" {
			return b.String()
		}
		code := rest[0]
		s = rest[1:]
		switch {
		case code == '&':
			b.WriteByte('&')
			continue
		case code == '"':
			_, s, _ = strings.Cut(s, `"`)
		case code == 'K':
			const digits = 6
			s = s[min(digits, len(s)):]
		case code >= '0' && code <= '9':
			s = strings.TrimLeft(s, "0123456789")
		}
		b.WriteByte(' ')
	}
}

// sheetNames appends the names of a workbook's sheets.
func (r *reader) sheetNames() {
	x := decoder(r.open("xl/workbook.xml"))
	for {
		token, err := x.RawToken()
		if err != nil {
			return
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "sheet" {
			for _, a := range start.Attr {
				if a.Name.Local == "name" {
					r.add(a.Value)
				}
			}
		}
	}
}

// values reads the document's metadata (OOXML part 2, 11; ODF part 3, 4.3).
func (r *reader) values(name string) {
	f := r.facts
	to := map[string]*string{
		"title": &f.Title, "creator": &f.Author, "initial-creator": &f.Author, "subject": &f.Subject,
		"keywords": &f.Keywords, "keyword": &f.Keywords,
		"description": &f.Description, "language": &f.Language, "created": &f.Created, "creation-date": &f.Created,
		"modified": &f.Modified, "date": &f.Modified,
	}
	x := decoder(r.open(name))
	var now *string
	for {
		token, err := x.RawToken()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				f.warn("%s: %v", name, err)
			}
			return
		}
		switch t := token.(type) {
		case xml.StartElement:
			if now = to[t.Name.Local]; now != nil && *now != "" {
				if now != &f.Keywords {
					*now = "" // use the last value: in ODF, creator is the last editor
				} else {
					*now += ", "
				}
			}
		case xml.EndElement:
			if now != nil {
				*now = strings.Join(strings.Fields(strings.ToValidUTF8(*now, "\uFFFD")), " ")
			}
			now = nil
		case xml.CharData:
			if now != nil && len(*now) < maxValue {
				*now += string(t[:min(len(t), maxValue)])
			}
		}
	}
}

// decoder returns a lenient XML decoder, which reads as far as possible.
func decoder(in io.Reader) *xml.Decoder {
	x := xml.NewDecoder(in)
	x.Strict, x.Entity = false, xml.HTMLEntity
	// these formats are UTF-8 or UTF-16; invalid bytes are replaced later
	x.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	return x
}
