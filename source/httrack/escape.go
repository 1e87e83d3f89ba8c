package httrack

import (
	"strings"

	"quire/format/weburl"
)

const hexDigits = "0123456789ABCDEF"

// key returns the form of a URL for comparison. new.txt escapes control bytes, the space, the
// quotation mark and bytes from 127 on, but not the percent sign. The cache and hts-ioinfo.txt
// escape nothing. key escapes the same bytes as new.txt, and writes the digits of existing escapes
// in upper case. So the escaped and the unescaped form have the same key, as have a URL with a
// space and one with %20: new.txt does not distinguish them.
func key(url string) string {
	plain := true
	for i := range len(url) {
		if mustEscape(url[i]) || url[i] == '%' {
			plain = false
			break
		}
	}
	if plain {
		return url
	}
	var b strings.Builder
	for i := 0; i < len(url); i++ {
		switch c := url[i]; {
		case mustEscape(c):
			b.Write([]byte{'%', hexDigits[c>>4], hexDigits[c&15]})
		case isEscape(url[i:]):
			b.WriteString(strings.ToUpper(url[i : i+3]))
			i += 2
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func mustEscape(c byte) bool { return c <= ' ' || c == '"' || c >= 127 }

func isEscape(s string) bool {
	_, ok := weburl.Escaped(s)
	return ok
}

// withScheme adds the scheme to a URL. HTTrack omits http in its logs until 3.2x, in
// hts-ioinfo.txt, and in the old cache. assumed reports that the scheme was missing.
func withScheme(url string) (full string, assumed bool) {
	if i := strings.Index(url, "://"); i > 0 && !strings.ContainsAny(url[:i], "/.?") {
		return url, false
	}
	return "http://" + url, true
}
