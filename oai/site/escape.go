package site

import (
	"strings"

	"quire/format/weburl"
)

const capitals = "0123456789ABCDEF"

// unreserved reports whether a character is never escaped (RFC 3986, clause 2.3); subdelims are
// those that need no escape (2.2).
func unreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

func bare(c byte, more string) bool {
	return unreserved(c) || strings.IndexByte("!$&'()*+,;=", c) >= 0 || strings.IndexByte(more, c) >= 0
}

// escapeName encodes any bytes as a path.
func escapeName(name string) string {
	var out strings.Builder
	for i := range len(name) {
		if c := name[i]; bare(c, "/:@") {
			out.WriteByte(c)
		} else {
			escape(&out, c)
		}
	}
	return out.String()
}

// escapeAgain normalizes a text with escapes; more are additional characters that need no escape.
func escapeAgain(s, more string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		decoded, escaped := weburl.Escaped(s[i:])
		switch {
		case escaped:
			if unreserved(decoded) {
				out.WriteByte(decoded)
			} else {
				escape(&out, decoded)
			}
			i += 2
		case bare(c, more):
			out.WriteByte(c)
		default:
			escape(&out, c)
		}
	}
	return out.String()
}

func escape(out *strings.Builder, c byte) {
	out.WriteByte('%')
	out.WriteByte(capitals[c>>4])
	out.WriteByte(capitals[c&15])
}
