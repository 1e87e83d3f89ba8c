package thumbnail

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quire/access/address"
	"quire/holdings"
	"quire/holdings/holdingstest"
)

const drawing = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE svg [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]>
<svg id="Layer_1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="480"
 height="20mm" viewBox="0 0 100 50"><style>.a{fill:#c00}</style><defs><path id="p" d="M0 0h9v9z"/></defs>
<g class="a" style="stroke:red;filter:url(#f)"><circle cx="5" cy="5" r="3"/><use xlink:href="#p"/></g>
<text x="1">Tug &amp; quay</text></svg>`

// TestSVG: a drawing has its size, and a small copy with its shapes, colours and texts.
func TestSVG(t *testing.T) {
	format, width, height, err := Size([]byte(drawing))
	if format != "svg" || width != 480 || height != 76 || err != nil {
		t.Errorf("%s, %d x %d, %v", format, width, height, err)
	}
	b, err := Shrink([]byte(drawing), Picture)
	if err != nil {
		t.Fatal(err)
	}
	wellFormed(t, b)
	for _, part := range []string{`<svg xmlns="http://www.w3.org/2000/svg" width="240" `, `viewBox="0 0 100 50"`,
		`.a{fill:#c00}`, `<circle cx="5" cy="5" r="3">`, `<use href="#p">`, "Tug &amp; quay", `style="stroke:red"`} {
		if !strings.Contains(string(b), part) {
			t.Errorf("%s is not in %s", part, b)
		}
	}
	if _, err := Shrink([]byte(drawing), Page); !errors.Is(err, ErrNone) {
		t.Errorf("a drawing for a page: %v", err)
	}
}

func wellFormed(t *testing.T, b []byte) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(string(b)))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%v in %s", err, b)
		}
	}
}

func TestSizesOfSVG(t *testing.T) {
	for attributes, want := range map[string]string{
		`viewBox="0 0 64 32"`: "64 x 32", `width="100%" viewBox="0,0,64,32"`: "64 x 32",
		`width="10" viewBox="0 0 64 32"`: "10 x 5", `height="1in" viewBox="0 0 10 10"`: "96 x 96", ``: "300 x 150",
		`width="3pt" height="3px"`: "4 x 3", `width="1e99" height="2"`: "", `viewBox="0 0 NaN 1"`: "300 x 150",
		`width="Inf" height="1"`: "", `width="-1" height="0" viewBox="0 0 7 8"`: "7 x 8",
	} {
		_, w, h, err := Size([]byte("<svg xmlns='http://www.w3.org/2000/svg' " + attributes + "/>"))
		got := fmt.Sprintf("%d x %d", w, h)
		if err != nil {
			got = ""
		}
		if got != want || err != nil && !errors.Is(err, ErrNone) {
			t.Errorf("%s: %s, want %s: %v", attributes, got, want, err)
		}
	}
}

// TestHostileSVG: nothing of a drawing runs, and nothing leads out of it.
func TestHostileSVG(t *testing.T) {
	for _, content := range []string{
		`<script>evil()</script>`, `<SCRIPT href="http://evil.example/"/>`, `<g onload="evil()"><g/></g>`,
		`<foreignObject><p xmlns="http://www.w3.org/1999/xhtml"><img src="http://evil.example/"/></p></foreignObject>`,
		`<image href="http://evil.example/x.png"/>`, `<image xlink:href="data:image/svg+xml,evil"/>`,
		`<use href="http://evil.example/#a"/>`, `<use xlink:href="data:,evil"/>`,
		`<a href="javascript:evil()"><g/></a>`,
		`<style>@import "http://evil.example/";</style>`, `<style>g{fill:url(http://evil.example/)}</style>`,
		`<style>g{fill:u\72l(http://evil.example/)}</style>`,
		`<style>g{cursor:image-set("http://evil.example/")}</style>`,
		`<style>g{fill:url(/*#*/'http://evil.example/')}</style>`,
		`<style><![CDATA[</style><script>evil()</script>]]></style>`,
		`<rect fill="url(http://evil.example/)"/>`, `<rect style="fill:url( 'http://evil.example/' )"/>`,
		`<set attributeName="href" to="javascript:evil()"/>`, `<animate attributeName="x" values="evil"/>`,
		`<iframe xmlns="http://www.w3.org/1999/xhtml" src="http://evil.example/"/>`,
		`<x:script xmlns:x="http://www.w3.org/2000/svg">evil()</x:script>`,
		`<filter id="evil"><feTurbulence/></filter>`,
		`<pattern id="evil"/>`, `<mask id="evil"/>`, `<?xml-stylesheet href="http://evil.example/"?>`, `<!-- evil -->`,
		`<g id="a"><use href="#evil"/></g>`, `<rect fill="&evil;"/>`,
		`<rect class='"&gt;evil' xml:base="http://evil.example/"/>`,
	} {
		b, err := Shrink([]byte(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" `+
			`onload="evil()">`+content+`<circle r="1"/></svg>`), Picture)
		if err != nil {
			t.Errorf("%s: %v", content, err)
			continue
		}
		wellFormed(t, b)
		text := strings.ReplaceAll(string(b), `class="&#34;&gt;evil"`, "")
		if strings.Contains(strings.ReplaceAll(text, "&lt;/style&gt;&lt;script&gt;evil()", ""), "evil") ||
			!strings.Contains(text, "<circle") || strings.Contains(text, "<script") {
			t.Errorf("%s: %s", content, b)
		}
	}
}

// TestFaithfulSVG: a part that is left out of a drawing takes nothing else with it.
func TestFaithfulSVG(t *testing.T) {
	for _, c := range []struct{ content, want, without string }{
		{`<style>.a{clip-path:url(#c);} .b{fill:#c00}</style>`, `.b{fill:#c00}`, "clip-path"},
		{`<style>/* Illustrator */ .a{fill:/**/red;filter:url(#f);stroke:blue}</style>`, `.a{fill: red;stroke:blue}`,
			"filter"},
		{`<style>@import "x"; .a{fill:red} @media print{.a{fill:blue} .b{fill:tan}} .c{fill:green}</style>`,
			`.c{fill:green}`, "tan"},
		{`<style>@font-face{font-family:x;src:url(http://x.example/)}.a{fill:red}</style>`, `.a{fill:red}`,
			"x.example"},
		{`<style>.a{fill:red}}.shadow{fill:blue}/* open .b{fill:tan}</style>`, `.shadow{fill:blue}`, "tan"},
		{`<style>.a{fi/**/lter:url(#f);fill:u/**/rl(#a)}</style>`, `fill:u rl(#a)`, "filter"},
		{`<style>.a{stroke:red;stroke-dasharray:.01px,.01;fill:none}</style>`, `.a{stroke:red;fill:none}`, "dash"},
		{`<path stroke-dasharray="0.0001" fill="red"/>`, `<path fill="red">`, "dash"},
		{`<path stroke-dasharray="calc(1px)" style="stroke-dasharray:var(--a);fill:tan"/>`, `style="fill:tan"`, "dash"},
		{`<path stroke-dasharray="0, 4"/>`, `stroke-dasharray="0, 4"`, "none"},
		{`<g clip-path="url(#%61)" fill="red"/>`, `<g fill="red">`, "clip"},
		{`<use href="#a%62" x="1"/><use href="#ab"/>`, `<use x="1"></use><use href="#ab">`, "%"},
		{`<switch><foreignObject/><text systemLanguage="de">Hallo</text><text>Hello</text></switch><text>All</text>`,
			"Hallo</text></g><text>All", "Hello"},
		{`<switch><g requiredExtensions="&ns_ai;"><text>AI</text></g><text>Hello</text></switch>`, "Hello", "AI"},
		{`<text>&copy; &Eacute;t&eacute; &lt;</text>`, "© Été &lt;", "copy"},
	} {
		b, err := Shrink([]byte(`<svg xmlns="http://www.w3.org/2000/svg">`+c.content+`</svg>`), Picture)
		if err != nil {
			t.Errorf("%s: %v", c.content, err)
			continue
		}
		wellFormed(t, b)
		if !strings.Contains(string(b), c.want) || strings.Contains(string(b), c.without) {
			t.Errorf("%s: %s", c.content, b)
		}
	}
}

// TestLargeSVG: drawings that would cost much time or memory give none.
func TestLargeSVG(t *testing.T) {
	const head = `<svg xmlns="http://www.w3.org/2000/svg">`
	laughs := `<!DOCTYPE svg [<!ENTITY a "ha">`
	for i := range 20 {
		laughs += fmt.Sprintf(`<!ENTITY a%d "%s">`, i, strings.Repeat(fmt.Sprintf("&a%d;", i-1), 10))
	}
	for name, c := range map[string]struct {
		content string
		none    bool
	}{
		"laughs":   {laughs + `]>` + head + `<text>&a19;</text></svg>`, false},
		"deep":     {head + strings.Repeat("<g>", 1<<18), true},
		"deep bad": {head + "<x>" + strings.Repeat("<y>", 1<<18), true},
		"many":     {head + strings.Repeat("<g/>", maxElements+1) + "</svg>", true},
		"uses":     {head + strings.Repeat(`<use href="#a"/>`, maxUses+1) + "</svg>", true},
		"long":     {head + "<!--" + strings.Repeat(" ", maxDrawing) + "--></svg>", true},
		"text":     {head + "<text>" + strings.Repeat("&lt;", maxKeptSVG/4) + "</text></svg>", true},
		"huge":     {`<svg width="1e300" height="9" xmlns="http://www.w3.org/2000/svg"/>`, true},
		"cut off":  {head + "<g>", true},
		"repeated": {head + `<use href="#a"/><g id="a">` + strings.Repeat("<rect/>", 9000) + `</g>` +
			strings.Repeat(`<use href="#a"/>`, 5) + "</svg>", true},
		"clipped": {head + `<clipPath id="a">` + strings.Repeat("<rect/>", 999) + `</clipPath>` +
			strings.Repeat(`<g clip-path="url( '#a' )"/>`, 50) + "</svg>", true},
		"few":   {head + strings.Repeat(`<use href="#a"/>`, 9) + `<g id="a"/></svg>`, false},
		"other": {`<html><svg/></html>`, true},
	} {
		b, err := Shrink([]byte(c.content), Picture)
		if errors.Is(err, ErrNone) != c.none || !c.none && (err != nil || len(b) > 1<<10) {
			t.Errorf("%s: %d bytes, %v", name, len(b), err)
		}
	}
}

// TestServeSVG: a drawing is served with a policy under which nothing runs, and only to readers who may see it. The
// note of an earlier program, which read no drawings, does not stay.
func TestServeSVG(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	for _, zone := range []string{"open", "onsite"} {
		at := "http://" + zone + ".example/tug.svg"
		r.Ingest(holdingstest.Package{ID: zone, Rights: "access: " + zone, Containers: map[string]string{
			"a.warc": holdingstest.Response(at, at, date, "image/svg+xml", drawing)}})
	}
	h := r.Open(holdings.Options{})
	s, err := Open(h.Dir(), h, Options{Wait: time.Minute, Problem: func(err error) { t.Errorf("problem: %v", err) }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }() // nothing is left to write
	ask := func(class holdings.Class, url string) *httptest.ResponseRecorder {
		at, _ := address.ParseThumbnail(address.UI("").Thumbnail(address.All, second, url))
		w := httptest.NewRecorder()
		s.Serve(w, httptest.NewRequest(http.MethodGet, "/", nil), holdings.Reader{Class: class}, at)
		return w
	}
	for range 2 { // made, and from the cache
		w := ask(holdings.Public, "http://open.example/tug.svg")
		policy := w.Header().Get("Content-Security-Policy")
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "image/svg+xml" ||
			!strings.Contains(w.Body.String(), "Tug") || !strings.Contains(policy, "default-src 'none'") ||
			!strings.Contains(policy, "; sandbox") || strings.Contains(policy, "allow") ||
			w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%d, %v, %s", w.Code, w.Header(), w.Body)
		}
		if w := ask(holdings.Public, "http://onsite.example/tug.svg"); w.Code != http.StatusNotFound {
			t.Errorf("closed, kept for others: %d", w.Code)
		}
		if w := ask(holdings.OnSite, "http://onsite.example/tug.svg"); !strings.Contains(w.Body.String(), "Tug") {
			t.Errorf("on site: %d %s", w.Code, w.Body)
		}
		all, err := s.cache.read()
		if err != nil || len(all) != 1 { // the same bytes
			t.Fatalf("%v, %v", all, err)
		}
		if err := s.cache.put(all[0].name, []byte("no thumbnail, 2\n")); err != nil {
			t.Fatal(err)
		}
	}
}
