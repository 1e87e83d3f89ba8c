package csslink

import (
	"errors"

	"quire/format/fault"
)

// Kind is the construct that holds a URL.
type Kind uint8

// The kinds.
const (
	URL    Kind = iota + 1 // url() or src()
	Import                 // the string or url() of an @import
	Image                  // a string in image-set() or image()
	Filter                 // src='...' of AlphaImageLoader()
)

var kinds = [...]string{URL: "url", Import: "import", Image: "image", Filter: "filter"}

// String returns the name of the kind: url, import, image, filter.
func (k Kind) String() string {
	if int(k) < len(kinds) {
		return kinds[k]
	}
	return ""
}

// MaxValue is how many bytes of a URL are kept. A longer URL, in practice a data: URL, is Cut.
const MaxValue = 256 << 10

// ErrUTF16 means that a style sheet begins with the byte order mark of UTF-16. UTF-16 is not
// scanned.
var ErrUTF16 = errors.New("UTF-16 is not scanned")

// The rules that a style sheet can break. Scanner.Report receives them.
const (
	// BadURL: an unquoted url() contains a quote, a parenthesis, inner white space or a control
	// character (CSS Syntax 3, 4.3.6). It has no meaning and is not a link.
	BadURL fault.Code = "CSS-BAD-URL"
	// URLTooLong: a URL is longer than MaxValue.
	URLTooLong fault.Code = "CSS-URL-TOO-LONG"
)

// Link is one URL in a style sheet.
type Link struct {
	Kind       Kind
	Start, End int64  // of the URL's text, without quotes and surrounding white space
	Quote      byte   // quote around the URL: " or ', 0 if unquoted
	Raw        []byte // the bytes from Start to End; valid until the next call of Next
	Value      []byte // escapes decoded into UTF-8, white space stripped by the URL Standard; valid as long
	Cut        bool   // Raw and Value are only the beginning
}

// Append appends a URL in the form that the link's place requires, so that a CSS parser reads it
// unchanged.
func (l *Link) Append(dst []byte, url string) []byte {
	for i := range len(url) {
		c := url[i]
		switch {
		case c < ' ' || c == 0x7f || c == '<':
			// As a code point. CSS allows the less-than sign, but in a style element it could end
			// the element.
			dst = append(dst, '\\', hexDigit(c>>4), hexDigit(c&15), ' ')
		case c == '\\' || c == l.Quote, l.Quote == 0 && (c == ' ' || c == '"' || c == '\'' || c == '(' || c == ')'):
			dst = append(dst, '\\', c)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

func hexDigit(c byte) byte { return "0123456789abcdef"[c] }
