package replay

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"quire/holdings"
)

const page = "<html><head><title>A</title></head><body><a href=\"/b.html\">b</a><img " +
	"src=\"http://other.example/i.png\"></body></html>"

func three() *memory {
	m := &memory{}
	m.add("20150101000000", "http://a.example/", 200, "Content-Type: text/html", page)
	m.add("20160101000000", "http://a.example/", 200, "Content-Type: text/html", page)
	m.add("20170101000000", "http://www.a.example/", 200, "Content-Type: text/html", page)
	return m
}

func TestCapture(t *testing.T) {
	d := newDesk(t, three())
	r := d.ask("/all/20160101000000mp_/http://a.example/")
	want(t, r, 200, "Memento-Datetime: Fri, 01 Jan 2016 00:00:00 GMT", "Content-Type: text/html",
		"Cache-Control: no-cache")
	body := text(t, r)
	for _, part := range []string{`href="/all/20160101000000mp_/http://a.example/b.html"`,
		`src="/all/20160101000000im_/http://other.example/i.png"`, `data-quire=`} {
		if !strings.Contains(body, part) {
			t.Errorf("no %s in %s", part, body)
		}
	}
	if policy := r.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "sandbox ") ||
		!strings.Contains(policy, "default-src 'self'") {
		t.Errorf("policy: %s", policy)
	}
	links := r.Header.Get("Link")
	for _, part := range []string{
		`<http://a.example/>; rel="original"`, `<http://replay.example/all/http://a.example/>; rel="timegate"`,
		`<http://replay.example/all/timemap/link/http://a.example/>; rel="timemap"; type="application/link-format"`,
		`<http://replay.example/all/20150101000000mp_/http://a.example/>; rel="first prev memento"; datetime="Thu, ` +
			`01 Jan 2015 00:00:00 GMT"`,
		`<http://replay.example/all/20160101000000mp_/http://a.example/>; rel="memento"; datetime="Fri, 01 Jan 2016 ` +
			`00:00:00 GMT"`,
		`<http://replay.example/all/20170101000000mp_/http://www.a.example/>; rel="next last memento"; datetime="Sun,` +
			` 01 Jan 2017 00:00:00 GMT"`,
	} {
		if !strings.Contains(links, part) {
			t.Errorf("no %s in %s", part, links)
		}
	}
	if got := text(t, d.ask("/all/20160101000000id_/http://a.example/")); got != page {
		t.Errorf("id_: %s", got)
	}
	if got := text(t, d.ask("/all/20160101000000if_/http://a.example/")); !strings.Contains(got,
		"/all/20160101000000mp_/http://a.example/b.html") {
		t.Errorf("if_: %s", got)
	}
	want(t, d.send("HEAD", "/all/20160101000000mp_/http://a.example/", ""), 200,
		"Memento-Datetime: Fri, 01 Jan 2016 00:00:00 GMT")
}

// TestSpelt: URLs that differ in case share a key, but are two pages.
func TestSpelt(t *testing.T) {
	m := &memory{}
	m.add("20150101000000", "http://a.example/Case", 200, "Content-Type: text/plain", "upper")
	m.add("20150101000000", "http://www.a.example:80/case", 200, "Content-Type: text/plain", "lower")
	m.add("20150101000000", "http://a.example/CASE", 200, "Content-Type: text/plain", "all")
	m.add("20160101000000", "http://a.example/CASE", 200, "Content-Type: text/plain", "later")
	d := newDesk(t, m)
	for asked, wanted := range map[string]string{"Case": "upper", "case": "lower", "CASE": "all", "cAsE": "upper"} {
		for _, modifier := range []string{"mp_", "id_"} {
			if got := text(t, d.ask("/all/20150101000000"+modifier+"/http://a.example/"+asked)); got != wanted {
				t.Errorf("%s %s: %q", modifier, asked, got)
			}
		}
	}
	if got := text(t, d.ask("/all/20160101000000mp_/http://a.example/case")); got != "later" {
		t.Errorf("the nearest capture comes first: %q", got)
	}
}

// TestAskedAgain: a page is revalidated only to check that the reader still has access.
func TestAskedAgain(t *testing.T) {
	m := three()
	d := newDesk(t, m)
	for _, at := range []string{"/all/20160101000000mp_/http://a.example/",
		"/all/20160101000000id_/http://a.example/"} {
		tag := d.ask(at).Header.Get("ETag")
		want(t, d.ask(at, "If-None-Match: "+tag), 304)
		m.captures[1].verdict = holdings.Restricted
		want(t, d.ask(at, "If-None-Match: "+tag), 451)
		m.captures[1].verdict = holdings.Open
	}
}

func TestNearest(t *testing.T) {
	d := newDesk(t, three())
	const browser = "Accept: text/html,application/xhtml+xml"
	want(t, d.ask("/all/20160301000000mp_/http://a.example/", browser), 302,
		"Location: http://replay.example/all/20160101000000mp_/http://a.example/")
	want(t, d.ask("/all/2018/http://a.example/", browser), 302,
		"Location: http://replay.example/all/20170101000000mp_/http://www.a.example/")
	want(t, d.ask("/all/20160301000000mp_/http://a.example/", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"),
		302)
	want(t, d.ask("/all/20160301000000mp_/http://a.example/", "Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: empty", browser),
		200,
		"Content-Location: http://replay.example/all/20160101000000mp_/http://a.example/",
		"Memento-Datetime: Fri, 01 Jan 2016 00:00:00 GMT")
	want(t, d.ask("/all/20160301000000im_/http://a.example/", browser), 200)
	want(t, d.ask("/all/*/http://a.example/"), 302, "Location: http://ui.example/versions/all/http://a.example/")
}

// TestSelfRedirects: self-redirects are not captures of content (ukwa-pywb#21, arquivo#189).
func TestSelfRedirects(t *testing.T) {
	m := &memory{}
	m.add("20150101000000", "http://a.example/", 301, "Location: https://a.example/", "")
	m.add("20150101000001", "https://a.example/", 301, "Location: https://www.a.example/", "")
	m.add("20150101000500", "https://www.a.example/", 200, "Content-Type: text/plain", "at last")
	d := newDesk(t, m)
	r := d.ask("/all/20150101000000mp_/http://a.example/")
	want(t, r, 200, "Memento-Datetime: Thu, 01 Jan 2015 00:05:00 GMT")
	if got := text(t, r); got != "at last" {
		t.Error(got)
	}
	want(t, d.ask("/all/20150101000000id_/http://a.example/"), 301, "Memento-Datetime: Thu, 01 Jan 2015 00:00:00 GMT",
		"Location: ",
		"X-Archive-Orig-Location: https://a.example/") // unmodified
	want(t, d.ask("/all/http://a.example/", "Accept-Datetime: Thu, 01 Jan 2015 00:00:00 GMT"), 302,
		"Location: http://replay.example/all/20150101000500mp_/https://www.a.example/")
}

func TestRedirects(t *testing.T) {
	m := &memory{}
	m.add("20150101000000", "http://a.example/dir/", 302, "Location: ../b?c=d#e", "")
	m.add("20150101000000", "http://a.example/out", 301, "Location: //b.example/", "")
	m.add("20150101000000", "http://a.example/js", 302, "Location: javascript:alert(1)", "")
	m.add("20150101000000", "http://a.example/none", 302, "X: y", "gone")
	m.add("20150101000000", "http://a.example/split", 302, "Location: http://b.example/\r\nSet-Cookie: a=b", "")
	d := newDesk(t, m)
	want(t, d.ask("/all/20150101000000mp_/http://a.example/dir/"), 302,
		"Location: /all/20150101000000mp_/http://a.example/b?c=d#e", "Memento-Datetime: Thu, 01 Jan 2015 00:00:00 GMT")
	want(t, d.ask("/all/20150101000000ir_/http://a.example/dir/"), 302,
		"Location: /all/20150101000000ir_/http://a.example/b?c=d#e")
	want(t, d.ask("/all/20150101000000im_/http://a.example/out"), 301,
		"Location: /all/20150101000000im_/http://b.example/")
	want(t, d.ask("/all/20150101000000mp_/http://a.example/js"), 302, "Location: ")
	want(t, d.ask("/all/20150101000000mp_/http://a.example/none"), 302, "Location: ")
	if r := d.ask("/all/20150101000000mp_/http://a.example/split"); r.Header.Get("Set-Cookie") != "" ||
		strings.ContainsAny(r.Header.Get("Location"), "\r\n") {
		t.Errorf("split: %v", r.Header)
	}
}

func TestCircles(t *testing.T) {
	m := &memory{}
	m.add("20150101000000", "http://a.example/", 302, "Location: http://b.example/", "")
	m.add("20150101000001", "http://b.example/", 302, "Location: http://a.example/", "")
	d := newDesk(t, m)
	r := d.ask("/all/20150101000000mp_/http://a.example/")
	want(t, r, 404, "Memento-Datetime: ")
	if got := text(t, r); !strings.Contains(got, "<h1>Redirect loop</h1>") ||
		!strings.Contains(got, "/all/20150101000000id_/http://a.example/") {
		t.Error(got)
	}
	m.add("20150101000002", "http://a.example/", 200, "Content-Type: text/plain", "with a cookie")
	want(t, d.ask("/all/20150101000000mp_/http://a.example/"), 200, "Memento-Datetime: Thu, 01 Jan 2015 00:00:02 GMT")
	// An endless redirect chain, each step to another URL.
	long := &memory{}
	for i := range 400 {
		long.add("20150101000000", "http://a.example/"+strings.Repeat("x", i), 302,
			"Location: http://a.example/"+strings.Repeat("x", i+1), "")
	}
	e := newDesk(t, long)
	want(t, e.ask("/all/20150101000000mp_/http://a.example/"), 404)
	if long.asked > 100 {
		t.Errorf("%d captures were looked at", long.asked)
	}
}

func TestHeaders(t *testing.T) {
	m := &memory{}
	m.add("20150101000000", "http://a.example/", 200, strings.Join([]string{
		"Content-Type: text/html; charset=x-sjis", "Content-Language: ja", "Set-Cookie: a=b",
		"Content-Security-Policy: default-src *", "Strict-Transport-Security: max-age=1",
		"Clear-Site-Data: *", "Service-Worker-Allowed: /", "Refresh: 0; url=/x",
		"Link: </s.css>; rel=preload; as=style", "X-Varnish: 1", "Access-Control-Allow-Origin: http://evil.example",
		"Content-Disposition: inline; filename=x", "X-Bad: a\rSet-Cookie: c=d", "X-Frame-Options: DENY", "Bad Name: x",
		"Content-Length: 3", "Transfer-Encoding: chunked", "Content-Encoding: identity", "Etag: \"theirs\"",
	}, "\n"), "<p>x")
	d := newDesk(t, m)
	r := d.ask("/all/20150101000000mp_/http://a.example/")
	want(t, r, 200, "Content-Type: text/html; charset=x-sjis", "Content-Language: ja", "Set-Cookie: ",
		"X-Archive-Orig-Set-Cookie: a=b", "Strict-Transport-Security: ",
		"Clear-Site-Data: ", "Service-Worker-Allowed: ", "X-Varnish: ", "X-Archive-Orig-X-Varnish: 1",
		"Access-Control-Allow-Origin: *", "X-Frame-Options: ",
		"Content-Disposition: inline; filename=x", "X-Archive-Orig-Etag: \"theirs\"",
		"X-Archive-Orig-Content-Length: 3", "Refresh: 0; url=/all/20150101000000mp_/http://a.example/x")
	if policies := r.Header.Values("Content-Security-Policy"); len(policies) != 1 ||
		strings.Contains(policies[0], "*") {
		t.Errorf("%q", policies)
	}
	for name, values := range r.Header {
		for _, v := range values {
			if strings.ContainsAny(name+v, "\r\n\x00") || strings.Contains(v, "c=d") {
				t.Errorf("%q: %q", name, v)
			}
		}
	}
	want(t, d.ask("/all/20150101000000if_/http://a.example/"), 200, "Content-Disposition: ",
		"X-Archive-Orig-Content-Disposition: inline; filename=x")
}

// TestRaw: unmodified content never runs.
func TestRaw(t *testing.T) {
	m := &memory{}
	m.add("20150101000000", "http://a.example/", 200, "Content-Type: text/html", page)
	m.add("20150101000000", "http://a.example/no", 403, "Content-Type: text/html", "forbidden")
	d := newDesk(t, m)
	for _, mod := range []string{"id_", "ir_"} {
		r := d.ask("/all/20150101000000"+mod+"/http://a.example/", "Sec-Fetch-Dest: document",
			"Sec-Fetch-Mode: navigate")
		want(t, r, 200, "X-Content-Type-Options: nosniff", "Content-Disposition: attachment", "Content-Type: text/html")
		if p := r.Header.Get("Content-Security-Policy"); !strings.HasPrefix(p, "sandbox;") ||
			strings.Contains(p, "allow-scripts") {
			t.Errorf("%s: %s", mod, p)
		}
		if got := text(t, r); got != page {
			t.Errorf("%s: %s", mod, got)
		}
		want(t, d.ask("/all/20150101000000"+mod+"/http://a.example/"), 200, "Content-Disposition: ")
	}
	want(t, d.ask("/all/20150101000000ir_/http://a.example/no"), 403)
	want(t, d.ask("/all/20150101000000ir_/http://a.example/no", "Referer: http://replay.example/-/wabac/sw.js"), 200,
		"X-Redirect-Status: 403")
	want(t, d.ask("/all/20150101000000mp_/http://a.example/no"), 403, "X-Archive-Orig-Status: 403 Forbidden")
}

func TestRange(t *testing.T) {
	m := &memory{}
	film := strings.Repeat("0123456789", 20_000)
	m.add("20150101000000", "http://a.example/film", 200, "Content-Type: video/mp4", film)
	m.add("20150101000000", "http://a.example/piece", 206, "Content-Type: video/mp4\nContent-Range: bytes 0-9/200",
		film[:10])
	m.add("20150101000000", "http://a.example/both", 206, "Content-Type: video/mp4\nContent-Range: bytes 0-9/200",
		film[:10])
	m.add("20150201000000", "http://a.example/both", 206,
		"Content-Type: video/mp4\nContent-Range: bytes 0-199999/200000", film)
	m.add("20150101000000", "http://a.example/pieces", 206, "Content-Type: multipart/byteranges; boundary=b",
		"--b\r\nContent-Range: bytes 0-0/9\r\n\r\nx\r\n--b--")
	m.add("20150101000000", "http://a.example/moved", 302, "Location: /film", "")
	d := newDesk(t, m)
	for _, mod := range []string{"mp_", "id_", "im_", "ir_"} {
		at := "/all/20150101000000" + mod + "/http://a.example/film"
		want(t, d.ask(at), 200, "Accept-Ranges: bytes", "Content-Length: 200000", "Content-Type: video/mp4")
		r := d.ask(at, "Range: bytes=100005-100014")
		want(t, r, 206, "Content-Range: bytes 100005-100014/200000", "Content-Length: 10", "Content-Type: video/mp4",
			"Memento-Datetime: Thu, 01 Jan 2015 00:00:00 GMT")
		if got := text(t, r); got != "5678901234" {
			t.Error(got)
		}
		r = d.ask(at, "Range: bytes=-3")
		want(t, r, 206, "Content-Range: bytes 199997-199999/200000")
		if got := text(t, r); got != "789" {
			t.Error(got)
		}
		want(t, d.ask(at, "Range: bytes=200000-"), 416, "Content-Range: bytes */200000")
		if r := d.ask(at, "Range: bytes=0-1,5-6"); r.StatusCode != 200 || text(t, r) != film {
			t.Error("several pieces:", r.StatusCode)
		}
		want(t, d.send("HEAD", at, "", "Range: bytes=0-9"), 206, "Content-Length: 10")
	}
	want(t, d.ask("/all/20150101000000im_/http://a.example/moved", "Range: bytes=0-9"), 302)
	want(t, d.ask("/all/20150101000000im_/http://a.example/piece"), 404)
	if r := d.ask("/all/20150101000000id_/http://a.example/piece"); r.StatusCode != 200 ||
		r.Header.Get("X-Archive-Orig-Content-Range") != "bytes 0-9/200" {
		t.Error("as it was:", r.StatusCode, r.Header)
	}
	want(t, d.ask("/all/20150101000000mp_/http://a.example/pieces"), 404)
	want(t, d.ask("/all/20150101000000id_/http://a.example/pieces"), 200,
		"Content-Type: multipart/byteranges; boundary=b", "X-Archive-Orig-Status: 206 Partial Content")
	want(t, d.ask("/all/20150101000000im_/http://a.example/both"), 200,
		"Memento-Datetime: Sun, 01 Feb 2015 00:00:00 GMT", "Content-Length: 200000")
}

// TestWrongTypes: bodies with a wrong declared type.
func TestWrongTypes(t *testing.T) {
	m := &memory{}
	m.add("20150101000000", "http://a.example/font", 200, "Content-Type: text/html",
		"wOFF\x00\x01href=\"http://b.example/\"")
	m.add("20150101000000", "http://a.example/json", 200, "Content-Type: text/html",
		`{"a": "<a href='http://b.example/'>"}`)
	m.add("20150101000000", "http://a.example/js", 200, "Content-Type: text/html", "location = 'http://b.example/'")
	m.add("20150101000000", "http://a.example/css", 200, "Content-Type: text/html",
		"a { background: url(http://b.example/x.png) }")
	m.add("20150101000000", "http://a.example/untyped", 200, "X: y", "<!DOCTYPE html><a href=/b>")
	m.add("20150101000000", "http://a.example/plain", 200, "X: y", "text")
	d := newDesk(t, m)
	for target, part := range map[string]string{
		"/all/20150101000000im_/http://a.example/font":    `href="http://b.example/"`,
		"/all/20150101000000mp_/http://a.example/font":    `href="http://b.example/"`,
		"/all/20150101000000mp_/http://a.example/json":    `'http://b.example/'`,
		"/all/20150101000000js_/http://a.example/js":      `'http://b.example/'`,
		"/all/20150101000000cs_/http://a.example/css":     `url(/all/20150101000000im_/http://b.example/x.png)`,
		"/all/20150101000000mp_/http://a.example/untyped": `href=/all/20150101000000mp_/http://a.example/b`,
		"/all/20150101000000mp_/http://a.example/plain":   "text",
	} {
		r := d.ask(target)
		if got := text(t, r); r.StatusCode != 200 || !strings.Contains(got, part) {
			t.Errorf("%s: %d %s", target, r.StatusCode, got)
		}
	}
	want(t, d.ask("/all/20150101000000js_/http://a.example/js"), 200, "X-Content-Type-Options: ")
	want(t, d.ask("/all/20150101000000mp_/http://a.example/plain"), 200, "Content-Type: text/plain",
		"X-Content-Type-Options: nosniff")
}

// TestBroken: a damaged copy is never served as intact, however late the damage is detected.
func TestBroken(t *testing.T) {
	m := &memory{}
	m.add("20150101000000", "http://a.example/", 200, "Content-Type: text/html", page).failing = true
	m.add("20150101000000", "http://a.example/film", 200, "Content-Type: video/mp4",
		strings.Repeat("x", 100_000)).failing = true
	m.add("20150101000000", "http://a.example/gone", 200, "Content-Type: text/html",
		page).broken = errors.New("input/output error")
	d := newDesk(t, m)
	for _, target := range []string{"/all/20150101000000mp_/http://a.example/",
		"/all/20150101000000id_/http://a.example/", "/all/20150101000000im_/http://a.example/film"} {
		r := d.ask(target)
		if !r.cut && r.StatusCode == 200 {
			t.Errorf("%s: the damage is not detected: %d, %d bytes", target, r.StatusCode, len(text(t, r)))
		}
	}
	r := d.ask("/all/20150101000000mp_/http://a.example/gone")
	want(t, r, 500, "Memento-Datetime: ")
	if strings.Contains(text(t, r), "input/output") {
		t.Error("the response mentions our disks")
	}
}

func TestPost(t *testing.T) {
	m := three()
	c := m.add("20150101000000", "http://a.example/q", 200, "Content-Type: application/json", `{"found": 1}`)
	c.Key = keyOfPost("http://a.example/q", "application/x-www-form-urlencoded", "a=1&b=2")
	d := newDesk(t, m)
	const form = "Content-Type: application/x-www-form-urlencoded"
	if r := d.send("POST", "/all/20150101000000ir_/http://a.example/q", "a=1&b=2", form); r.StatusCode != 200 ||
		text(t, r) != `{"found": 1}` {
		t.Error(r.StatusCode)
	}
	want(t, d.send("POST", "/all/20150101000000ir_/http://a.example/q", "a=2", form), 404)
	want(t, d.ask("/all/20150101000000ir_/http://a.example/q"), 404)
	want(t, d.send("POST", "/all/20150101000000ir_/http://a.example/q", strings.Repeat("a", maxSent+1), form), 413)
	want(t, d.send("OPTIONS", "/all/20150101000000ir_/http://a.example/q", ""), 204, "Access-Control-Allow-Origin: *")
}

// TestStrays: requests of scripts for their original host are redirected by the page that sent
// them.
func TestStrays(t *testing.T) {
	d := newDesk(t, three())
	from := "Referer: http://replay.example/all/20150101000000mp_/http://a.example/dir/page?x"
	want(t, d.ask("/img/x.png?y=//z", from), 302,
		"Location: http://replay.example/all/20150101000000mp_/http://a.example/img/x.png?y=//z")
	want(t, d.send("POST", "/graphql", "q", from), 307,
		"Location: http://replay.example/all/20150101000000mp_/http://a.example/graphql")
	want(t, d.ask("/img/x.png", "Referer: http://evil.example/all/20150101000000mp_/http://a.example/"), 404)
	want(t, d.ask("/img/x.png"), 404)
	want(t, d.ask("//evil.example/", from), 302,
		"Location: http://replay.example/all/20150101000000mp_/http://evil.example/")
	want(t, d.ask("/"), 302, "Location: http://ui.example/")
	want(t, d.ask("/nowhere/20150101000000mp_/http://a.example/"), 404)
	want(t, d.ask("/all/20150101000000js_/http://a.example/sw.js", "Service-Worker: script"), 403)
}

func TestNotFound(t *testing.T) {
	m := three()
	m.captures[0].Package = "p2"
	d := newDesk(t, m)
	evil := url.PathEscape(`"><script>alert(1)</script>`)
	for _, target := range []string{"/all/2015mp_/http://a.example/" + evil,
		"/all/2015mp_/http://a.example/?" + `"><script>alert(1)</script>`,
		`/all/2015mp_/http://"><script>alert(1)</script>/`, "/all/http://b.example/",
		"/all/timemap/link/http://b.example/"} {
		r := d.ask(target)
		want(t, r, 404, "Cache-Control: no-store", "Content-Type: text/html; charset=utf-8", "Memento-Datetime: ")
		if body := text(t, r); strings.Contains(body, "<script>") ||
			!strings.Contains(r.Header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: %s", target, body)
		}
	}
	if body := text(t, d.ask("/all/2015mp_/http://a.example/nothing")); !strings.Contains(body,
		"http://replay.example/all/20150101000000mp_/http://a.example/") {
		t.Errorf("nothing else is offered: %s", body)
	}
	if body := text(t, d.ask("/p1/2015mp_/http://other.example/")); strings.Contains(body, "20150101000000") {
		t.Errorf("another host is offered: %s", body)
	}
	m.captures[1].Package, m.captures[2].Package = "p2", "p2"
	if body := text(t, d.ask("/p1/2015mp_/http://a.example/")); !strings.Contains(body,
		"/all/20150101000000mp_/http://a.example/") {
		t.Errorf("the other collection is not offered: %s", body)
	}
	want(t, d.ask("/all/2015im_/http://a.example/none.png", "Sec-Fetch-Dest: image"), 404,
		"Content-Type: text/plain; charset=utf-8")
}

func TestDenied(t *testing.T) {
	m := three()
	d := newDesk(t, m)
	m.captures[1].verdict = holdings.Restricted
	r := d.ask("/all/20160101000000mp_/http://a.example/")
	want(t, r, 451, "Memento-Datetime: ", "Cache-Control: no-store")
	if body := text(t, r); !strings.Contains(body, "The court said so.") || strings.Contains(body, "<title>A</title>") {
		t.Error(body)
	}
	// another capture is nearby
	want(t, d.ask("/all/20160101000001mp_/http://a.example/"), 200,
		"Content-Location: http://replay.example/all/20150101000000mp_/http://a.example/")
	m.captures[1].verdict = holdings.Reading
	want(t, d.ask("/all/20160101000000id_/http://a.example/"), 403)
	m.captures[1].hidden = true
	want(t, d.ask("/all/20160101000000id_/http://a.example/"), 200, "Memento-Datetime: Thu, 01 Jan 2015 00:00:00 GMT")
	for _, c := range m.captures {
		c.hidden = true
	}
	want(t, d.ask("/all/20160101000000mp_/http://a.example/"), 404)
	want(t, d.ask("/all/http://a.example/"), 404)
}

func TestCapabilities(t *testing.T) {
	m := three()
	m.captures[0].verdict, m.captures[1].verdict = holdings.Restricted, holdings.Reading
	m.captures[1].Package = "p2"
	d := newDesk(t, m)
	now := time.Now()
	sign := func(class holdings.Class, network bool, until time.Time, packages ...string) string {
		return "/all~" + d.o.Key.Sign(Capability{Class: class, Network: network, Until: until, Packages: packages})
	}
	soon := now.Add(time.Hour)
	staff, rooms := sign(holdings.Staff, false, soon, "p1"), sign(holdings.OnSite, true, soon, "p2")
	r := d.ask(staff + "/20150101000000mp_/http://a.example/")
	want(t, r, 200, "Cache-Control: private, no-store", "ETag: ")
	if body := text(t, r); !strings.Contains(body, staff+"/20150101000000mp_/http://a.example/b.html") {
		t.Errorf("links lose the reader's capability: %s", body)
	}
	want(t, d.ask(staff+"/20160101000000mp_/http://a.example/"), 403) // of another package
	want(t, d.ask(staff+"/20170101000000mp_/http://a.example/"), 200) // open
	want(t, d.ask(rooms+"/20160101000000mp_/http://a.example/"), 403) // bound to another address
	d.o.Class = func(*http.Request) holdings.Class { return holdings.OnSite }
	want(t, d.ask(rooms+"/20160101000000mp_/http://a.example/"), 200)
	want(t, d.ask(rooms+"/20150101000000mp_/http://a.example/"), 451)
	want(t, d.ask("/all/20160101000000mp_/http://a.example/"), 403) // the address alone gives no rights on this host
	old := sign(holdings.Staff, false, now.Add(-time.Hour), "p1")
	want(t, d.ask(old+"/20150101000000mp_/http://a.example/"), 403, `Clear-Site-Data: "cache", "storage"`)
	other := "B"
	if strings.HasSuffix(staff[:len(staff)-1], other) {
		other = "C"
	}
	for _, forged := range []string{staff[:len(staff)-2] + other + staff[len(staff)-1:], staff + "A", "/all~", "/all~x",
		"/all~" + newKey().Sign(Capability{Class: holdings.Staff, Packages: []string{"p1"}, Until: soon})} {
		if r := d.ask(forged + "/20150101000000mp_/http://a.example/"); r.StatusCode == 200 ||
			strings.Contains(text(t, r), "<title>A</title>") {
			t.Errorf("%s: %d", forged, r.StatusCode)
		}
	}
}
