package relink

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"quire/format/htmllink"
	"quire/format/lookahead"
	"quire/internal/prove"
)

// saved are the files of a mirror, named like HTTrack and Wget do.
var saved = map[string]string{
	"h.test/index.html":         "http://h.test/",
	"h.test/index-2.html":       "http://h.test/index.html",
	"h.test/page681a.html":      "http://h.test/page?id=1",
	"h.test/pageb3c4.html":      "http://h.test/page?a=1&b=2",
	"h.test/page?a=1&b=2.html":  "http://h.test/page?a=1&b=2",
	"h.test/page?id=1":          "http://h.test/page?id=1",
	"h.test/img/a.png":          "http://h.test/img/a.png",
	"h.test/img/sp ace.png":     "http://h.test/img/sp%20ace.png",
	"h.test/img/\xc3\xa9.png":   "http://h.test/img/\xc3\xa9.png",
	"h.test/img/pct%25.png":     "http://h.test/img/pct%2525.png",
	"h.test/sub/index.html":     "http://h.test/sub/",
	"h.test/sub/deep/leaf.html": "http://h.test/sub/deep/leaf.html",
	"h.test_8080/index.html":    "http://h.test:8080/",
	"other.test/x.html":         "https://other.test/x.html",
	"h.test/css/a.css":          "http://h.test/css/a.css",
	"external.html":             "http://never.test/",
	"h.test/same.html":          "http://h.test/same.html?id=1", // possible with a user-defined structure (-N)
	"h.test/f.html":             "http://h.test/f.html#x",
	"h.test/comma,name,.png":    "http://h.test/comma,name,.png",
	"h.test/quote'.html":        "http://h.test/quote'.html?a&b",
}

func page(style Style, file string) Page {
	return Page{File: file, URL: "http://" + file, MIME: "text/html", Style: style,
		Lookup: func(p string) (string, bool) { u, ok := saved[p]; return u, ok }}
}

func rewrite(t *testing.T, doc string, p Page) (string, Result) {
	t.Helper()
	var out bytes.Buffer
	r, err := Rewrite(&out, strings.NewReader(doc), p)
	if err != nil {
		t.Fatal(err)
	}
	var slow bytes.Buffer
	r2, err := Rewrite(&slow, iotest.OneByteReader(strings.NewReader(doc)), p)
	if err != nil || slow.String() != out.String() || fmt.Sprint(r2) != fmt.Sprint(r) {
		t.Errorf("%q is rewritten otherwise byte by byte: %q, %+v, %v", doc, slow.String(), r2, err)
	}
	if r.Links != r.Changed+r.Kept+r.Unresolved {
		t.Errorf("%q: %+v does not add up", doc, r)
	}
	return out.String(), r
}

func TestLinksOfHTTrack(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"a file beside it", `<a href="page681a.html">`, `<a href="http://h.test/page?id=1">`},
		{"the query that it keeps, and a fragment", `<a href="page681a.html?id=1#top">`,
			`<a href="http://h.test/page?id=1#top">`},
		{"an ampersand, escaped as before", `<a href="pageb3c4.html?a=1&amp;b=2#f">`,
			`<a href="http://h.test/page?a=1&amp;b=2#f">`},
		{"where nothing was escaped", `<a href="pageb3c4.html">`, `<a href="http://h.test/page?a=1&amp;b=2">`},
		{"index.html of the root", `<a href="index.html">`, `<a href="http://h.test/">`},
		{"another name for a clash", `<a href=index-2.html>`, `<a href=http://h.test/index.html>`},
		{"another host", `<a href='../other.test/x.html'>`, `<a href='https://other.test/x.html'>`},
		{"escapes of the path", `<img src="img/sp%20ace.png">`, `<img src="http://h.test/img/sp%20ace.png">`},
		{"escapes beyond ASCII", `<img src="img/%c3%a9.png">`, `<img src="http://h.test/img/%C3%A9.png">`},
		{"a percent sign in the name", `<img src="img/pct%2525.png"><img src="img/pct%25.png">`,
			`<img src="http://h.test/img/pct%2525.png"><img src="http://h.test/img/pct%2525.png">`},
		{"a quote that must be escaped", `<a href='quote&#39;.html'>`,
			`<a href='http://h.test/quote&#39;.html?a&amp;b'>`},
		{"a URL that has a fragment itself", `<a href="f.html#y">`, `<a href="http://h.test/f.html#y">`},
		{"srcset", `<img srcset="img/a.png 1x, comma,name,.png 2x">`,
			`<img srcset="http://h.test/img/a.png 1x, http://h.test/comma,name,.png 2x">`},
		{"meta refresh", `<meta http-equiv="refresh" content="0; url=index.html">`,
			`<meta http-equiv="refresh" content="0; url=http://h.test/">`},
		{"style attributes and elements",
			`<p style="a:url('img/a.png')"><style>@import "css/a.css";b{c:url(img/sp%20ace.png)}</style>`,
			`<p style="a:url('http://h.test/img/a.png')"><style>@import "http://h.test/css/a.css";` +
				`b{c:url(http://h.test/img/sp%20ace.png)}</style>`},
		{"noscript and conditional comments",
			`<noscript><img src=img/a.png></noscript><!--[if IE]><img src=img/a.png><![endif]-->`,
			`<noscript><img src=http://h.test/img/a.png></noscript><!--[if IE]><img src=http://h.test/img/a.png>` +
				`<![endif]-->`},
		{"a URL that was not mirrored",
			`<a href="../external.html?link=http://far.test/?a=1&amp;b=2#c"><img ` +
				`src="../external.gif?link=https://far.test/i.gif">`,
			`<a href="http://far.test/?a=1&amp;b=2#c"><img src="https://far.test/i.gif">`},
		{"the same, after PANDAS", `<a href="/external.html?link=http://far.test/">`, `<a href="http://far.test/">`},
		{"in CSS an ampersand is no reference",
			`<style>a{b:url(http://far.test/?a=1&amp;b=2)}c{d:url("../external.html?link=http://far.test/?a&amp;` +
				`b")}</style>`,
			`<style>a{b:url(http://far.test/?a=1&b=2)}c{d:url("http://far.test/?a&b")}</style>`},
		{"a data: URL in CSS is left alone", `<style>a{b:url("data:image/svg+xml,<svg>&amp;</svg>")}</style>`,
			`<style>a{b:url("data:image/svg+xml,<svg>&amp;</svg>")}</style>`},
		{"option -K5, of a host with a port", `<a href="http://h.test_8080/index.html?x#y">`,
			`<a href="http://h.test:8080/#y">`},
		{"a link that is already correct",
			`<a href="http://h.test/page681a.html"><a href="/sub/"><a href="//x/y"><a href="#f"><a href=""><a ` +
				`href="mailto:a@b.c"><a href="javascript:void(0)">`, ""},
		{"an empty base, as it is left", `<base ><a href="index.html">`, `<base ><a href="http://h.test/">`},
		{"scripts and comments", `<script>var a="index.html"</script><!-- <a href="index.html"> -->`, ""},
	} {
		want := tt.want
		if want == "" {
			want = tt.in
		}
		got, r := rewrite(t, tt.in, page(HTTrack, "h.test/start.html"))
		if got != want || r.Unresolved > 0 {
			t.Errorf("%s: %s\n gives %s\n not   %s, %+v", tt.name, tt.in, got, want, r)
		}
	}
}

func TestLinksFromAFolder(t *testing.T) {
	got, _ := rewrite(t, `<a href="../../index.html"><a href="leaf.html"><a href="../index.html">`,
		page(HTTrack, "h.test/sub/deep/leaf.html"))
	if want := `<a href="http://h.test/"><a href="http://h.test/sub/deep/leaf.html"><a ` +
		`href="http://h.test/sub/">`; got != want {
		t.Error(got)
	}
}

func TestLinksForAProxy(t *testing.T) {
	in := `<a href="http://h.test/page681a.html?id=1#f"><a href="http://h.test/img/sp ace.png"><a ` +
		`href="http://gone.test/">`
	want := `<a href="http://h.test/page?id=1#f"><a href="http://h.test/img/sp%20ace.png"><a href="http://gone.test/">`
	if got, _ := rewrite(t, in, page(HTTrackProxy, "h.test/start.html")); got != want {
		t.Error(got)
	}
	if got, _ := rewrite(t, in, page(HTTrack, "h.test/start.html")); got != in {
		t.Error(got)
	}
}

func TestLinksOfWget(t *testing.T) {
	for in, want := range map[string]string{
		`<a href="page%3Fa=1&amp;b=2.html#f">`: `<a href="http://h.test/page?a=1&amp;b=2#f">`,
		`<a href="page?id=1#f">`:               `<a href="http://h.test/page?id=1#f">`,
		`<img src='img/sp&#32;ace.png'>`:       `<img src='http://h.test/img/sp%20ace.png'>`,
		`<base href=""><a href="index.html">`:  `<base href=""><a href="http://h.test/">`,
		`<a href="http://h.test/page681a.html"><a href="../external.html?link=http://far.test/">`:  `<a href="http://h.test/page681a.html"><a href="../external.html?link=http://far.test/">`,
		`<!-- Mirrored from h.test/start.html by HTTrack Website Copier/3.x [XR&CO'2014], Fri -->`: `<!-- Mirrored from h.test/start.html by HTTrack Website Copier/3.x [XR&CO'2014], Fri -->`,
	} {
		if got, _ := rewrite(t, in, page(Wget, "h.test/start.html")); got != want {
			t.Errorf("%s gives %s", in, got)
		}
	}
}

func TestPlainLinks(t *testing.T) {
	for in, want := range map[string]string{
		`<a href="sub/">`:               `<a href="http://h.test/sub/">`,
		`<a href="index-2.html?x=1#f">`: `<a href="http://h.test/index.html?x=1#f">`,
		`<a href="page%3Fid=1">`:        `<a href="http://h.test/page?id=1">`,
	} {
		if got, _ := rewrite(t, in, page(Plain, "h.test/start.html")); got != want {
			t.Errorf("%s gives %s", in, got)
		}
	}
}

func TestStyleSheets(t *testing.T) {
	p := page(HTTrack, "h.test/css/a.css")
	p.MIME = "text/css; charset=utf-8"
	in := "@import \"a.css\";\nb{background:url(../img/sp%20ace.png)}c{d:url( '../img/%c3%a9.png' ) " +
		"url(../pageb3c4.html?a=1&amp;b=2)}e{f:url(http://far.test/?a&amp;b)}"
	want := "@import \"http://h.test/css/a.css\";\nb{background:url(http://h.test/img/sp%20ace.png)}c{d:url( " +
		"'http://h.test/img/%C3%A9.png' ) url(http://h.test/page?a=1&b=2)}e{f:url(http://far.test/?a&b)}"
	if got, r := rewrite(t, in, p); got != want || r.Changed != 5 {
		t.Errorf("%s, %+v", got, r)
	}
}

func TestBase(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`<base href="http://h.test/sub/"><a href="index.html">`, ""}, // the links are unchanged from the web
		{`<base href="/sub/"><a href="index.html">`, ""},
		{`<base href="sub/"><a href="index.html"><a href="../index.html">`,
			`<base href="sub/"><a href="http://h.test/sub/"><a href="http://h.test/">`},
		{`<base href="sub/deep/x.html"><a href="leaf.html">`,
			`<base href="sub/deep/x.html"><a href="http://h.test/sub/deep/leaf.html">`},
		{`<base href="sub/"><base href="img/"><a href="index.html">`,
			`<base href="sub/"><base href="img/"><a href="http://h.test/sub/">`},
		{`<!--[if IE]><base href="http://x/"><![endif]--><a href="index.html">`,
			`<!--[if IE]><base href="http://x/"><![endif]--><a href="http://h.test/">`},
	} {
		want := tt.want
		if want == "" {
			want = tt.in
		}
		if got, r := rewrite(t, tt.in, page(Plain, "h.test/start.html")); got != want || r.LateBase {
			t.Errorf("%s gives %s, %+v", tt.in, got, r)
		}
	}
	if _, r := rewrite(t, `<a href="index.html"><base href="sub/">`, page(Plain, "h.test/start.html")); !r.LateBase {
		t.Error("the late base is not reported")
	}
}

func TestWhatCannotBeTurnedBackStays(t *testing.T) {
	prove.Serial(t)
	in := `<a href="gone.html?a&b#c"><a href="?q"><a href="../../../etc/passwd"><a href="file:///C:/x"><a ` +
		`href="C:\x"><a href="` + strings.Repeat("x", htmllink.MaxValue+1) + `">`
	got, r := rewrite(t, in, page(HTTrack, "h.test/start.html"))
	if got != in || r.Unresolved != 6 || len(r.List) != 6 {
		t.Fatalf("%.200s, %d unresolved", got, r.Unresolved)
	}
	for i, want := range []Reason{NotSaved, QueryAlone, LeadsOut, LocalFile, LocalFile, TooLong} {
		u := r.List[i]
		if u.Reason != want || !strings.HasPrefix(in[u.Offset:], u.Raw) || in[u.Offset-1] != '"' ||
			len(u.Raw) > MaxRaw {
			t.Errorf("%d: %+v, and should be: %s", i, u, want)
		}
	}
	many, r := rewrite(t, strings.Repeat("<a href=gone>", MaxList+5), page(HTTrack, "h.test/start.html"))
	if r.Unresolved != MaxList+5 || len(r.List) != MaxList || len(many) != 13*(MaxList+5) {
		t.Error(r.Unresolved, len(r.List))
	}
}

const date = "Fri, 20 Nov 2026 21:17:23 GMT"

func foot(url string) string {
	return "<!-- Mirrored from " + url + " by HTTrack Website Copier/3.x [XR&CO'2014], " + date + " -->"
}

func TestInsertions(t *testing.T) {
	const added = `<!-- Added by HTTrack --><meta http-equiv="content-type" content="text/html;charset=utf-8" /><!-- ` +
		`/Added by HTTrack -->`
	const bare = `<meta http-equiv="content-type" content="text/html;charset=iso-8859-1">`
	own, other := foot("h.test/start.html"), foot("h.test/other.html")
	for _, tt := range []struct {
		name, in, want string
		removed        int
	}{
		{"3.49", "<html>\n" + own + "\n" + added + "\n<head></head>\n" + own + "\n</html>\n",
			"<html><head></head></html>\n", 3},
		{"with CR LF", "<html>\r\n\r\n" + own + "\r\n<head></head>\r\n\r\n" + own + "\r\n</html>",
			"<html>\r\n<head></head>\r\n</html>", 2},
		{"line ends of the page's own stay", "<html>\n\n" + own + "\n\n<head>", "<html>\n\n<head>", 1},
		{"an empty footer", "<html>\n" + added + "\n<head>", "<html>\n<head>", 1},
		{"3.33", "<html>\n" + own + "\n" + strings.Replace(added, " />", ">", 1) + "\n<head>", "<html><head>", 2},
		{"3.30", "<html>\n" + own + "\n" + bare + "\n<HEAD></head>\n" + own + "\n" + bare + "\n</html>",
			"<html><HEAD></head></html>", 4},
		{"a meta element of the page's own", "<html>\n" + own + "\n" + bare + "\n<title>",
			"<html>" + bare + "\n<title>", 1},
		{"with the scheme, of 2026", "<html>\n" + foot("http://h.test/start.html") + "\n<head>", "<html><head>", 1},
		{"escapes", "<html>\n" + foot("h.test/%73tart.html") + "\n<head>", "<html><head>", 1},
		{"at the very beginning", own + "\n<head>", "<head>", 1},
		{"and at the end", "<body>\n" + own, "<body>", 1},
		{"of another page, which this one was made from", "<html>\n" + other + "\n<head>", "", 0},
		{"a comment that only looks like it", "<html>\n<!-- Mirrored from h.test/start.html by hand -->\n<head>", "",
			0},
		{"something else between", "<!-- Added by HTTrack --><b></b><!-- /Added by HTTrack -->", "", 0},
		{"an end without a beginning", "<!-- /Added by HTTrack -->\n", "", 0},
		{"a beginning without an end", "<!-- Added by HTTrack -->\n<a href=index.html>" + strings.Repeat(" x", 2000),
			"<!-- Added by HTTrack -->\n<a href=http://h.test/>" + strings.Repeat(" x", 2000), 0},
		{"a link right behind", own + "\n<a href=index.html>", "<a href=http://h.test/>", 1},
		{"in a script", "<script>" + own + "</script>", "", 0},
	} {
		want := tt.want
		if want == "" {
			want = tt.in
		}
		got, r := rewrite(t, tt.in, page(HTTrack, "h.test/start.html"))
		if got != want || r.Insertions != tt.removed {
			t.Errorf("%s: %q\n gives %q\n not   %q, %d removed", tt.name, tt.in, got, want, r.Insertions)
		}
	}
}

func TestFootersOfUsers(t *testing.T) {
	for _, tt := range []struct {
		template, comment string
		removed           int
	}{
		{"<!-- Copy of %s%s, %s -->", "<!-- Copy of h.test/start.html, " + date + " -->", 1},
		{"<!-- Copy of {url} -->", "<!-- Copy of http://h.test/start.html -->", 1},
		{"<!-- %s by us, {date} -->", "<!-- x by us, y -->", 1},
		{"<!-- ours -->", "<!-- ours -->", 1},
		{"<!-- ours -->", "<!-- theirs -->", 0},
		{"<!-- Copy of %s%s, %s -->", "<!-- Copy of h.test/start.html -->", 0},
		{"<!-- a%sa -->", "<!-- a -->", 0},
		{"<!-- Copy of %s%s, %s -->", foot("h.test/start.html"), 0},
		{"Copy of %s", "Copy of h.test/start.html", 0},
	} {
		p := page(HTTrack, "h.test/start.html")
		p.Footer = tt.template
		in := "<html>\n" + tt.comment + "\n<head>"
		want := in
		if tt.removed > 0 {
			want = "<html><head>"
		}
		if got, r := rewrite(t, in, p); got != want || r.Insertions != tt.removed {
			t.Errorf("%s, %s: %q, %d", tt.template, tt.comment, got, r.Insertions)
		}
	}
}

func TestOriginalLinksStay(t *testing.T) {
	in := "<html>\n" + foot("h.test/start.html") + "\n<head><a href=index.html><img src=img/a.png?v=1>"
	got, r := rewrite(t, in, page(HTTrackOriginal, "h.test/start.html"))
	if got != "<html><head><a href=index.html><img src=img/a.png?v=1>" || r.Kept != 2 || r.Insertions != 1 {
		t.Errorf("%s, %+v", got, r)
	}
}

func TestAnotherQueryIsNoSavedFile(t *testing.T) {
	p := page(HTTrack, "h.test/start.html")
	in := `<img src="img/a.png?v=1"><a href="page681a.html?id=1"><a href="same.html?%69d=1"><a ` +
		`href="sub/index.html?old=1">`
	// The last one leads through a redirect.
	want := `<img src="img/a.png?v=1"><a href="http://h.test/page?id=1"><a href="http://h.test/same.html?id=1"><a ` +
		`href="http://h.test/sub/">`
	got, r := rewrite(t, in, p)
	if got != want || len(r.List) != 1 || r.List[0].Reason != QueryDiffers {
		t.Errorf("%s, %+v", got, r)
	}
}

func TestWhatIsNotRewritten(t *testing.T) {
	p := page(HTTrack, "h.test/a.js")
	p.MIME = "application/javascript"
	if _, err := Rewrite(&bytes.Buffer{}, strings.NewReader("x"), p); !errors.Is(err, ErrMIME) {
		t.Error(err)
	}
	p.MIME = "text/html; charset"
	if _, err := Rewrite(&bytes.Buffer{}, strings.NewReader("\xff\xfex\x00"), p); !errors.Is(err, htmllink.ErrUTF16) {
		t.Error(err)
	}
	broken := errors.New("broken")
	if _, err := Rewrite(&bytes.Buffer{}, iotest.ErrReader(broken), p); !errors.Is(err, broken) {
		t.Error(err)
	}
	if _, err := Rewrite(full{}, strings.NewReader("<a href=x>"), p); !errors.Is(err, errFull) {
		t.Error(err)
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestMemoryIsBounded(t *testing.T) {
	parts := []string{"<!-- " + strings.Repeat("x", 1<<20) + " -->",
		"<a title='" + strings.Repeat("y", 2*htmllink.MaxTag) + "'>",
		"<script>" + strings.Repeat("z", 1<<20) + "</script>", strings.Repeat("text ", 1<<18),
		"<style>/*" + strings.Repeat("c", 1<<20) + "*/</style>",
		"<!-- Added by HTTrack -->" + strings.Repeat("text ", 1<<18),
		"<noscript>" + strings.Repeat("text ", 1<<18) + "</noscript>"}
	for _, part := range parts {
		w := &watched{}
		in := part + "<a href=index.html>"
		p := page(HTTrack, "h.test/start.html")
		e := lookahead.NewEditor(w, strings.NewReader(in), kept)
		wr := &writer{page: p, edit: e}
		w.e = e
		if err := wr.html(htmllink.Options{}); err != nil {
			t.Fatal(err)
		}
		if bound := htmllink.MaxTag + 1<<17; w.most > bound || part[1] != 'a' && w.most > 1<<17 {
			t.Errorf("%.20s: %d bytes were held", part, w.most)
		}
		if want := part + "<a href=http://h.test/>"; w.b.String() != want {
			t.Errorf("%.20s: other bytes", part)
		}
	}
}

type watched struct {
	b    bytes.Buffer
	e    *lookahead.Editor
	most int
}

func (w *watched) Write(p []byte) (int, error) {
	w.most = max(w.most, int(w.e.End()-w.e.Base()))
	return w.b.Write(p)
}

// FuzzRewrite checks that a rewritten document has the same links, each unchanged or absolute.
// Without any saved file the document is unchanged.
func FuzzRewrite(f *testing.F) {
	for _, doc := range []string{`<a href="index.html?x#f"><img srcset="img/a.png,img/a.png 2x"><p ` +
		`style="a:url(img/a.png)">`, "<html>\n" + foot("h.test/start.html") + "\n<head>",
		`<style>@import "css/a.css";</style><base href=sub/>`, `<iframe srcdoc="<a href='index.html'>">`,
		`<a href=&index.html&amp;><meta http-equiv=refresh content="0;index.html">`} {
		f.Add([]byte(doc), uint8(1))
	}
	f.Fuzz(func(t *testing.T, doc []byte, style uint8) {
		p := page(Style(style%5), "h.test/start.html")
		var out bytes.Buffer
		r, err := Rewrite(&out, bytes.NewReader(doc), p)
		if err != nil {
			return
		}
		if r.Links != r.Changed+r.Kept+r.Unresolved {
			t.Fatalf("%+v", r)
		}
		if r.Changed == 0 && r.Insertions == 0 && !bytes.Equal(out.Bytes(), doc) {
			t.Fatalf("%q became %q", doc, out.Bytes())
		}
		if !bytes.Contains(doc, []byte("<!--")) && !bytes.Contains(doc, []byte{0x1b}) {
			if a, b := count(doc), count(out.Bytes()); a != b {
				t.Fatalf("%d links in %q, %d in %q", a, doc, b, out.Bytes())
			}
		}
	})
}

func count(doc []byte) int {
	s := htmllink.NewScanner(bytes.NewReader(doc), htmllink.Options{})
	for n := 0; ; n++ {
		if _, err := s.Next(); err != nil {
			return n
		}
	}
}

func BenchmarkRewrite(b *testing.B) {
	doc := []byte("<html>\n" + foot("h.test/start.html") + "\n<head></head>" +
		strings.Repeat(`<div class="item"><p>Some words of text that a page has between its <b>tags</b>, which goes `+
			`on `+
			`for a line or two before there is another link.</p><a class="more" href="page681a.html?id=1">more</a> `+
			`<img `+
			`src="img/a.png" width="200"></div>`+"\n", 2000))
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	p := page(HTTrack, "h.test/start.html")
	for b.Loop() {
		if _, err := Rewrite(io.Discard, bytes.NewReader(doc), p); err != nil {
			b.Fatal(err)
		}
	}
}
