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

// Where a charset is declared, in the order in which they are believed (HTML, 13.2.3.2). The
// standard knows the XML declaration too, and in an XML document, of whose elements none is called
// meta for this, it comes first.
const (
	fromMark   = "byte order mark"
	fromHeader = "HTTP header"
	fromMeta   = "meta"
	fromXML    = "XML declaration"
)

// charsetOf finds the charset by the beginning of a page.
func charsetOf(head []byte, contentType string, xml bool) Charset {
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
	if c, ok := metaCharset(head); ok {
		return c
	}
	return byXML
}

// declared looks a label up. What a page says of itself in ASCII cannot be UTF-16 (HTML, 13.2.3.2,
// prescan, 2.5 to 2.6).
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

// xmlEncoding is what an XML declaration says (XML 1.0, 4.3.3); one of two bytes a character says
// it by its first bytes.
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

// metaCharset is what the first meta element that says something known says.
func metaCharset(head []byte) (c Charset, ok bool) {
	s := htmllink.NewScanner(bytes.NewReader(head), htmllink.Options{})
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

// wide says whether the page is in UTF-16, and in which order its bytes are.
func (c Charset) wide() (byteOrder, bool) {
	switch c.Name {
	case "utf-16le":
		return littleEndian, true
	case "utf-16be":
		return bigEndian, true
	}
	return 0, false
}

// encoding is that of the values: nil for UTF-8. Those of a page in UTF-16 are UTF-8 already, where
// they come from the scanner.
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

// errUndecoded says that bytes mean nothing in the page's encoding.
var errUndecoded = errors.New("not in the encoding of the page")

// decode decodes bytes of the page.
func (c Charset) decode(raw []byte) (string, error) {
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

// encoder writes the queries of links in the encoding of the page.
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
