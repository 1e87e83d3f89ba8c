package reconcile

import (
	"strings"

	"quire/format/weburl"
)

// Spelling says in what two spellings of one URL differ.
type spelling uint8

// The spellings. Crawlers, indexes and containers write one URL in as many ways.
const (
	inBrackets spelling = 1 << iota // wget writes <http://…>
	ofCase                          // scheme or host in capitals
	withPort                        // http://host:80/, as Alexa wrote it
	noSlash                         // http://host
	ofEscapes                       // what has to be escaped is not, what need not be is, or in small letters
	spellings  = iota
)

var spellingNames = [spellings]string{"angle_brackets", "case", "default_port", "empty_path", "escapes"}

// canonical writes a URL in the one form in which witnesses are compared, and says what was changed
// for it. Only what cannot make another URL of it is changed: query, path and fragment keep their
// case, their order and their parts.
func canonical(uri string) (string, spelling) {
	var how spelling
	s := uri
	if len(s) > 2 && s[0] == '<' && s[len(s)-1] == '>' {
		s, how = s[1:len(s)-1], how|inBrackets
	}
	s, how = escaped(s, how) // first, since an escape may stand for a capital letter of a host
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || !isScheme(scheme) {
		return s, how
	}
	if low := lower(scheme); low != scheme {
		scheme, how = low, how|ofCase
	}
	if scheme == "dns" || scheme == "whois" {
		if low := lower(rest); low != rest {
			rest, how = low, how|ofCase
		}
	}
	after, ok := strings.CutPrefix(rest, "//")
	if !ok {
		return scheme + ":" + rest, how
	}
	authority, path := after, ""
	if i := strings.IndexAny(after, "/?#"); i >= 0 {
		authority, path = after[:i], after[i:]
	}
	user, host := "", authority
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		user, host = authority[:i+1], authority[i+1:]
	}
	if low := lower(host); low != host {
		host, how = low, how|ofCase
	}
	if bare, ok := strings.CutSuffix(host, defaultPort(scheme)); ok && bare != host {
		host, how = bare, how|withPort
	}
	if (path == "" || path[0] != '/') && defaultPort(scheme) != "" && host != "" {
		path, how = "/"+path, how|noSlash
	}
	return scheme + "://" + user + host + path, how
}

// lower writes ASCII letters small, but for those of an escape, which stand for a byte. Other bytes
// stay as they are, also those that are no text.
func lower(s string) string {
	var b []byte
	for i := 0; i < len(s); i++ {
		switch {
		case isEscape(s[i:]):
			i += 2
		case s[i] >= 'A' && s[i] <= 'Z':
			if b == nil {
				b = []byte(s)
			}
			b[i] |= 0x20
		}
	}
	if b == nil {
		return s
	}
	return string(b)
}

// isScheme says whether a word can be the scheme of a URL: RFC 3986, 3.1.
func isScheme(s string) bool {
	for i := range len(s) {
		letter := s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", rune(s[i]))) {
			return false
		}
	}
	return s != ""
}

// defaultPort is that of a scheme, with its colon; "" when it has none.
func defaultPort(scheme string) string {
	switch scheme {
	case "http":
		return ":80"
	case "https":
		return ":443"
	case "ftp":
		return ":21"
	}
	return ""
}

// escaped writes escapes in one way: what RFC 3986 does not allow is escaped, what it leaves free
// is not, in capitals.
func escaped(s string, how spelling) (string, spelling) {
	clean := true
	for i := 0; i < len(s) && clean; i++ {
		clean = s[i] != '%' && !mustEscape(s[i])
	}
	if clean {
		return s, how
	}
	const digits = "0123456789ABCDEF"
	b := make([]byte, 0, len(s)+16)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case isEscape(s[i:]):
			c, _ = weburl.Escaped(s[i:])
			i += 2
			if isUnreserved(c) && !endsInPercent(b) {
				b = append(b, c)
				continue
			}
			b = append(b, '%', digits[c>>4], digits[c&15])
		case mustEscape(c):
			b = append(b, '%', digits[c>>4], digits[c&15])
		default:
			b = append(b, c)
		}
	}
	if string(b) != s {
		how |= ofEscapes
	}
	return string(b), how
}

// endsInPercent says whether b ends in a percent sign that begins no escape, or in one and a digit:
// a byte more could make an escape of it that was none.
func endsInPercent(b []byte) bool {
	n := len(b)
	return n > 0 && b[n-1] == '%' || n > 1 && b[n-2] == '%'
}

func mustEscape(c byte) bool {
	return c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0
}

func isUnreserved(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '-' || c == '.' || c == '_' || c == '~'
}

func isEscape(s string) bool {
	_, ok := weburl.Escaped(s)
	return ok
}

// hostOf is the host that a URL, in its canonical form, is counted with: Heritrix counts all
// look-ups of names as "dns:". A URL without a host counts as its scheme, and so does what crawlers
// write of themselves (metadata://gnu.org/software/wget/warc/wget.log).
func hostOf(uri string) string {
	scheme, rest, ok := strings.Cut(uri, ":")
	if !ok {
		return ""
	}
	after, ok := strings.CutPrefix(rest, "//")
	if !ok || scheme == "dns" || scheme == "whois" || scheme == "metadata" {
		return scheme + ":"
	}
	if i := strings.IndexAny(after, "/?#"); i >= 0 {
		after = after[:i]
	}
	if i := strings.LastIndexByte(after, '@'); i >= 0 {
		after = after[i+1:]
	}
	if i := strings.LastIndexByte(after, ':'); i >= 0 && !strings.HasSuffix(after, "]") {
		after = after[:i]
	}
	return after
}
