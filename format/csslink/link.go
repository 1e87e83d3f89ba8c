package csslink

import (
	"errors"

	"quire/format/fault"
)

// Kind says where a URL stands.
type Kind uint8

// The kinds.
const (
	URL    Kind = iota + 1 // url() or src()
	Import                 // the string or url() of an @import
	Image                  // a string in image-set() or image()
	Filter                 // src='...' of AlphaImageLoader()
)

var kinds = [...]string{URL: "url", Import: "import", Image: "image", Filter: "filter"}

// String gives the name of the kind: url, import, image, filter.
func (k Kind) String() string {
	if int(k) < len(kinds) {
		return kinds[k]
	}
	return ""
}

// MaxValue is how many bytes of a URL are kept. A longer one, which in practice is a data: URL, is
// Cut.
const MaxValue = 256 << 10

// ErrUTF16 says that a style sheet begins with the byte order mark of UTF-16, whose bytes are not
// scanned.
var ErrUTF16 = errors.New("UTF-16 is not scanned")

// The rules that a style sheet can break. They are told through Scanner.Report.
const (
	// BadURL: an unquoted url() holds a quote, a parenthesis, white space within or a control
	// character (CSS Syntax 3, 4.3.6). It means nothing and is no link.
	BadURL fault.Code = "CSS-BAD-URL"
	// URLTooLong: a URL is longer than MaxValue.
	URLTooLong fault.Code = "CSS-URL-TOO-LONG"
)

// Link is one URL in a style sheet.
type Link struct {
	Kind       Kind
	Start, End int64  // of the URL's text, without quotes and the white space around it
	Quote      byte   // that stands around it: " or ', 0 for none
	Raw        []byte // the bytes from Start to End; valid until the next call of Next
	Value      []byte // escapes decoded into UTF-8, white space stripped as the URL Standard says; valid as long
	Cut        bool   // Raw and Value are only the beginning
}

// Append writes a URL as it must stand in the link's place, so that it is read there as it is.
func (l *Link) Append(dst []byte, url string) []byte {
	for i := range len(url) {
		c := url[i]
		switch {
		case c < ' ' || c == 0x7f || c == '<':
			// As a code point. The smaller-than sign is allowed, but in the text of a style element
			// it could end that.
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
