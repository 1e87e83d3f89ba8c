package charset

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
)

// Found is an encoding and the evidence for it.
type Found struct {
	Name  string // as in the Encoding Standard; "us-ascii" if all bytes are ASCII
	Label string // as declared; "" if undeclared
	By    string // byte order mark, HTTP header, meta element, XML declaration, being XML, content
}

// The kinds of evidence.
const (
	byMark    = "byte order mark"
	byHeader  = "HTTP header"
	byXML     = "XML declaration"
	byMeta    = "meta element"
	byBeing   = "being XML"
	byContent = "content"
)

const bomUTF8 = "\xef\xbb\xbf"

// ErrUndeclared means that no source states the encoding of a document.
var ErrUndeclared = errors.New("it declares no encoding")

// Sniff returns the encoding of a document. It looks at the byte order mark, the HTTP header and
// the declaration in the document, in this order (HTML Standard, 13.2.3.2). It does not guess: for
// a document without a declaration that is not pure ASCII it returns ErrUndeclared.
func Sniff(b []byte, contentType string, isXML bool) (Found, error) {
	if name := Mark(b); name != "" {
		return Found{name, "", byMark}, nil
	}
	if label := OfContentType(contentType); Resolve(label) != "" {
		return Found{Resolve(label), label, byHeader}, nil
	}
	if isXML { // XML 1.0, 4.3.3
		if start, end, ok := XMLDeclaration(b); ok {
			label := string(b[start:end])
			if Resolve(label) == "" {
				return Found{}, fmt.Errorf("its XML declaration names an encoding that is not known: %.40q", label)
			}
			return Found{Resolve(label), label, byXML}, nil
		}
		return Found{"utf-8", "", byBeing}, nil
	}
	if found, ok := prescan(b[:min(len(b), prescanned)]); ok {
		return found, nil
	}
	if !bytes.ContainsFunc(b, func(r rune) bool { return r >= 0x80 || r == 0x1b }) {
		return Found{"us-ascii", "", byContent}, nil
	}
	return Found{}, ErrUndeclared
}

// Mark returns the encoding of the byte order mark at the beginning of b, or "".
func Mark(b []byte) string {
	for _, mark := range []struct {
		bytes, name string
	}{{bomUTF8, "utf-8"}, {"\xfe\xff", "utf-16be"}, {"\xff\xfe", "utf-16le"}} {
		if bytes.HasPrefix(b, []byte(mark.bytes)) {
			return mark.name
		}
	}
	return ""
}

// OfContentType returns the charset of a media type, even if other parts are malformed.
func OfContentType(contentType string) string {
	if _, params, err := mime.ParseMediaType(contentType); err == nil {
		return params["charset"]
	}
	return InContent(contentType)
}

// InContent returns the charset of a media type in the content of a meta element (HTML Standard,
// 2.6.5, extracting a character encoding from a meta element).
func InContent(content string) string {
	s := charsetIn([]byte(content))
	return content[s.start:s.end]
}
