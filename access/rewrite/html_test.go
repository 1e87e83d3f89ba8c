package rewrite

import (
	"bytes"
	"strings"
	"testing"
)

const site = "http://a.example/dir/page.html"

// replayed builds the replay URLs of the test. In the tables, $ is an abbreviation of their prefix.
func replayed(kind Kind, url string) string { return "/all/2015" + string(kind) + "/" + url }

func unfold(s string) string {
	for _, k := range []Kind{Page, Frame, Image, Style, Script, Data} {
		s = strings.ReplaceAll(s, "$"+string(k[:2])+"/", "/all/2015"+string(k)+"/")
	}
	return s
}

func rewritten(t testing.TB, rw Rewriter, what What, doc string) string {
	t.Helper()
	if rw.Base == "" {
		rw.Base = site
	}
	if rw.URL == nil {
		rw.URL = replayed
	}
	var out bytes.Buffer
	if err := rw.Rewrite(&out, strings.NewReader(doc), what); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestHTML(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"a link", `<a href="b.html">`, `<a href="$mp/http://a.example/dir/b.html">`},
		{"absolute", `<A HREF=http://b.example>`, `<A HREF=$mp/http://b.example/>`},
		{"scheme-relative", `<img src='//c.example/x.png'>`, `<img src='$im/http://c.example/x.png'>`},
		{"up", `<img src="../../../x.png">`, `<img src="$im/http://a.example/x.png">`},
		{"fragment stays", `<a href="b#c">`, `<a href="$mp/http://a.example/dir/b#c">`},
		{"fragments alone", `<a href="#top"><a href="">`, `<a href="#top"><a href="">`},
		{"other schemes", `<a href="javascript:x()"><a href="mailto:a@b"><img src="data:,x"><a href=" java` + "\n" +
			`script:x()"><img src=blob:x><a href=tel:1>`, ""},
		{"ampersands", `<a href="?a=1&amp;b=2"><a href='?a=1&b=2'>`,
			`<a href="$mp/http://a.example/dir/page.html?a=1&amp;b=2"><a ` +
				`href='$mp/http://a.example/dir/page.html?a=1&b=2'>`},
		{"srcset", `<img srcset="a,b.png 1x, c.png 2x">`,
			`<img srcset="$im/http://a.example/dir/a,b.png 1x, $im/http://a.example/dir/c.png 2x">`},
		{"imagesrcset", `<link rel=preload as=image imagesrcset="a 1x" href=b>`,
			`<link rel=preload as=image imagesrcset="$im/http://a.example/dir/a 1x" href=$im/http://a.example/dir/b>`},
		{"preloads",
			`<link rel=preload as=script href=a><link rel=preload as=style href=a><link rel=modulepreload href=a>` +
				`<link rel=preload as=fetch href=a><link rel=prefetch href=a>`,
			`<link rel=preload as=script href=$js/http://a.example/dir/a><link rel=preload as=style ` +
				`href=$cs/http://a.example/dir/a><link rel=modulepreload href=$js/http://a.example/dir/a><link ` +
				`rel=preload as=fetch href=$ir/http://a.example/dir/a><link rel=prefetch ` +
				`href=$mp/http://a.example/dir/a>`},
		{"kinds",
			`<link rel=stylesheet href=/a><script src=/a></script><iframe src=/a></iframe><frame src=/a><form ` +
				`action=/a><embed src=/a><object data=/a><video poster=/a src=/a><link rel=icon href=/a><link ` +
				`rel=manifest href=/a><body background=/a>`,
			strings.ReplaceAll(`<link rel=stylesheet href=$cs@><script src=$js@></script><iframe src=$if@></iframe>`+
				`<frame src=$if@><form action=$mp@><embed src=$if@><object data=$if@><video poster=$im@ src=$im@>`+
				`<link rel=icon href=$im@><link rel=manifest href=$im@><body background=$im@>`, "@",
				"/http://a.example/a")},
		{"buttons", `<button formaction=/a>`, `<button formaction=$mp/http://a.example/a>`},
		{"refresh", `<meta http-equiv=refresh content="0; URL='/a'">`,
			`<meta http-equiv=refresh content="0; URL='$mp/http://a.example/a'">`},
		{"CSP",
			`<meta http-equiv="Content-Security-Policy" content="default-src 'none'"><meta name=referrer ` +
				`content=no-referrer>`,
			`<meta http-equiv="_Content-Security-Policy" content="default-src 'none'"><meta name=_referrer ` +
				`content=no-referrer>`},
		{"other pragmas",
			`<meta http-equiv=content-type content="text/html; charset=latin1"><meta name=author content=a>`, ""},
		{"integrity", `<script src=/a integrity="sha256-x" crossorigin nonce=y></script>`,
			`<script src=$js/http://a.example/a _integrity="sha256-x" _crossorigin _nonce=y></script>`},
		{"ping", `<a href=/a ping="/b /c">`, `<a href=$mp/http://a.example/a _ping="/b /c">`},
		{"speculation", `<script type="speculationrules">{}</script><script type=module></script>`,
			`<script type="_speculationrules">{}</script><script type=module></script>`},
		{"styles", `<p style="background:url('/a.png')"><style>@import "a.css"; b{c:url(d)}</style>`,
			`<p style="background:url('$im/http://a.example/a.png')"><style>@import "$cs/http://a.example/dir/a.css";` +
				` b{c:url($im/http://a.example/dir/d)}</style>`},
		{"entities in styles", `<p style="background:url(&quot;/a&quot;)">`,
			`<p style="background:url(&quot;$im/http://a.example/a&quot;)">`},
		{"base", `<base href="/x/"><a href=y>`,
			`<base href="$mp/http://a.example/x/"><a href=$mp/http://a.example/x/y>`},
		{"scheme-relative base", `<base href="//b.example"><a href=y>`,
			`<base href="$mp/http://b.example/"><a href=$mp/http://b.example/y>`},
		{"empty base", `<base href=""><a href=y>`, `<base href=""><a href=$mp/http://a.example/dir/y>`},
		{"second base", `<base href=/x/><base href=/z/><a href=y>`,
			`<base href=$mp/http://a.example/x/><base href=$mp/http://a.example/z/><a href=$mp/http://a.example/x/y>`},
		{"base in a comment", `<!--[if IE]><base href=/x/><![endif]--><a href=y>`,
			`<!--[if IE]><base href=$mp/http://a.example/x/><![endif]--><a href=$mp/http://a.example/dir/y>`},
		{"scripts are left alone", `<script>var a = '<a href="/b">'; location = "http://c.example/"</script>`, ""},
		{"an unclosed script", `<script>var a = '<a href="/b">';`, ""},
		{"comments are left alone", `<!-- <a href=/b> --><a href=/c>`,
			`<!-- <a href=/b> --><a href=$mp/http://a.example/c>`},
		{"CDATA in HTML", `<![CDATA[ <a href=/b> ]]><a href=/c>`,
			`<![CDATA[ <a href=/b> ]]><a href=$mp/http://a.example/c>`},
		{"SVG", `<svg><image xlink:href=/a /><use href="#b"/><a xlink:href=/c></a></svg>`,
			`<svg><image xlink:href=$im/http://a.example/a /><use href="#b"/><a xlink:href=$mp/http://a.example/c>` +
				`</a></svg>`},
		{"noscript", `<noscript><img src=/a></noscript>`, `<noscript><img src=$im/http://a.example/a></noscript>`},
		{"srcdoc", `<iframe srcdoc="<a href='/b' target=_top>">`,
			`<iframe srcdoc="<a href='$mp/http://a.example/b' target=_top>">`},
		{"lazy", `<img data-src="/a" data-srcset="http://b.example/x 2x" data-href=y>`,
			`<img data-src="$im/http://a.example/a" data-srcset="$im/http://b.example/x 2x" data-href=y>`},
		{"properties are left alone", `<meta property="og:image" content="http://a.example/x.png">`, ""},
		{"ours", `<a href="/all/20150102030405mp_/http://a.example/"><a href="/all/2015/http://x/">`, ""},
		{"not ours", `<a href="/all/2015.html">`, `<a href="$mp/http://a.example/all/2015.html">`},
		{"no URL", `<a href="http://[">`, ""},
		{"unquoted to quoted", `<a href=/a?b=c>`, `<a href=$mp/http://a.example/a?b&#61;c>`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := unfold(tt.want)
			if tt.want == "" {
				want = tt.in
			}
			if got := rewritten(t, Rewriter{}, HTML, tt.in); got != want {
				t.Errorf("%s\n%s, not\n%s", tt.in, got, want)
			}
		})
	}
}
