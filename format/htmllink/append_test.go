package htmllink

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// putBack replaces a link by another URL, checks that it is read there, and returns the new
// document.
func putBack(t testing.TB, doc string, l *Link, url string, o Options) string {
	t.Helper()
	written := doc[:l.Start] + string(l.Append(nil, url)) + doc[l.End:]
	for _, n := range links(t, written, o) {
		if n.Start != l.Start || n.Flags&Srcdoc != l.Flags&Srcdoc || n.Attribute != l.Attribute {
			continue
		}
		if string(n.Value) != url {
			t.Fatalf("%q is read as %q in %q", url, n.Value, written)
		}
		return written
	}
	t.Fatalf("%q is not found in %q, which was %q", url, written, doc)
	return ""
}

func TestAppendIsReadAsItIs(t *testing.T) {
	const url = `http://h/a?b=c&d='e'&copy=f&amp;g"h"<i>` + "`j`=\\(k)&#108;"
	for _, doc := range []string{
		`<a href="x">`, `<a href='x'>`, `<a href=x>`, `<a href=>`, `<a href=x&y>`, `<a href="x&y">`,
		`<a href="x&amp;y">`,
		`<p style="a:url(x)">`, `<p style="a:url('x')">`, `<p style='a:url("x")'>`, `<p style=a:url(x)>`,
		`<p style="a:url(&quot;x&quot;)">`,
		`<style>a{b:url(x)}</style>`, `<style>@import "x";</style>`, `<style>a{b:url('x')}</style>`,
		`<iframe srcdoc="<a href='x'>">`, `<iframe srcdoc='<p style="a:url(x)">'>`,
		`<noscript><a href="x"></noscript>`, `<!--[if IE]><a href=x><![endif]-->`,
	} {
		putBack(t, doc, &links(t, doc, Options{})[0], url, Options{})
	}
}

func TestAppendWhereASpaceOrCommaEnds(t *testing.T) {
	for _, tt := range []struct{ doc, url, want string }{
		{`<img srcset="x 1x">`, `,a, b,,`, `%2Ca,%20b%2C%2C`},
		{`<a href=1 ping="x">`, `a, b`, `a,%20b`},
		{`<applet archive="x">`, `a, b`, `a%2C%20b`},
		{`<meta http-equiv=refresh content="0;url=x">`, `a'b"&c`, `a%27b%22&amp;c`},
		{`<a href="x">`, "a\r\n\tb", `ab`},
	} {
		all := links(t, tt.doc, Options{})
		l := all[len(all)-1]
		if got := string(l.Append(nil, tt.url)); got != tt.want {
			t.Errorf("%s: %s, not %s", tt.doc, got, tt.want)
		}
	}
}

func TestAppendKeepsTheHandOfTheDocument(t *testing.T) {
	for _, tt := range []struct{ raw, url, want string }{
		{"x", "?a&b=c", "?a&amp;b=c"},
		{"?x&amp;y", "?a&b=c", "?a&amp;b=c"},
		{"?x&y", "?a&b=c", "?a&b=c"},
		{"?x&y", "?a&copy=c&amp;&b", "?a&copy=c&amp;amp;&amp;b"}, // "&b" could begin a name
		{"?x&y&amp;z", "?a&b=c", "?a&amp;b=c"},
	} {
		doc := `<a href="` + tt.raw + `">`
		l := links(t, doc, Options{})[0]
		if got := string(l.Append(nil, tt.url)); got != tt.want {
			t.Errorf("%s: %s is written as %s, not %s", doc, tt.url, got, tt.want)
		}
	}
}

// FuzzScanner checks that offsets are exact for any way of reading, that no byte belongs to two
// links, and that written URLs are read back.
func FuzzScanner(f *testing.F) {
	for _, doc := range []string{
		`<a href="1&amp;2" ping='3 4'><img srcset="1 1x,2"><p style=a:url(1)>`, `<style>a{b:url(1)}</style>`,
		`<!--[if IE]><a href=1>--><!-->`,
		`<svg><style/><title><![CDATA[>]]></svg>`,
		`<script><!--<script></script></script><noscript><a href=1></noscript>`,
		`<iframe srcdoc="<a href='&amp;amp;'>">`,
		`<meta http-equiv=refresh content="0;url='1'"><meta charset=iso-2022-jp>`, "\x1b$B<\x1b(B<a href=\x00>",
		`<?xml-stylesheet href="1"?><applet archive=1,2>`,
	} {
		f.Add([]byte(doc), "http://h/?a&b\"'<>`= (,)\\", false)
		f.Add([]byte(doc), "&lt", true)
	}
	f.Fuzz(func(t *testing.T, doc []byte, url string, xml bool) {
		if len(doc) > 1 && (doc[0] == 0xff && doc[1] == 0xfe || doc[0] == 0xfe && doc[1] == 0xff) {
			return
		}
		o := Options{XML: xml}
		whole := links(t, string(doc), o)
		s := NewScanner(iotest.OneByteReader(bytes.NewReader(doc)), o)
		for i := 0; ; i++ {
			l, err := s.Next()
			if errors.Is(err, io.EOF) {
				if i != len(whole) {
					t.Fatalf("%d links, and %d byte by byte", len(whole), i)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if w := whole[i]; w.Start != l.Start || w.End != l.End || w.Kind != l.Kind ||
				!bytes.Equal(w.Value, l.Value) {
				t.Fatalf("%+v, and %+v byte by byte", w, l)
			}
			if i < 20 {
				fuzzPutBack(t, string(doc), &whole[i], url, o)
			}
		}
	})
}

// fuzzPutBack calls putBack where a URL can be read as written.
func fuzzPutBack(t *testing.T, doc string, l *Link, url string, o Options) {
	url = string(strip([]byte(url)))
	if l.Flags&(Cut|Conditional) != 0 || strings.ContainsAny(url, "\x00\x1b\f") || url == "" ||
		strings.Contains(doc, "\x1b") {
		return // a URL can end a conditional comment
	}
	switch l.syntax {
	case inSet, inList, inPlus:
		if strings.ContainsAny(url, " ,") {
			return
		}
	case inTimer:
		if strings.ContainsAny(url, `"'`) {
			return
		}
	case alone, inCSS:
	}
	putBack(t, doc, l, url, o)
}

func BenchmarkScanner(b *testing.B) {
	page := []byte(strings.Repeat(`<div class="item" id="n1"><p>Some words of text that a page has between its <b>`+
		`tags</b> &amp; entities, `+
		`which goes on for a line or two before there is another link.</p><a class="more" `+
		`href="/news/article.php?id=17&amp;page=2">`+
		`more</a> <img src="../images/photo.jpg" width="200" height="100" alt="a photo"></div>`+"\n", 2000))
	b.SetBytes(int64(len(page)))
	b.ReportAllocs()
	s := NewScanner(bytes.NewReader(nil), Options{})
	for b.Loop() {
		s.Reset(bytes.NewReader(page), 0, Options{})
		for {
			if _, err := s.Next(); err != nil {
				break
			}
		}
	}
}
