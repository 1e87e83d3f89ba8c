package inspect

import (
	"strings"
	"testing"
)

const (
	dutchText   = "Het schip ligt aan de kade van de haven, en het is niet te koop voor wie er een wil hebben."
	englishText = "The ship is at the quay of the harbour, and it is not for sale to those who want to have one."
)

// TestLanguages: words decide before the html element, and that before Content-Language. Only successful answers
// with a page or plain text count.
func TestLanguages(t *testing.T) {
	page := func(fields, body string) string {
		return response("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n" + fields + "\r\n" + body)
	}
	plain := "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
	for _, c := range []struct{ name, file, want string }{
		{"no text", record("resource", png, target, "Content-Type: image/png"), "[]"},
		{"words before a declaration", page("Content-Language: de\r\n", "<html lang=en><p>"+dutchText), "[{nl 1 108}]"},
		{"html element", page("Content-Language: de\r\n", "<html lang=FI-fi><p>Laiva"), "[{fi 1 25}]"},
		{"three letters", page("", "<html lang=fin><p>Laiva"), "[{fi 1 23}]"},
		{"a language that does not exist", page("", "<html lang=xx><p>Laiva"), "[{und 1 22}]"},
		{"Content-Language", page("Content-Language: pl_PL\r\n", "<p>Statek"), "[{pl 1 9}]"},
		{"several in Content-Language", page("Content-Language: pl, de\r\n", "<p>Statek"), "[{und 1 9}]"},
		{"unknown", page("", "<p>Statek"), "[{und 1 9}]"},
		{"coded", page("Content-Encoding: gzip\r\n", string(zip(t, "<p>"+dutchText))), "[{nl 1 119}]"},
		{"chunked", page("Transfer-Encoding: chunked\r\n", "2e\r\n"+dutchText[:46]+"\r\n2d\r\n"+dutchText[46:]+
			"\r\n0\r\n\r\n"), "[{nl 1 108}]"},
		{"plain text", response(plain + "\r\n" + englishText), "[{en 1 93}]"},
		{"a page late in markup", page("", "<script>"+strings.Repeat("x", 20<<10)+"</script><p>"+dutchText),
			"[{nl 1 20591}]"},
		{"beyond the window", page("", "<script>"+strings.Repeat("x", 40<<10)+"</script><p>"+dutchText),
			"[{und 1 41071}]"},
		{"binary", response(plain + "\r\n" + englishText + "\x00"), "[]"},
		{"UTF-16", page("", "\xff\xfe"+wide("<p>"+dutchText)), "[{nl 1 190}]"},
		{"an error page", response("HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n" + englishText), "[]"},
		{"a part", response("HTTP/1.1 206 Partial\r\nContent-Type: text/html\r\n\r\n" + englishText), "[]"},
		{"a script", response("HTTP/1.1 200 OK\r\nContent-Type: text/javascript\r\n\r\n" + englishText), "[]"},
		{"empty", page("", ""), "[]"},
		{"resource", record("resource", dutchText, target, "Content-Type: text/plain"), "[{nl 1 91}]"},
		{"a crawler's log", record("resource", englishText, "WARC-Target-URI: metadata://gnu.org/wget.log",
			"Content-Type: text/plain"), "[]"},
		{"a page of a mirror", record("conversion", "<p>"+dutchText, target, "Content-Type: text/html",
			"Mirror-Part: payload"), "[{nl 1 94}]"},
		{"a segment", record("resource", dutchText, target, "Content-Type: text/plain",
			"WARC-Segment-Number: 1"), "[]"},
		{"a revisit", record("revisit", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+dutchText, target,
			"Content-Type: application/http; msgtype=response"), "[]"},
	} {
		got := inspectBytes(t, []byte(warcinfo+c.file), Options{Languages: true})
		if counted(got.Languages) != c.want || !got.LanguagesCounted {
			t.Errorf("%s: %s, want %s", c.name, counted(got.Languages), c.want)
		}
		got = inspectBytes(t, []byte(warcinfo+c.file), Options{})
		if len(got.Languages) > 0 || got.LanguagesCounted {
			t.Errorf("%s: %s, without the option", c.name, counted(got.Languages))
		}
	}
}

// wide returns text of ASCII in UTF-16, little-endian.
func wide(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteString(text[i:i+1] + "\x00")
	}
	return b.String()
}
