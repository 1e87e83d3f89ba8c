package rewrite

import (
	"strings"
	"testing"
	"unicode/utf16"
)

const xhtml = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head>HEAD`

// TestScriptsInXML: scripts of XHTML are marked in sections, outside of them, and in attributes; their text stays
// well-formed. Text with other markup, and documents without page.js, stay.
func TestScriptsInXML(t *testing.T) {
	for _, one := range [][2]string{
		{`<script>location.host</script>`,
			`<script>@quire$location.host</script>`},
		{"<script>//<![CDATA[\na < b && top\n//]]></script>",
			"<script>//<![CDATA[\n@a < b && quire$top\n//]]></script>"},
		{`<script><![CDATA[top]]></script>`,
			`<script><![CDATA[@quire$top]]></script>`},
		{`<script>a &lt; b &amp;&amp; top &#60; 1</script>`,
			`<script>@a &lt; b &amp;&amp; quire$top &#60; 1</script>`},
		{`<script>a &lt; "&#60;" + x.location</script>`,
			`<script>@a &lt; "&#60;" + quire$of(x).location</script>`},
		{`<script>x.&#108;ocation</script>`, ``},
		{`<script><!-- top --></script>`, ``},
		{`<script>top<b/></script>`, ``},
		{`<script>top &unknown; x</script>`, ``},
		{`<script>top &amp</script>`, ``},
		{`<script><![CDATA[top</script>`, ``},
		{`<p onclick="a &amp;&amp; location.reload('&lt;')"/>`,
			`<p onclick="a &amp;&amp; quire$location.reload('&lt;')"/>`},
		{`<script type="text/template">location</script><p title="x"/>`, ``},
	} {
		in, want := one[0], one[1]
		if want == "" {
			want = in
		}
		doc := strings.ReplaceAll(xhtml, "HEAD", "") + in + `</head></html>`
		want = strings.ReplaceAll(xhtml+want, "@", defined) + `</head></html>`
		if got := rewritten(t, Rewriter{Head: []byte("HEAD"), Scripts: true}, XML, doc); got != want {
			t.Errorf("%s\n%s, not\n%s", in, got, want)
		}
	}
	for _, doc := range []string{
		`<feed xmlns:h="http://www.w3.org/1999/xhtml"><h:script>location.host</h:script></feed>`,
		`<html xmlns="http://www.w3.org/1999/xhtml"><body><script>top</script></body></html>`} {
		if got := rewritten(t, Rewriter{Head: []byte("HEAD"), Scripts: true}, XML, doc); got != doc {
			t.Errorf("marked without page.js: %s", got)
		}
	}
}

// TestMarksAreXML: no mark needs to be escaped in XML, nor ends a section.
func TestMarksAreXML(t *testing.T) {
	src := "import.meta.url; import(x); eval(y); a.location; top; window.top.postMessage(1); location = 2; o = {top}"
	for _, m := range marksOf([]byte(src), `http://a.example/?a=1&b="<]]>é`, true) {
		if strings.ContainsAny(m.text, "<&") || strings.Contains(m.text, "]]>") {
			t.Errorf("%q", m.text)
		}
	}
}

// inUTF16 returns a text in UTF-16.
func inUTF16(text string, big bool) string {
	var b []byte
	for _, c := range utf16.Encode([]rune(text)) {
		if big {
			b = append(b, byte(c>>8), byte(c))
		} else {
			b = append(b, byte(c), byte(c>>8))
		}
	}
	return string(b)
}

// TestScriptsInUTF16: a script in UTF-16 with marks becomes UTF-8 with a byte order mark. One without marks, or with
// half a surrogate pair, stays as captured.
func TestScriptsInUTF16(t *testing.T) {
	const marked = markUTF8 + defined + `quire$location.host + "é😀"`
	const half = "\x00\xd8'\x00"
	const source = `location.host + "é😀"`
	for _, c := range []struct{ name, contentType, in, want string }{
		{"little", "", "\xff\xfe" + inUTF16(source, false), marked},
		{"big", "text/javascript", "\xfe\xff" + inUTF16(source, true), marked},
		{"by its header", "text/javascript; charset=utf-16le", inUTF16(source, false), marked},
		{"the mark wins", "text/javascript; charset=utf-8", "\xff\xfe" + inUTF16(source, false), marked},
		{"UTF-8 with a mark", "", markUTF8 + source, marked},
		{"no names", "", "\xff\xfe" + inUTF16("a()", false), "\xff\xfe" + inUTF16("a()", false)},
		{"half a pair", "", "\xff\xfe" + inUTF16("top+'", false) + half, "\xff\xfe" + inUTF16("top+'", false) + half},
		{"odd", "", "\xff\xfet", "\xff\xfet"},
	} {
		what := Sniff(Script, c.contentType, []byte(c.in))
		if what != JS {
			t.Errorf("%s: %v", c.name, what)
		}
		if got := rewritten(t, Rewriter{ContentType: c.contentType}, what, c.in); got != c.want {
			t.Errorf("%s:\n%q, not\n%q", c.name, got, c.want)
		}
	}
}
