package rewrite

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"quire/format/csslink"
	"quire/format/htmllink"
)

// endless yields n bytes of repeated text, without storing them.
type endless struct {
	text string
	n    int64
}

func (e *endless) Read(p []byte) (int, error) {
	if e.n <= 0 {
		return 0, io.EOF
	}
	n := 0
	for n < len(p) && e.n > 0 {
		k := copy(p[n:min(len(p), n+int(min(e.n, 1<<20)))], e.text)
		n, e.n = n+k, e.n-int64(k)
	}
	return n, nil
}

// TestHostile: oversized parts are copied with little memory: an attribute of 100 MB, an endless
// srcset, deeply nested elements.
func TestHostile(t *testing.T) {
	for _, tt := range []struct {
		name, before, text, after string
		what                      What
		size                      int64
	}{
		{"an attribute of 100 MB", `<a title="`, strings.Repeat("x", 1000), `"><a href=/b>`, HTML, 100 << 20},
		{"a URL", `<a href="`, "/x", `"><a href=/b>`, HTML, 5 << 20},
		{"a srcset", `<img srcset="`, "a 1x,", `"><a href=/b>`, HTML, 5 << 20},
		{"attributes", "<a ", "href=x ", "><a href=/b>", HTML, 5 << 20},
		{"guards", "<a ", "nonce ", "><a href=/b>", HTML, 5 << 20},
		{"a style", `<p style="`, "a:url(b);", `"><a href=/b>`, HTML, 5 << 20},
		{"depth", "", "<div><svg><noscript><!--[if IE]><style>", "", HTML, 1 << 20},
		{"a comment", "<!--", "--", "--><a href=/b>", HTML, 1 << 20},
		{"smaller-than signs", "", "<", "", HTML, 1 << 20},
		{"an unclosed script", "<script>", "<!--<script></script>", "", HTML, 1 << 20},
		{"a comment before the head", "<!--", strings.Repeat("x", 1000), "--><html><head>", HTML, 5 << 20},
		{"a srcdoc", `<iframe srcdoc="`, "&lt;iframe srcdoc=&quot;", `"><a href=/b>`, HTML, 5 << 20},
		{"parentheses", "a{b:", "image-set(", "", CSS, 1 << 20},
		{"a URL in CSS", "a{b:url(", "x", ")}", CSS, 5 << 20},
		{"escapes", "a{b:", `\75`, "}", CSS, 1 << 20},
		{"XML", "<?xml-stylesheet ", "href='a' ", "?><a/>", XML, 1 << 20},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := io.MultiReader(strings.NewReader(tt.before),
				&endless{tt.text, tt.size / int64(len(tt.text)) * int64(len(tt.text))}, strings.NewReader(tt.after))
			rw := Rewriter{Base: site, URL: replayed, Head: []byte("<script></script>"), Target: "r"}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			var out tail
			if err := rw.Rewrite(&out, in, tt.what); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			if grown := int64(after.Sys) - int64(before.Sys); grown > 96<<20 {
				t.Errorf("memory grew by %d MiB", grown>>20)
			}
			if strings.HasSuffix(tt.after, "<a href=/b>") &&
				!strings.HasSuffix(string(out.last), "<a href=/all/2015mp_/http://a.example/b>") {
				t.Errorf("the rest was not rewritten: %q", out.last)
			}
		})
	}
}

// tail keeps the last bytes.
type tail struct {
	last []byte
}

func (w *tail) Write(p []byte) (int, error) {
	w.last = append(w.last, p...)
	w.last = w.last[max(0, len(w.last)-100):]
	return len(p), nil
}

func TestErrorsAreTold(t *testing.T) {
	rw := Rewriter{Base: site, URL: replayed}
	gone, full := errors.New("gone"), errors.New("full")
	for _, what := range []What{HTML, XML, CSS, Nothing} {
		if err := rw.Rewrite(io.Discard, io.MultiReader(strings.NewReader("<p>"), iotest.ErrReader(gone)),
			what); !errors.Is(err, gone) {
			t.Errorf("%v: %v", what, err)
		}
		if err := rw.Rewrite(failing{full}, &endless{"<p a{} ", 1 << 20}, what); !errors.Is(err, full) {
			t.Errorf("%v: %v", what, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// linksOf returns the text of a document without its links, and the links.
func linksOf(t testing.TB, doc []byte, what What) (rest string, links []string) {
	t.Helper()
	var b strings.Builder
	at := int64(0)
	take := func(start, end int64, value []byte) {
		if start < at || end > int64(len(doc)) {
			return
		}
		b.Write(doc[at:start])
		b.WriteByte('@')
		at = end
		links = append(links, string(value))
	}
	if what == CSS {
		for s := csslink.NewScanner(bytes.NewReader(doc)); ; {
			l, err := s.Next()
			if err != nil {
				break
			}
			take(l.Start, l.End, l.Value)
		}
	} else {
		for s := htmllink.NewScanner(bytes.NewReader(doc), htmllink.Options{XML: what == XML}); ; {
			l, err := s.Next()
			if err != nil {
				break
			}
			take(l.Start, l.End, l.Value)
		}
	}
	b.Write(doc[at:])
	return b.String(), links
}

// FuzzRewrite: rewriting never panics. Reading byte by byte gives the same result. A document
// without links and guards stays unchanged, and rewriting is idempotent. Without underscores and
// URLs the document is the same.
func FuzzRewrite(f *testing.F) {
	for _, doc := range []string{
		`<a href="b"><img srcset="a, b 2x" src=//c><base href=/x/><meta http-equiv=refresh content="1;url=a">`,
		`<style>@import "a";b{c:url(d)}</style><p style='a:url("b")'>`,
		`<script src=a integrity=b crossorigin nonce></script><a ping="a b" target=_top>`,
		`<iframe srcdoc="<a href='&amp;amp;'>">`, "\xff\xfe<\x00a\x00",
		`<meta charset=iso-2022-jp><a href=` + "\x1b$B<a>",
		`<!--[if IE]><link href=a><![endif]--><noscript><img src=a></noscript><svg><a xlink:href=b>`,
		`a{b:url(c)}@import 'd';`, `<?xml-stylesheet href="a"?><x xlink:href=b>`,
		"<a href=http://[::1]/><a href='http://h/%zz?q=\xfc'>",
	} {
		for what := HTML; what <= CSS; what++ {
			f.Add([]byte(doc), uint8(what))
		}
	}
	f.Fuzz(func(t *testing.T, doc []byte, w uint8) {
		what := What(w%3) + HTML
		rw := Rewriter{Base: site, URL: replayed}
		var once, bytewise, twice bytes.Buffer
		if err := rw.Rewrite(&once, bytes.NewReader(doc), what); err != nil {
			t.Fatal(err)
		}
		if err := rw.Rewrite(&bytewise, iotest.OneByteReader(bytes.NewReader(doc)), what); err != nil ||
			!bytes.Equal(once.Bytes(), bytewise.Bytes()) {
			t.Fatalf("%q, and byte by byte %q %v", once.Bytes(), bytewise.Bytes(), err)
		}
		if _, ok := wide(doc, ""); ok {
			return // these bytes change
		}
		if isShifting := bytes.IndexByte(doc, 0x1b) >= 0; isShifting {
			return
		}
		rest, links := linksOf(t, doc, what)
		if len(links) == 0 && what == CSS && !bytes.Equal(doc, once.Bytes()) {
			t.Fatalf("%q has no URL, and became %q", doc, once.Bytes())
		}
		restAfter, linksAfter := linksOf(t, once.Bytes(), what)
		plain := !bytes.ContainsAny(doc, "\x00\\") && !strings.Contains(string(doc), "<!--") &&
			!strings.Contains(strings.ToLower(rest), "ping")
		if plain && strings.ReplaceAll(rest, "_", "") != strings.ReplaceAll(restAfter, "_", "") {
			t.Fatalf("more than URLs was changed: %q became %q", doc, once.Bytes())
		}
		if plain && len(links) != len(linksAfter) {
			t.Fatalf("%q\n%q\nfrom %q to %q", links, linksAfter, doc, once.Bytes())
		}
		if err := rw.Rewrite(&twice, bytes.NewReader(once.Bytes()), what); err != nil ||
			!bytes.Equal(once.Bytes(), twice.Bytes()) {
			t.Fatalf("%q became %q, and that %q %v", doc, once.Bytes(), twice.Bytes(), err)
		}
	})
}

// FuzzHead: never a panic, and never an invalid header.
func FuzzHead(f *testing.F) {
	f.Add("Link", `<a>; rel=preload; as="x\"", <b`)
	f.Add("Refresh", "0; url='x")
	f.Add("Location", "//h\\x")
	f.Add("Content-Type", "a\x00b")
	f.Fuzz(func(t *testing.T, name, value string) {
		rw := Rewriter{Base: site, URL: replayed}
		for _, f := range rw.Header(Page, []Field{{name, value}}) {
			if !isToken(f.Name) || !isValue(f.Value) {
				t.Fatalf("%q", f)
			}
		}
		Callback(name, value, []string{"callback", "cb"})
		var out bytes.Buffer
		if err := Rename(&out, strings.NewReader(value), "f", "g"); err != nil || out.Len() != len(value) {
			t.Fatalf("%q became %q %v", value, out.String(), err)
		}
	})
}
