package rewrite

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"

	"quire/format/charset"
	"quire/format/weburl"
)

// wide says whether a document is in UTF-16, and in which order its bytes are: by its mark, its
// header, or the first bytes of XML.
func wide(head []byte, contentType string) (unicode.Endianness, bool) {
	name := charset.Mark(head)
	if name == "" {
		name = charset.Resolve(charset.OfContentType(contentType))
	}
	switch {
	case name == "utf-16be", name == "" && bytes.HasPrefix(head, []byte("\x00<\x00?\x00x")):
		return unicode.BigEndian, true
	case name == "utf-16le", name == "" && bytes.HasPrefix(head, []byte("<\x00?\x00x\x00")):
		return unicode.LittleEndian, true
	}
	return unicode.BigEndian, false
}

const markUTF8 = "\xef\xbb\xbf"

// narrowed reads UTF-16 as UTF-8, with its mark before it.
func narrowed(r io.Reader, order unicode.Endianness) io.Reader {
	return io.MultiReader(strings.NewReader(markUTF8), unicode.UTF16(order, unicode.UseBOM).NewDecoder().Reader(r))
}

// charsetOf is the name of the charset of a document by what says so; "" where nothing does.
func charsetOf(head []byte, contentType string, xml bool) string {
	found, err := charset.Sniff(head, contentType, xml)
	if err != nil {
		return ""
	}
	return found.Name
}

func isUTF8(name string) bool { return name == "utf-8" || name == "us-ascii" }

// decoded gives text in UTF-8. Where no charset is declared it may be that already; else it is what
// it would be to most browsers.
func decoded(b []byte, name string) []byte {
	if name == "" {
		if utf8.Valid(b) {
			return b
		}
		name = "windows-1252"
	}
	return charset.DecodeLossy(b, name)
}

// encoder writes the queries of links in the charset of the page (URL Standard, 4.4, query state);
// nil is UTF-8.
func encoder(name string) weburl.Encoder {
	if name == "" || isUTF8(name) || strings.HasPrefix(name, "utf-16") {
		return nil
	}
	e, err := htmlindex.Get(name)
	if err != nil || e == encoding.Replacement {
		return nil
	}
	return func(r rune) ([]byte, bool) {
		b, err := e.NewEncoder().Bytes([]byte(string(r)))
		return b, err == nil
	}
}
