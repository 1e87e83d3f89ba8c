package crate

import (
	"fmt"
	"strings"

	"quire/format/weburl"
	"quire/metadata/xmlstream"
)

// asURI converts a URL to a valid URI for schemas, because URLs from crawlers and links are not
// always valid. It encodes only invalid bytes, as %XX, so that a browser finds the same resource.
func asURI(s string) string {
	if xmlstream.IsURI(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		_, isEscape := weburl.Escaped(s[i:])
		if c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 || c == '%' && !isEscape || c == '#' &&
			strings.Contains(b.String(), "#") ||
			(c == '[' || c == ']') && strings.ContainsAny(strings.TrimPrefix(b.String(), scheme(s)), "/?#") {
			fmt.Fprintf(&b, "%%%02X", c)
			continue
		}
		b.WriteByte(c)
	}
	if made := b.String(); xmlstream.IsURI(made) {
		return made
	}
	return "urn:x-quire:url:" + everything(s)
}

// scheme returns the start "https://" of a URL.
func scheme(s string) string {
	if i := strings.Index(s, "://"); i >= 0 {
		return s[:i+3]
	}
	return ""
}

// everything escapes all characters except letters and digits, for texts that are not URLs.
func everything(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if c := s[i]; c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
