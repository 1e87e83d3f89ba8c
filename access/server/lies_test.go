package server

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"

	"quire/holdings/holdingstest"
)

// TestLies: servers and crawlers often declare wrong data. Replay shows the content as browsers of
// that time did.
func TestLies(t *testing.T) {
	const at, html = "2015-01-02T03:04:05Z", "Content-Type: text/html"
	const text = "<p>héron <a href=\"/b\">b</a>"
	zipped, raw := gzipped(t, text), deflated(t, text)
	sjis := "<title>\x83e\x83X\x83g</title><a href=\"/\x83\x5c\">x</a>"
	var warc strings.Builder
	n := 0
	add := func(path, status, body string, fields ...string) {
		n++
		head := "HTTP/1.1 " + status + "\r\n" + strings.Join(fields, "\r\n") + "\r\n\r\n"
		warc.WriteString(holdingstest.Record("response", fmt.Sprint(n), "http://a.example/"+path, at,
			"application/http;msgtype=response", head+body))
	}
	add("chunked-not", "200 OK", text, html, "Transfer-Encoding: chunked", "Content-Length: -1")
	add("chunked", "200 OK", fmt.Sprintf("5\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", text[:5], len(text)-5, text[5:]), html,
		"Transfer-Encoding: chunked")
	add("gzip-not", "200 OK", text, html, "Content-Encoding: gzip")
	add("gzip", "200 OK", zipped, html, "Content-Encoding: gzip")
	add("gzip-cut", "200 OK", zipped[:len(zipped)-6], html, "Content-Encoding: gzip")
	add("x-gzip", "200 OK", zipped, html, "Content-Encoding: x-gzip")
	add("deflate-raw", "200 OK", raw, html, "Content-Encoding: deflate")
	add("no-reason", "200", text, html)
	add("twice", "200 OK", text, html, html, "Content-Type: text/plain")
	add("bytes", "200 OK", text, html, "X-Name: caf\xe9")
	add("bom", "200 OK", "\xef\xbb\xbf"+text, html)
	add("sjis", "200 OK", sjis, "Content-Type: text/html; charset=x-sjis")
	add("length", "200 OK", text, html, "Content-Length: 3")
	add("odd-status", "999 Request denied", text, html)
	add("teapot", "599 x", text, html)
	add("empty", "204 No Content", "", html)
	add("proxy", "407 Proxy Authentication Required", text, html, "Proxy-Authenticate: Basic")
	add("auth", "401 Unauthorized", text, html, "WWW-Authenticate: Basic realm=x")
	warc.WriteString(holdingstest.Record("resource", "r", "http://a.example/resource", at, "text/html; charset=utf-8",
		text))
	warc.WriteString(holdingstest.Record("response", "s", "http://a.example/send", at,
		"application/http;msgtype=response", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"sent\": 1}") +
		holdingstest.Request("q", "http://a.example/send", at, "s",
			"POST /send HTTP/1.1\r\nHost: a.example\r\nContent-Type: application/x-www-form-urlencoded\r\n"+
				"Content-Length: 7\r\n", "a=1&b=2"))
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "lies", Rights: "access: open",
		Containers: map[string]string{"a.warc": warc.String()}})
	s := open(t, r, Options{})
	get := func(mod, path string, lines ...string) answer {
		return ask(t, s, "GET", archived+"/all/"+capture+mod+"/http://a.example/"+path, abroad, lines...)
	}
	const led = "<p>héron <a href=\"/all/" + capture + "mp_/http://a.example/b\">b</a>"
	for path, status := range map[string]int{"chunked-not": 200, "chunked": 200, "gzip-not": 200, "gzip": 200,
		"gzip-cut": 200, "x-gzip": 200, "deflate-raw": 200, "no-reason": 200, "twice": 200, "bytes": 200, "bom": 200,
		"length": 200, "odd-status": 200, "teapot": 599, "proxy": 400, "auth": 401, "resource": 200} {
		a := get("mp_", path)
		if a.status != status || !strings.HasSuffix(a.body, led) || a.header.Get("Content-Encoding") != "" ||
			a.header.Get("Transfer-Encoding") != "" || a.header.Get("WWW-Authenticate") != "" {
			t.Errorf("%s: %d %v %s", path, a.status, a.header, a.body)
		}
		if a := get("id_", path); a.status != status || !strings.HasSuffix(a.body, text) ||
			a.header.Get("Content-Encoding") != "" {
			t.Errorf("%s as it was: %d %s", path, a.status, a.body)
		}
		if a := get("id_", path, "Range: bytes=0-1"); status == 200 && (a.status != 206 || len(a.body) != 2) {
			t.Errorf("%s, a piece: %d %q", path, a.status, a.body)
		}
	}
	if a := get("mp_", "empty"); a.status != 204 || a.body != "" {
		t.Errorf("%+v", a)
	}
	a := get("mp_", "sjis")
	if a.header.Get("Content-Type") != "text/html; charset=x-sjis" ||
		!strings.Contains(a.body, "<title>\x83e\x83X\x83g</title>") ||
		!strings.Contains(a.body, `http://a.example/%83`) && !strings.Contains(a.body, `http://a.example/%E3`) {
		t.Errorf("%+v", a)
	}
	if a := get("mp_", "gzip"); a.header.Get("Content-Type") != "text/html" ||
		a.header.Get("X-Archive-Orig-Content-Encoding") != "gzip" {
		t.Errorf("a charset is claimed, or the coding forgotten: %v", a.header)
	}
	if a := get("ir_", "send"); a.status != 404 {
		t.Errorf("the response to a POST is served for a GET: %+v", a)
	}
}

func gzipped(t *testing.T, s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func deflated(t *testing.T, s string) string {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, 9)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
