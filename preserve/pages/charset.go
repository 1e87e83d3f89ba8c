package pages

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"

	"quire/format/charset"
	"quire/format/htmllink"
	"quire/format/weburl"
)

// The sources of a charset, in order of precedence (HTML, 13.2.3.2). The standard also uses the XML
// declaration. In an XML document it comes first, because XML documents have no meta element for
// the charset.
const (
	fromMark   = "byte order mark"
	fromHeader = "HTTP header"
	fromMeta   = "meta"
	fromXML    = "XML declaration"
)

// charsetOf determines the charset from the beginning of a page. It uses the scanner.
func charsetOf(head []byte, contentType string, xml bool, s *htmllink.Scanner) Charset {
	if name := charset.Mark(head); name != "" {
		return Charset{Name: name, Source: fromMark, Label: name}
	}
	if c, ok := declared(charset.OfContentType(contentType), fromHeader); ok {
		return c
	}
	byXML, ok := declared(xmlEncoding(head), fromXML)
	if xml && ok {
		return byXML
	}
	if c, ok := metaCharset(head, s); ok {
		return c
	}
	return byXML
}

// declared looks up a label. A declaration in ASCII cannot mean UTF-16 (HTML, 13.2.3.2, prescan,
// 2.5 to 2.6).
func declared(label, source string) (Charset, bool) {
	if len(label) > 64 {
		return Charset{}, false
	}
	name := charset.Resolve(label)
	switch {
	case name == "":
		return Charset{}, false
	case source == fromHeader:
	case name == "utf-16le" || name == "utf-16be":
		name = "utf-8"
	case name == "x-user-defined":
		name = "windows-1252"
	}
	return Charset{Name: name, Source: source, Label: label}, true
}

// xmlEncoding returns the encoding in an XML declaration (XML 1.0, 4.3.3). In UTF-16 the first
// bytes determine it.
func xmlEncoding(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("<\x00?\x00x\x00")):
		return "utf-16le"
	case bytes.HasPrefix(head, []byte("\x00<\x00?\x00x")):
		return "utf-16be"
	}
	start, end, _ := charset.XMLDeclaration(head)
	return string(head[start:end])
}

// metaCharset returns the charset of the first meta element with a known one.
func metaCharset(head []byte, s *htmllink.Scanner) (c Charset, ok bool) {
	s.Reset(bytes.NewReader(head), 0, htmllink.Options{})
	s.Report, s.Text, s.End = nil, nil, nil
	s.Element = func(e *htmllink.Element) {
		if !ok {
			c, ok = charsetByMeta(e)
		}
	}
	for !ok {
		if _, err := s.Next(); err != nil {
			return c, ok
		}
	}
	return c, ok
}

func charsetByMeta(e *htmllink.Element) (Charset, bool) {
	if e.Name != "meta" {
		return Charset{}, false
	}
	if raw, _, ok := e.Attribute("charset"); ok {
		return declared(strings.TrimSpace(string(htmllink.Unescape(raw))), fromMeta)
	}
	if raw, _, ok := e.Attribute("http-equiv"); ok &&
		strings.EqualFold(strings.TrimSpace(string(raw)), "content-type") {
		content, _, _ := e.Attribute("content")
		return declared(charset.InContent(string(htmllink.Unescape(content))), fromMeta)
	}
	return Charset{}, false
}

// wide reports whether the page is in UTF-16, and returns its byte order.
func (c Charset) wide() (byteOrder, bool) {
	switch c.Name {
	case "utf-16le":
		return littleEndian, true
	case "utf-16be":
		return bigEndian, true
	}
	return 0, false
}

// encoding returns the encoding of the values: nil for UTF-8. Values of a page in UTF-16 come from
// the scanner in UTF-8.
func (c Charset) encoding() encoding.Encoding {
	if _, wide := c.wide(); wide || c.Name == "" || c.Name == "utf-8" {
		return nil
	}
	e, err := htmlindex.Get(c.Name)
	if err != nil {
		return nil
	}
	return e
}

// errUndecoded reports that bytes are invalid in the page's encoding.
var errUndecoded = errors.New("not in the encoding of the page")

// decode decodes bytes of the page.
func (c Charset) decode(raw []byte) (string, error) {
	if c.Name != "replacement" && isASCII(raw) {
		return string(raw), nil
	}
	e := c.encoding()
	if e == nil {
		if !utf8.Valid(raw) {
			return "", errUndecoded
		}
		return string(raw), nil
	}
	s, err := e.NewDecoder().Bytes(raw)
	if err != nil || bytes.ContainsRune(s, utf8.RuneError) {
		return "", errUndecoded
	}
	return string(s), nil
}

// isASCII reports whether bytes are printable ASCII or white space. All encodings of the web but
// "replacement" have these bytes in common; values of a page in UTF-16 are UTF-8 here.
func isASCII(raw []byte) bool {
	for _, c := range raw {
		if c >= 0x7f || c < ' ' && !isSpace(c) {
			return false
		}
	}
	return true
}

// encoder encodes the queries of links in the encoding of the page.
func (c Charset) encoder() weburl.Encoder {
	e := c.encoding()
	if e == nil || e == encoding.Replacement {
		return nil
	}
	return func(r rune) ([]byte, bool) {
		b, err := e.NewEncoder().Bytes([]byte(string(r)))
		return b, err == nil
	}
}

var _ io.Reader = (*Page)(nil)
