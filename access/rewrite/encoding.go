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

// wide reports whether a document is in UTF-16, and its byte order: by its byte order mark, its
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

// narrowed converts UTF-16 to UTF-8 with a byte order mark.
func narrowed(r io.Reader, order unicode.Endianness) io.Reader {
	return io.MultiReader(strings.NewReader(markUTF8), unicode.UTF16(order, unicode.UseBOM).NewDecoder().Reader(r))
}

// charsetOf returns the declared charset of a document; "" if none is declared.
func charsetOf(head []byte, contentType string, xml bool) string {
	found, err := charset.Sniff(head, contentType, xml)
	if err != nil {
		return ""
	}
	return found.Name
}

func isUTF8(name string) bool { return name == "utf-8" || name == "us-ascii" }

// decoded converts text to UTF-8. Without a declared charset the text may already be UTF-8;
// otherwise it is decoded as most browsers would.
func decoded(b []byte, name string) []byte {
	if name == "" {
		if utf8.Valid(b) {
			return b
		}
		name = "windows-1252"
	}
	return charset.DecodeLossy(b, name)
}

// encoder encodes the queries of links in the charset of the page (URL Standard, 4.4, query state);
// nil means UTF-8.
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
