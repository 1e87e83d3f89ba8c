package builtin

import (
	"encoding/json"
	"testing"
)

const harbour = `<!DOCTYPE html>
<html lang="nl-BE"><head><meta charset="iso-8859-1">
<title>Het havenmuseum:
  caf` + "\xe9" + `</title>
<meta property="og:title" content="Havenmuseum"><meta property="og:type" content="website">
<meta name="description" content="Boten &amp; schepen"><base href="/nl/">
</head><body><a href="boten.html">boten</a> <a href="mailto:x@a.example">schrijf</a> <iframe src="kaart.html">` +
	`</iframe></body></html>`

func TestHTML(t *testing.T) {
	var said page
	if err := json.Unmarshal([]byte(run(t, "html", nil, content([]byte(harbour), "text/html"))), &said); err != nil {
		t.Fatal(err)
	}
	if said.Title == nil || said.Title.Text != "Het havenmuseum: café" || len(said.Languages) != 1 ||
		said.Languages[0].Value.Text != "nl-BE" ||
		said.Charset.Name != "windows-1252" || len(said.Meta) != 3 || len(said.OpenGraph) != 2 ||
		said.OpenGraph[0] != (property{"og:title", "Havenmuseum"}) {
		t.Errorf("%+v", said)
	}
	const want = `title: Het havenmuseum: café
language: nl-BE (html lang)
charset: windows-1252 (meta)
base: /nl/
property og:title: Havenmuseum
property og:type: website
name description: Boten & schepen
links: 2 hyperlinks, 1 frames, 0 refreshes
`
	if got := run(t, "html", map[string]string{"output": "text"}, content([]byte(harbour), "text/html")); got != want {
		t.Errorf("%s", got)
	}
}

// The charset in the HTTP header has priority over the charset in the page.
func TestHTMLCharsetOfTheHeader(t *testing.T) {
	c := content([]byte("<meta charset=utf-8><title>\xb6\xc0</title>"), "text/html")
	c.Charset = "koi8-r"
	var said page
	if err := json.Unmarshal([]byte(run(t, "html", nil, c)), &said); err != nil || said.Title.Text != "╤ю" ||
		said.Charset.Source != "HTTP header" {
		t.Errorf("%+v, %v", said.Title, err)
	}
}

func TestWhatIsAWebPage(t *testing.T) {
	for _, c := range []struct{ content, mime, want string }{
		{"just words", "text/html", "not a web page: begins with \"just words\"\n"},
		{"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR<a", "text/html",
			"not a web page: begins with \"\\x89PNG\\r\\n\\x1a\\n\\x00\\x00\\x00\\rIHDR\"\n"},
		{"if a <b then", "text/plain", "not a web page: begins with \"if a <b then\"\n"},
		{"", "text/html", "not a web page: there are no bytes\n"},
	} {
		if got := fails(t, "html", content([]byte(c.content), c.mime)); got != c.want {
			t.Errorf("%q: %q", c.content, got)
		}
	}
	for _, c := range []struct {
		content, mime string
	}{{"<a href=x>an old page</a>", "text/html"}, {"<HTML>", "text/plain"}, {"\xff\xfe<\x00p\x00>\x00", "text/html"}} {
		run(t, "html", nil, content([]byte(c.content), c.mime))
	}
}
