package rewrite

import (
	"fmt"
	"strings"
	"testing"

	"quire/format/htmllink"
)

// TestInner checks that the document in a srcdoc is rewritten as one of its own: links, scripts, handlers, and our
// script.
func TestInner(t *testing.T) {
	const head = `<script data-quire="x"></script>`
	const escaped = `<script data-quire=&quot;x&quot;></script>`
	for _, tt := range []struct{ name, charset, in, want string }{
		{"a page", "", `<head><iframe srcdoc="<p>é<a href=/b>">`, `<iframe srcdoc="` + escaped +
			`<p>&#233;<a href=$mp/http://a.example/b>">`},
		{"its head", "utf-8", `<head><iframe srcdoc='<!doctype html><html><head><title>é'>`,
			`<iframe srcdoc='<!doctype html><html><head><script data-quire="x"></script><title>é'>`},
		{"Latin-1", "iso-8859-1", "<head><iframe srcdoc=\"\xe9&eacute;&#8364;\">",
			`<iframe srcdoc="` + escaped + `&#233;&#233;&#8364;">`},
		{"a script", "utf-8", `<head><iframe srcdoc="<script>// a&#10;x(location.host)</script>">`,
			"<iframe srcdoc=\"" + escaped + "<script>// a\n" + defined + "x(quire$location.host)</script>\">"},
		{"a handler", "utf-8", `<head><iframe srcdoc="<a onclick='x(location)'>">`,
			`<iframe srcdoc="` + escaped + `<a onclick='x(quire$location)'>">`},
		{"the base of the page", "utf-8", `<head><base href="http://b.example/x/"><iframe srcdoc="<img src=y>">`,
			`<iframe srcdoc="` + escaped + `<img src=$im/http://b.example/x/y>">`},
		{"its own base", "utf-8", `<head><iframe srcdoc="<base href=/x/><img src=y>"></iframe><img src=z>`,
			`<iframe srcdoc="` + escaped + `<base href=$mp/http://a.example/x/><img src=$im/http://a.example/x/y>">` +
				`</iframe><img src=$im/http://a.example/dir/z>`},
		{"a sandbox", "utf-8", `<head><iframe srcdoc="<script src=/b>location</script>" sandbox>`,
			`<iframe srcdoc="<script src=$js/http://a.example/b>location</script>" sandbox>`},
		{"a sandbox of the page", "utf-8", `<head><iframe sandbox='allow-scripts Allow-Same-Origin' srcdoc="x">`,
			`<iframe sandbox='allow-scripts Allow-Same-Origin' srcdoc="` + escaped + `x">`},
		{"without quotes", "utf-8", `<head><iframe srcdoc=<a&#32;href=/b&#9;&gt;></iframe>`,
			`<iframe srcdoc=` + strings.NewReplacer(" ", "&#32;", "=", "&#61;", "<", "&#60;", ">", "&#62;").
				Replace(escaped+"<a href=$mp/http://a.example/b") + "&#9;&#62;></iframe>"},
		{"in itself", "utf-8", `<head><iframe srcdoc="<iframe srcdoc='<a href=/b>'>">`,
			`<iframe srcdoc="` + escaped + `<iframe srcdoc='` + escaped + `<a href=$mp/http://a.example/b>'>">`},
		{"not of the element", "utf-8", `<head><p srcdoc="<a href=/b>">`, `<p srcdoc="<a href=/b>">`},
		{"again", "utf-8", `<head><iframe srcdoc="a" srcdoc="b">`, `<iframe srcdoc="` + escaped + `a" srcdoc="b">`},
	} {
		rw := Rewriter{Scripts: true, Head: []byte(head), ContentType: "text/html; charset=" + tt.charset}
		got := rewritten(t, rw, HTML, tt.in)
		got = got[strings.Index(got, "</script>")+len("</script>"):]
		if i := strings.Index(got, ">"); strings.HasPrefix(got, "<base") {
			got = got[i+1:]
		}
		if want := unfold(tt.want); got != want {
			t.Errorf("%s: %s\n%s, not\n%s", tt.name, tt.in, got, want)
		}
	}
}

// TestInnerOfXHTML checks that the value of the attribute stays well-formed, with its ends of lines.
func TestInnerOfXHTML(t *testing.T) {
	const in = `<html xmlns="http://www.w3.org/1999/xhtml"><head></head><body><iframe ` +
		`srcdoc="&lt;script&gt;// a&#10;x(location)&lt;/script&gt;"/></body></html>`
	got := rewritten(t, Rewriter{Scripts: true, Head: []byte("HEAD"), ContentType: "application/xhtml+xml"}, XML, in)
	want := `<html xmlns="http://www.w3.org/1999/xhtml"><head>HEAD</head><body><iframe ` +
		`srcdoc="HEAD&lt;script>// a&#10;` +
		strings.NewReplacer("&", "&amp;").Replace(defined) + `x(quire$location)&lt;/script>"/></body></html>`
	if got != want {
		t.Errorf("%s, not\n%s", got, want)
	}
}

// TestInnerBounds checks that frames cannot make a page much longer, and that deep ones stay.
func TestInnerBounds(t *testing.T) {
	rw := Rewriter{Scripts: true, Head: []byte("HEAD")}
	got := rewritten(t, rw, HTML, strings.Repeat("<iframe srcdoc=x></iframe>", 3*maxHeads))
	if n := strings.Count(got, "HEAD"); n != maxHeads+1 {
		t.Errorf("%d documents have our script", n)
	}
	deep := "<a href=/b>"
	for range maxInner + 1 {
		deep = `<iframe srcdoc="` + string((&htmllink.Link{Quote: '"'}).AppendText(nil, []byte(deep))) + `">`
	}
	if got := rewritten(t, rw, HTML, deep); strings.Count(got, "HEAD") != maxInner+1 {
		t.Error(fmt.Sprint("nested: ", got))
	}
}
