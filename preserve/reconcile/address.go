package reconcile

import (
	"strings"

	"quire/format/weburl"
)

// spelling is a set of differences between two spellings of one URL.
type spelling uint8

// The spellings. Crawlers, indexes and containers write the same URL in different ways.
const (
	inBrackets spelling = 1 << iota // wget writes <http://…>
	ofCase                          // scheme or host in capitals
	withPort                        // http://host:80/, as Alexa wrote it
	noSlash                         // http://host
	ofEscapes                       // escapes missing, needless, or in small letters
	spellings  = iota
)

var spellingNames = [spellings]string{"angle_brackets", "case", "default_port", "empty_path", "escapes"}

// canonical returns the form of a URL in which sources are compared, and the changes made. It
// changes only details that do not affect the identity of the URL: query, path and fragment keep
// their case, their order and their parts.
func canonical(uri string) (string, spelling) {
	var how spelling
	s := uri
	if len(s) > 2 && s[0] == '<' && s[len(s)-1] == '>' {
		s, how = s[1:len(s)-1], how|inBrackets
	}
	s, how = escaped(s, how) // first, because an escape may encode a capital letter of a host
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

// lower converts ASCII letters to lower case, except in escapes, which encode a byte. Other bytes
// stay unchanged, including invalid text.
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

// isScheme reports whether a word can be the scheme of a URL: RFC 3986, 3.1.
func isScheme(s string) bool {
	for i := range len(s) {
		letter := s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", rune(s[i]))) {
			return false
		}
	}
	return s != ""
}

// defaultPort returns the default port of a scheme, with its colon; "" for none.
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

// escaped normalizes escapes. Characters that are invalid by RFC 3986 are escaped. Unreserved
// characters are not escaped. Hexadecimal digits are capitals.
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

// endsInPercent reports whether b ends in an incomplete escape: a percent sign, or one and a digit.
// A further byte could complete it.
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

// hostOf returns the host under which a canonical URL is counted. Heritrix counts all name look-ups
// as "dns:". URLs without a host are counted under their scheme. So are the crawlers' own records
// (metadata://gnu.org/software/wget/warc/wget.log), although their URLs contain a host.
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

// HostOf returns the host of a URL as it is counted: see the table of hosts in
// docs/reference/455_reconcile.md.
func HostOf(uri string) string {
	form, _ := canonical(uri)
	return hostOf(form)
}
