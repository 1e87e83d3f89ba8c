package httrack

import (
	"strings"

	"quire/format/weburl"
)

const hexDigits = "0123456789ABCDEF"

// key is how a URL is compared. new.txt escapes control bytes, the space, the quotation mark and
// bytes from 127 on, but not the percent sign; the cache and hts-ioinfo.txt escape nothing.
// Escaping again what is escaped changes nothing but the case of its digits, so that both meet
// here. What cannot be told apart is a URL with a space from one with %20: no log can.
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

// withScheme gives a URL its scheme. HTTrack leaves it out where it is http: in its logs until
// 3.2x, in hts-ioinfo.txt, in the old cache. assumed says that it was.
func withScheme(url string) (full string, assumed bool) {
	if i := strings.Index(url, "://"); i > 0 && !strings.ContainsAny(url[:i], "/.?") {
		return url, false
	}
	return "http://" + url, true
}
