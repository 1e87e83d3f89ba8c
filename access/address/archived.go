package address

import (
	"net/url"
	"strconv"
	"strings"
)

// ReadURL reads an archived URL from the end of an address, as the client sent it. It repairs the
// changes that clients and proxies make: a missing scheme becomes http; http:/a.example/ gets its
// second slash; http%3A%2F%2Fa.example%2F, escaped as a whole, is unescaped. It does not normalize
// the URL: the index does. ok is false if the URL is empty or contains a control character.
func ReadURL(s string) (archived string, ok bool) {
	if s == "" || strings.ContainsFunc(s, control) {
		return "", false
	}
	if escaped(s) {
		if whole, err := url.PathUnescape(s); err == nil && !strings.ContainsFunc(whole, control) {
			s = whole
		}
	}
	scheme, rest, ok := cutScheme(s)
	switch {
	case !ok:
		if s = strings.TrimLeft(s, "/"); s == "" {
			return "", false
		}
		return "http://" + s, true
	case scheme == "http" || scheme == "https" || scheme == "ftp":
		if rest = strings.TrimLeft(rest, "/"); rest == "" {
			return "", false
		}
		return scheme + "://" + rest, true
	}
	return s, true
}

// escaped reports whether the colon after the scheme is written as %3A.
func escaped(s string) bool {
	head := s[:min(len(s), 8)]
	i := strings.IndexByte(head, '%')
	if i < 1 || len(s) < i+3 || !strings.EqualFold(s[i:i+3], "%3A") {
		return false
	}
	_, _, ok := cutScheme(s[:i] + ":")
	return ok
}

// cutScheme splits a URL after its scheme, and returns the scheme in lower case. A host with a port
// has no scheme.
func cutScheme(s string) (scheme, rest string, ok bool) {
	i := strings.IndexByte(s, ':')
	if i < 1 || strings.ContainsFunc(s[:i], notScheme) || '0' <= s[0] && s[0] <= '9' {
		return "", s, false
	}
	if port, _, _ := strings.Cut(s[i+1:], "/"); port != "" {
		if _, ok := atoi(port); ok && strings.Trim(port, "0123456789") == "" {
			return "", s, false
		}
	}
	return strings.ToLower(s[:i]), s[i+1:], true
}

func notScheme(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("+-.", r))
}

// EscapeURL escapes an archived URL for the end of one of our URLs; a browser sends it back
// unchanged. It percent-encodes characters that are invalid in a URL, that would end the path, or
// that browsers turn into a slash. Existing percent-encoding stays.
func EscapeURL(archived string) string {
	for i := 0; i < len(archived); i++ {
		if mustEscape(archived[i]) {
			return escapeFrom(archived, i)
		}
	}
	return archived
}

func escapeFrom(s string, i int) string {
	const hex = "0123456789ABCDEF"
	out := append(make([]byte, 0, len(s)+16), s[:i]...)
	for ; i < len(s); i++ {
		if c := s[i]; mustEscape(c) {
			out = append(out, '%', hex[c>>4], hex[c&15])
		} else {
			out = append(out, c)
		}
	}
	return string(out)
}

func mustEscape(c byte) bool {
	switch c {
	case '"', '#', '<', '>', '\\', '^', '`', '{', '|', '}', '\'':
		return true
	}
	return c <= ' ' || c >= 0x7f
}

func itoa(n int) string { return strconv.Itoa(n) }

// atoi parses a number above 0.
func atoi(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n > 0 && s[0] != '+'
}
