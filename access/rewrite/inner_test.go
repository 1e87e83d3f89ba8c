package rewrite

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

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
		{"a sandbox by references", "utf-8", `<head><iframe sandbox="x&#9;allow-same-&#111;rigin" srcdoc="x">`,
			`<iframe sandbox="x&#9;allow-same-&#111;rigin" srcdoc="` + escaped + `x">`},
		{"a longer word", "utf-8", `<head><iframe sandbox="allow-same-origins" srcdoc="x">`,
			`<iframe sandbox="allow-same-origins" srcdoc="x">`},
		{"the mark of UTF-16", "utf-8", "<head><iframe srcdoc='\xff\xfe<a href=/b>'>",
			"<iframe srcdoc='" + head + "\uFFFD<a href=$mp/http://a.example/b>'>"},
		{"a sandbox of the page", "utf-8", `<head><iframe sandbox='allow-scripts Allow-Same-Origin' srcdoc="x">`,
			`<iframe sandbox='allow-scripts Allow-Same-Origin' srcdoc="` + escaped + `x">`},
		{"without quotes", "utf-8", `<head><iframe srcdoc=<a&#32;href=/b&#9;&gt;></iframe>`,
			`<iframe srcdoc=` + strings.NewReplacer(" ", "&#32;", "=", "&#61;").
				Replace(escaped+"<a href=$mp/http://a.example/b") + "&#9;>></iframe>"},
		{"in itself", "utf-8", `<head><iframe srcdoc="<iframe srcdoc='<a href=/b>'>">`,
			`<iframe srcdoc="` + escaped + `<iframe srcdoc='` + escaped + `<a href=$mp/http://a.example/b>'>">`},
		{"not of the element", "utf-8", `<head><p srcdoc="<a href=/b>">`, `<p srcdoc="<a href=/b>">`},
		{"again", "utf-8", `<head><iframe srcdoc="a" srcdoc="b">`, `<iframe srcdoc="` + escaped + `a" srcdoc="b">`},
	} {
		rw := Rewriter{Scripts: true, Head: []byte(head), Inner: []byte(head),
			ContentType: "text/html; charset=" + tt.charset}
		got := rewritten(t, rw, HTML, tt.in)
		got = got[strings.Index(got, "</script>")+len("</script>"):]
		if i := strings.Index(got, ">"); strings.HasPrefix(got, "<base") {
			got = got[i+1:]
		}
		got = unescaped.Replace(got)
		if want := unfold(tt.want); got != want {
			t.Errorf("%s: %s\n%s, not\n%s", tt.name, tt.in, got, want)
		}
	}
}

// unescaped has the < and > of a srcdoc in a srcdoc.
var unescaped = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;lt;", "<", "&amp;gt;", ">")

// TestInnerOfXHTML checks that the value of the attribute stays well-formed, with its ends of lines: of those in the
// value itself, XML makes spaces.
func TestInnerOfXHTML(t *testing.T) {
	const in = `<html xmlns="http://www.w3.org/1999/xhtml"><head></head><body><iframe ` +
		"srcdoc=\"a\r\nb\tc\rd&lt;script&gt;// a&#10;x(location)&lt;/script&gt;\"/></body></html>"
	rw := Rewriter{Scripts: true, Head: []byte("HEAD"), Inner: []byte("INNER"), ContentType: "application/xhtml+xml"}
	got := rewritten(t, rw, XML, in)
	want := `<html xmlns="http://www.w3.org/1999/xhtml"><head>HEAD</head><body><iframe ` +
		`srcdoc="INNERa b c d&lt;script&gt;// a&#10;` +
		strings.NewReplacer("&", "&amp;", ">", "&gt;").Replace(defined) +
		`x(quire$location)&lt;/script&gt;"/></body></html>`
	if got != want {
		t.Errorf("%s, not\n%s", got, want)
	}
}

// TestInnerBounds checks that frames cannot make a page much longer, and that deep ones stay.
func TestInnerBounds(t *testing.T) {
	rw := Rewriter{Scripts: true, Head: []byte("HEAD"), Inner: bytes.Repeat([]byte("H"), maxHeads/8)}
	in := strings.Repeat("<iframe srcdoc=x></iframe>", 100)
	if got := rewritten(t, rw, HTML, in); len(got) > len(in)+maxHeads+100 || len(got) < maxHeads {
		t.Errorf("%d bytes", len(got))
	}
	rw.Inner = []byte("INNER")
	deep := "<a href=/b>"
	for range maxInner + 1 {
		deep = `<iframe srcdoc="` + string((&htmllink.Link{Quote: '"'}).AppendText(nil, []byte(deep))) + `">`
	}
	if got := rewritten(t, rw, HTML, deep); strings.Count(got, "INNER") != maxInner {
		t.Error(fmt.Sprint("nested: ", got))
	}
}

// TestTextStaysText checks that no link that is written ends the text or the comment around it: a page has no more
// scripts than its capture, with and without scripting.
func TestTextStaysText(t *testing.T) {
	rw := Rewriter{Scripts: true, Head: []byte("HEAD"), Inner: []byte("INNER"), ContentType: "text/html; charset=utf-8"}
	const run = "&lt;script&gt;a&lt;/script&gt;"
	attributes := []string{`<iframe srcdoc="&lt;/%s&gt;` + run + `">`, `<iframe srcdoc='--&gt;&lt;/%s&gt;` + run + `'>`,
		`<iframe srcdoc=--!&gt;&lt;/%s&gt;` + run + `>`, `<a href="javascript:x('&lt;/%s&gt;` + run + `', location)">`,
		`<a onclick="x(location, '&lt;/%s&gt;--&gt;` + run + `')">`,
		`<a href=javascript:location+'--&gt;&lt;/%s&gt;` + run + `'>`,
		`<a href=/&#45;&#45;><script>%s</script>`, `<a href=/&#45;&#45;!><script>%s</script>`,
		`<a onclick=location&#45;&#45;><script>%s</script>`}
	for _, name := range []string{"noscript", "iframe", "noframes", "noembed", "textarea", "title", "xmp", "style",
		"script", "svg", "math", ""} {
		for _, attribute := range attributes {
			in := fmt.Sprintf("<body><"+name+">"+attribute+"</"+name+">", name)
			if name == "" {
				in = "<body><!--[if IE]>" + fmt.Sprintf(attribute, name) + "<![endif]-->"
			}
			out := rewritten(t, rw, HTML, in)
			for _, scripting := range []bool{true, false} {
				if was, is := scriptsIn(t, in, scripting), scriptsIn(t, out, scripting); is != was {
					t.Errorf("scripting %t: %d scripts, and were %d:\n%s\n%s", scripting, is, was, in, out)
				}
			}
		}
	}
}

func scriptsIn(t *testing.T, page string, scripting bool) (n int) {
	t.Helper()
	doc, err := html.ParseWithOptions(strings.NewReader(page), html.ParseOptionEnableScripting(scripting))
	if err != nil {
		t.Fatal(err)
	}
	for e := range doc.Descendants() {
		if e.Type == html.ElementNode && e.Data == "script" {
			n++
		}
	}
	return n
}

// TestDeclarations checks that a mark within a doctype's declarations does not end them.
func TestDeclarations(t *testing.T) {
	rw := Rewriter{Scripts: true, Head: []byte("HEAD"), ContentType: "image/svg+xml"}
	for _, doctype := range []string{`<!DOCTYPE svg [<!ENTITY a "]><svg >">]>`, `<!DOCTYPE svg [<!--"]><svg >-->]>`,
		`<!DOCTYPE svg [<?a ]><svg >?>]>`, `<!DOCTYPE svg SYSTEM "a[>" [<!ENTITY b ']'>] >`, `<?a ><svg >?>`, ""} {
		if got, want := rewritten(t, rw, XML, doctype+"<svg />"), doctype+"<svg />"; got != want {
			t.Errorf("%s, not %s", got, want)
		}
		if got, want := rewritten(t, rw, XML, doctype+"<svg >"), doctype+"<svg >HEAD"; got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
	const open = `<!DOCTYPE svg [<!ENTITY a "]><svg >`
	if got := rewritten(t, rw, XML, open); got != open {
		t.Error(got)
	}
}
