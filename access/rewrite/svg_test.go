package rewrite

import (
	"strings"
	"testing"
)

// TestSVGScripts checks the text of scripts of SVG in HTML: it has sections and references, and other signs stay.
func TestSVGScripts(t *testing.T) {
	for in, want := range map[string]string{
		`x(location)`:                      defined + `x(quire$location)`,
		`<![CDATA[x("</b>", location)]]>`:  `<![CDATA[` + defined + `x("</b>", quire$location)]]>`,
		`a &lt; b &amp;&amp; x(location)`:  defined + `a &lt; b &amp;&amp; x(quire$location)`,
		`x(&quot;location&#34;, location)`: defined + `x(&quot;location&#34;, quire$location)`,
		`a && b & c && location`:           defined + `a && b & c && quire$location`,
		`a < b && 1 <2 && location`:        defined + `a < b && 1 <2 && quire$location`,
		`a &top&lt;location`:               defined + `a &quire$top&lt;quire$location`,
		`x("<b>", location)`:               `x("<b>", location)`, // an element ends the text
		`a &lt location`:                   `a &lt location`,
		`<!-- a --> location`:              `<!-- a --> location`,
	} {
		in, want = "<svg><script>"+in+"</script></svg>", "<svg><script>"+want+"</script></svg>"
		got := rewritten(t, Rewriter{Scripts: true, Head: []byte("<i>")}, HTML, "<head>"+in)
		if got = strings.TrimPrefix(got, "<head><i>"); got != want {
			t.Errorf("%s\n%s, not\n%s", in, got, want)
		}
	}
}

// TestSVGDocuments checks that a document of SVG gets our script, and that its scripts are marked.
func TestSVGDocuments(t *testing.T) {
	const doctype = `<?xml version="1.0"?><!-- a --><!DOCTYPE svg PUBLIC "a" "b" [<!ENTITY a "b>">] >` + "\n"
	const head, ours = `<script src="/x"></script>`, `<script xmlns="http://www.w3.org/1999/xhtml" src="/x"></script>`
	for in, want := range map[string]string{
		doctype + `<svg xmlns="a>b"><script xlink:href="/d"/><script>x(location)</script></svg>`: doctype +
			`<svg xmlns="a>b">` + ours + `<script xlink:href="$js/http://a.example/d"/><script>` +
			defined + `x(quire$location)</script></svg>`,
		`<svg onload="x(location)"><a href="/e"/></svg>`: `<svg onload="x(quire$location)">` + ours +
			`<a href="$mp/http://a.example/e"/></svg>`,
		`<svg/>`: `<svg/>`,
		`<s:svg><s:script>location</s:script></s:svg>`:      `<s:svg><s:script>location</s:script></s:svg>`,
		`<feed><svg><script>location</script></svg></feed>`: `<feed><svg><script>location</script></svg></feed>`,
	} {
		got := rewritten(t, Rewriter{Scripts: true, Head: []byte(head)}, XML, in)
		if got != unfold(want) {
			t.Errorf("%s\n%s, not\n%s", in, got, unfold(want))
		}
	}
}
