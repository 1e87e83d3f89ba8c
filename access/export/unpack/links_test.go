package unpack

import (
	"bytes"
	"strings"
	"testing"

	"quire/access/rewrite"
)

// captured lists the captured URLs of the test.
var captured = map[string]string{
	"http://a.example/": "text/html", "http://a.example/news/": "text/html",
	"http://a.example/news/x.html": "text/html",
	"http://a.example/i/logo.png":  "image/png", "http://a.example/s.css": "text/css",
	"http://b.example/s.js":       "text/javascript",
	"http://a.example/search?q=1": "text/html",
}

func page(url, contentType string) *Document {
	return &Document{URL: url, Name: Name(url, MediaType(contentType)), ContentType: contentType,
		To: func(_ rewrite.Kind, u string) (string, bool) {
			mime, ok := captured[u]
			return Name(u, mime), ok
		}}
}

func TestLinks(t *testing.T) {
	const at = "http://a.example/news/x.html"
	search := "../search-" + digest("a.example/search?q=1") + ".html"
	for _, c := range []struct{ in, want string }{
		{`<a href="/">`, `<a href="../index.html">`},
		{`<a href="./#top">`, `<a href="index.html#top">`},
		{`<a href="#top">`, `<a href="#top">`},
		{`<a href='http://A.EXAMPLE/news/x.html'>`, `<a href='x.html'>`},
		{`<img src=/i/logo.png srcset="/i/logo.png 1x, /i/other.png 2x">`,
			`<img src=../i/logo.png srcset="../i/logo.png 1x, about:invalid 2x">`},
		{`<a href="/search?q=1&amp;x">`, `<a href="http://a.example/search?q=1&amp;x">`},
		{`<a href="/search?q=1">`, `<a href="` + search + `">`},
		{`<script src="//b.example/s.js" integrity="sha256-x" crossorigin></script>`,
			`<script src="../../b.example/s.js" _integrity="sha256-x" _crossorigin></script>`},
		{`<script src="//c.example/s.js"></script>`, `<script src="about:invalid"></script>`},
		{`<iframe src="/gone.html"></iframe>`, `<iframe src="../../quire/not-archived.html"></iframe>`},
		{`<base href="http://b.example/"><script src="s.js"></script>`,
			`<base href=""><script src="../../b.example/s.js"></script>`},
		{`<form action="/search" method=post>`,
			`<form action="../../quire/not-archived.html#form" data-quire-dead="/search" method=post>`},
		{`<form action=/search?a&amp;b>`,
			`<form action=../../quire/not-archived.html#form data-quire-dead=/search?a&amp;b>`},
		{`<a href='MAILTO:"J" &lt;j@a.example&gt;'>`,
			`<a href='../../quire/not-archived.html#mail' data-quire-dead='MAILTO:"J" &lt;j@a.example&gt;'>`},
		{`<a href="mailto:a@b" href="mailto:c@d">`,
			`<a href="../../quire/not-archived.html#mail" data-quire-dead="mailto:a@b" ` +
				`href="../../quire/not-archived.html#mail">`},
		{`<a href="javascript:f()">`, `<a href="javascript:f()">`},
		{`<style>@import "/s.css"; p { background: url(/i/logo.png) }</style>`,
			`<style>@import "../s.css"; p { background: url(../i/logo.png) }</style>`},
		{`<p style="background:url('/gone.png')">`, `<p style="background:url('about:invalid')">`},
		{`<meta http-equiv=refresh content="0;url=/gone">`,
			`<meta http-equiv=refresh content="0;url=../../quire/not-archived.html">`},
		{`<link rel=prefetch href="/news/">`, `<link rel=prefetch href="about:invalid">`},
		{`<link rel=canonical href="/gone">`, `<link rel=canonical href="http://a.example/gone">`},
		{`<meta http-equiv="content-security-policy" content="default-src b.example">`,
			`<meta http-equiv="_content-security-policy" content="default-src b.example">`},
		{`<meta http-equiv=refresh content="0;url=/news/">`, `<meta http-equiv=refresh content="0;url=index.html">`},
	} {
		var b bytes.Buffer
		if err := Rewrite(&b, strings.NewReader("<!DOCTYPE html><body>"+c.in), page(at, "text/html")); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimPrefix(b.String(), "<!DOCTYPE html>"+policy+"<body>"); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

// TestCharset: the page itself declares the charset from the server's header, because a page on a
// disk has no header.
func TestCharset(t *testing.T) {
	var b bytes.Buffer
	if err := Rewrite(&b, strings.NewReader("<html><head><title>\xe9</title>"),
		page("http://a.example/", "text/html; charset=latin1")); err != nil {
		t.Fatal(err)
	}
	if want := "<html><head><meta charset=\"windows-1252\"/>" + policy + "<title>\xe9</title>"; b.String() != want {
		t.Errorf("%q", b.String())
	}
}

func TestOtherBytesStay(t *testing.T) {
	for _, text := range []string{"", "x", "\x00\x01<a href=/>", "var a = '<a href=/>'", strings.Repeat("y", 5000)} {
		var b bytes.Buffer
		if err := Rewrite(&b, strings.NewReader(text), page("http://b.example/s.js", "text/javascript")); err != nil ||
			b.String() != text {
			t.Errorf("%.40q: %.40q, %v", text, b.String(), err)
		}
	}
}

func TestRelative(t *testing.T) {
	for _, c := range [][3]string{
		{"a/b/c.html", "a/b/d.html", "d.html"}, {"a/b/c.html", "a/d.html", "../d.html"},
		{"a/b/c.html", "x/d.html", "../../x/d.html"},
		{"c.html", "a/d.html", "a/d.html"}, {"a/b.html", "c.html", "../c.html"}, {"a/b/c.html", "a/b/c.html", "c.html"},
		{"a/c.html", "a/b/c/d.html", "b/c/d.html"},
		{"a/a/x.html", "a/a", "../a"},
	} {
		if got := Relative(c[0], c[1]); got != c[2] {
			t.Errorf("%s to %s: %s", c[0], c[1], got)
		}
	}
}

// FuzzRewrite: no link of any page loads anything from the web.
func FuzzRewrite(f *testing.F) {
	f.Add([]byte(`<form action=x><a href=mailto:y><base href=//b.example><img srcset="a 1x,b 2x"><iframe ` +
		`srcdoc="<form action='z'>">`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		var once, twice bytes.Buffer
		d := page("http://a.example/", "text/html")
		if err := Rewrite(&once, bytes.NewReader(doc), d); err != nil {
			t.Fatal(err)
		}
		if err := Rewrite(&twice, bytes.NewReader(doc), d); err != nil || !bytes.Equal(once.Bytes(), twice.Bytes()) {
			t.Errorf("not the same twice: %v", err)
		}
	})
}
