package rewrite

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

func TestCSS(t *testing.T) {
	for in, want := range map[string]string{
		`a{b:url(c.png)}`: `a{b:url($im/http://a.example/dir/c.png)}`,
		`@import "a.css";@import url( '/b.css' ) print`: `@import "$cs/http://a.example/dir/a.css";@import url( ` +
			`'$cs/http://a.example/b.css' ) print`,
		`a{b:image-set("c.png" 1x, url(d.png) 2x)}`: `a{b:image-set("$im/http://a.example/dir/c.png" 1x, ` +
			`url($im/http://a.example/dir/d.png) 2x)}`,
		`a{b:URL(data:image/png;base64,xx)}`:         `a{b:URL(data:image/png;base64,xx)}`,
		`a{b:url(#c)}`:                               `a{b:url(#c)}`,
		`/* url(a) */ "url(b)" a{b:url(c`:            `/* url(a) */ "url(b)" a{b:url($im/http://a.example/dir/c`,
		`a{b:url(c\)d)}`:                             `a{b:url($im/http://a.example/dir/c\)d)}`,
		`@namespace "http://www.w3.org/1999/xhtml";`: `@namespace "http://www.w3.org/1999/xhtml";`,
		`@font-face{src:url(f.eot?#iefix)}`:          `@font-face{src:url($im/http://a.example/dir/f.eot?#iefix)}`,
		`a{filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(src='x.png',` +
			`sizingMethod='scale')}`: `a{filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(src='$im/ht` +
			`tp://a.example/dir/x.png',sizingMethod='scale')}`,
		"@charset \"utf-8\";\n": "@charset \"utf-8\";\n",
		"":                      "",
	} {
		if got := rewritten(t, Rewriter{}, CSS, in); got != unfold(want) {
			t.Errorf("%s\n%s, not\n%s", in, got, unfold(want))
		}
	}
}

func TestXML(t *testing.T) {
	for in, want := range map[string]string{
		`<?xml version="1.0"?><?xml-stylesheet href="a.xsl" type="text/xsl"?><feed xmlns:xlink="x"><link ` +
			`href="/b"/><c xlink:href="/d" integrity="x"/></feed>`: `<?xml version="1.0"?><?xml-stylesheet ` +
			`href="$cs/http://a.example/dir/a.xsl" type="text/xsl"?><feed xmlns:xlink="x"><link href="/b"/><c ` +
			`xlink:href="$pg/http://a.example/d" integrity="x"/></feed>`,
		`<svg xmlns="http://www.w3.org/2000/svg"><style>a{b:url(c)}</style><script href="/d"/><a href="/e"/>` +
			`</svg>`: `<svg xmlns="http://www.w3.org/2000/svg"><style>` +
			`a{b:url($im/http://a.example/dir/c)}</style><script href="$js/http://a.example/d"/><a ` +
			`href="$mp/http://a.example/e"/></svg>`,
		`<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>&lt;` +
			`</title></head><body><![CDATA[<a href="/x">]]><br/><a href="/y"/></body></html>`: `<?xml version=` +
			`"1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head>HEAD<title>&lt;</title>` +
			`</head><body><![CDATA[<a href="/x">]]><br/><a href="$mp/http://a.example/y"/></body></html>`,
		`<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:head/></h:html>`: `<h:html xmlns:h="http://www.w3.o` +
			`rg/1999/xhtml"><h:head/></h:html>`,
		`<html xmlns="http://www.w3.org/1999/xhtml"><head/></html>`: `<html xmlns="http://www.w3.org/1` +
			`999/xhtml"><head/></html>`,
		`<xsl:stylesheet><a href="{@url}"/></xsl:stylesheet>`: `<xsl:stylesheet><a ` +
			`href="{@url}"/></xsl:stylesheet>`,
	} {
		want := unfold(strings.ReplaceAll(want, "$pg", "$mp"))
		if got := rewritten(t, Rewriter{Head: []byte("HEAD")}, XML, in); got != want {
			t.Errorf("%s\n%s, not\n%s", in, got, want)
		}
	}
}

func TestWhereTheMarkupIsPut(t *testing.T) {
	for in, want := range map[string]string{
		"<!DOCTYPE html><html><head><title>a": "<!DOCTYPE html><html><head>@<title>a",
		"<!-- c --><!doctype html>\n<HTML lang=de>\n<HEAD profile='>'>\n": "<!-- c --><!doctype html>\n<HTML lang=de>" +
			"\n<HEAD profile='>'>@\n",
		"<title>a":                 "@<title>a",
		"text":                     "@text",
		"":                         "@",
		"<!doctype html>\n <body>": "<!doctype html>@\n <body>",
		"\xef\xbb\xbf<p>":          "\xef\xbb\xbf@<p>",
		"<html><frameset>":         "<html>@<frameset>",
		"<!-- unclosed":            "@<!-- unclosed",
		"<!--><p>-->":              "<!-->@<p>-->",
		"<!--[if IE]><html class=ie><![endif]--><html><head>": "<!--[if IE]><html class=ie><![endif]--><html><head>@",
		"<header><head>":                    "@<header><head>",
		"<head":                             "@<head",
		"<?xml version='1.0'?><html><head>": "<?xml version='1.0'?><html><head>@",
		"<!--" + strings.Repeat("x", 2*ahead) + "--><p>": "@<!--" + strings.Repeat("x", 2*ahead) + "--><p>",
	} {
		if got := rewritten(t, Rewriter{Head: []byte("@")}, HTML, in); got != want {
			t.Errorf("%.80q: %.80q", in, got)
		}
	}
}

func TestTheCharsetStaysInThe1024Bytes(t *testing.T) {
	head := bytes.Repeat([]byte("<!---->"), 200)
	in := "<html><head><meta charset=shift_jis><title>"
	got := rewritten(t, Rewriter{Head: head}, HTML, in)
	if want := `<html><head><meta charset="shift_jis">` + string(head) + in[len("<html><head>"):]; got != want {
		t.Errorf("%.200s", got)
	}
	if got := rewritten(t, Rewriter{Head: head, ContentType: "text/html; charset=utf-8"}, HTML, in); strings.Count(got,
		"charset") != 1 {
		t.Error("the header says more than the page, and nothing need be repeated")
	}
	if got := rewritten(t, Rewriter{Head: head}, HTML,
		`<head><meta http-equiv=content-type content='text/html; charset="><script>x"'>`); strings.Contains(got, `<meta charset="><script>`) {
		t.Errorf("a label that is none was repeated: %.100s", got)
	}
}

func TestCharsets(t *testing.T) {
	for _, tt := range []struct{ name, contentType, in, want string }{
		{"UTF-8", "text/html; charset=utf-8", `<a href="/ü?ü">`, `<a href="$mp/http://a.example/%C3%BC?%C3%BC">`},
		{"Latin 1", "text/html; charset=iso-8859-1", "<p>\xfc<a href=\"/\xfc?\xfc\">",
			"<p>\xfc<a href=\"$mp/http://a.example/%C3%BC?%FC\">"},
		{"by the page", "text/html", "<meta charset=windows-1251><a href=/\xe0?\xe0>",
			"<meta charset=windows-1251><a href=$mp/http://a.example/%D0%B0?%E0>"},
		{"references do not know the charset", "text/html; charset=iso-8859-1", "<a href=\"/\xfc&uuml;\">",
			"<a href=\"$mp/http://a.example/%C3%BC%C3%BC\">"},
		{"not in the charset", "text/html; charset=iso-8859-1", `<a href="/x?&#8364;">`,
			`<a href="$mp/http://a.example/x?%80">`},
		{"Shift_JIS, with a backslash in a character", "text/html; charset=shift_jis", "<a href='/\x95\x5c'>",
			"<a href='$mp/http://a.example/%E8%A1%A8'>"},
		{"undeclared, UTF-8", "text/html", "<a href=/ü>", "<a href=$mp/http://a.example/%C3%BC>"},
		{"undeclared, not UTF-8", "text/html", "<a href=/\xfc>", "<a href=$mp/http://a.example/%C3%BC>"},
		{"a host", "text/html; charset=utf-8", "<a href=http://ü.example/>", "<a href=$mp/http://xn--tda.example/>"},
	} {
		if got := rewritten(t, Rewriter{ContentType: tt.contentType}, HTML, tt.in); got != unfold(tt.want) {
			t.Errorf("%s: %q, not %q", tt.name, got, unfold(tt.want))
		}
	}
}

func TestUTF16(t *testing.T) {
	const in, want = `<html><head><a href="/ü">é`,
		"\xef\xbb\xbf<html><head>@" + `<a href="$mp/http://a.example/%C3%BC">é`
	for _, mark := range []bool{true, false} {
		for _, big := range []bool{true, false} {
			var b []byte
			text := in
			if mark {
				text = "\ufeff" + in
			}
			for _, u := range utf16.Encode([]rune(text)) {
				if big {
					b = append(b, byte(u>>8), byte(u))
				} else {
					b = append(b, byte(u), byte(u>>8))
				}
			}
			contentType := "text/html; charset=utf-16le"
			if big {
				contentType = "text/html; charset=utf-16be"
			}
			if mark {
				contentType = "text/html; charset=latin1" // the byte order mark takes precedence
			}
			if got := rewritten(t, Rewriter{Head: []byte("@"), ContentType: contentType}, HTML,
				string(b)); got != unfold(want) {
				t.Errorf("%v %v: %q", mark, big, got)
			}
		}
	}
}

func TestTargets(t *testing.T) {
	const in = `<a target=_top><a target="_BLANK"><a target=_parent><a target=_self><a target=main><button ` +
		`formtarget=_top><base target=_blank>`
	for _, tt := range []struct {
		rw   Rewriter
		want string
	}{
		{Rewriter{}, in},
		{Rewriter{Target: "r"},
			`<a target=r><a target="r"><a target=r><a target=_self><a target=main><button formtarget=r><base ` +
				`target=r>`},
		{Rewriter{Target: "r", Framed: true},
			`<a target=r><a target="r"><a target=_parent><a target=_self><a target=main><button formtarget=r><base ` +
				`target=r>`},
	} {
		if got := rewritten(t, tt.rw, HTML, in); got != tt.want {
			t.Errorf("%+v: %s", tt.rw, got)
		}
	}
}

func TestHeader(t *testing.T) {
	rw := Rewriter{Base: site, URL: replayed}
	got := rw.Header(Page, []Field{
		{"Content-Type", "text/html; charset=utf-8"}, {"Content-Type", "image/png"}, {"Content-Language", "de"},
		{"Set-Cookie", "a=b"},
		{"Location", "/x?y#z"}, {"Content-Location", "/c"}, {"Content-Security-Policy", "default-src 'none'"},
		{"Refresh", "5; url=n.html"},
		{"Link",
			`</a.css>; rel=stylesheet; integrity="x", <b.js>; rel="preload"; as=script; crossorigin, ` +
				`<http://c.example>; rel=preconnect, </d>;rel=preload`},
		{"X-Split", "a\r\nSet-Cookie: c"}, {"Bad Name", "a"}, {"", "a"},
		{"Content-Disposition", "attachment; filename=x"}, {"X-Sjis", "\x83\x5c"}, {"Content-Length", "17"},
	})
	want := []Field{
		{"Content-Type", "text/html; charset=utf-8"}, {"X-Archive-Orig-Content-Type", "image/png"},
		{"Content-Language", "de"}, {"X-Archive-Orig-Set-Cookie", "a=b"},
		{"X-Archive-Orig-Location", "/x?y#z"}, {"Location", "/all/2015mp_/http://a.example/x?y#z"},
		{"X-Archive-Orig-Content-Location", "/c"},
		{"X-Archive-Orig-Content-Security-Policy", "default-src 'none'"}, {"X-Archive-Orig-Refresh", "5; url=n.html"},
		{"Refresh", "5; url=/all/2015mp_/http://a.example/dir/n.html"},
		{"X-Archive-Orig-Link",
			`</a.css>; rel=stylesheet; integrity="x", <b.js>; rel="preload"; as=script; crossorigin, ` +
				`<http://c.example>; rel=preconnect, </d>;rel=preload`},
		{"Link",
			`</all/2015cs_/http://a.example/a.css>; rel=stylesheet, </all/2015js_/http://a.example/dir/b.js>; ` +
				`rel=preload; as="script"`},
		{"Content-Disposition", "attachment; filename=x"}, {"X-Archive-Orig-X-Sjis", "\x83\x5c"},
		{"X-Archive-Orig-Content-Length", "17"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nnot\n%q", got, want)
	}
	if got := rw.Header(Frame, []Field{{"Content-Disposition",
		"attachment"}}); got[0].Name != "X-Archive-Orig-Content-Disposition" {
		t.Error(got)
	}
	size := 0
	for _, f := range rw.Header(Page, slices.Repeat([]Field{{"X-Long", strings.Repeat("x", 1000)}}, 1000)) {
		size += len(f.Name) + len(f.Value)
	}
	if size > MaxOrig {
		t.Errorf("%d bytes of the captured content", size)
	}
}

func TestLocationsLeadNowhereElse(t *testing.T) {
	rw := Rewriter{Base: site, URL: replayed}
	for in, want := range map[string]string{
		"javascript:alert(1)": "", "data:text/html,x": "", "http://[": "",
		"//evil.example/x": "/all/2015mp_/http://evil.example/x",
		"":                 "/all/2015mp_/http://a.example/dir/page.html",
		"\\\\evil.example": "/all/2015mp_/http://evil.example/",
		"a\r\nb":           "/all/2015mp_/http://a.example/dir/ab",
	} {
		if got, ok := rw.Location(Page, in); got != want || ok != (want != "") {
			t.Errorf("%q: %q", in, got)
		}
	}
}

func TestSniff(t *testing.T) {
	for _, tt := range []struct {
		kind        Kind
		contentType string
		first       string
		want        What
	}{
		{Page, "text/html; charset=utf-8", "<html>", HTML},
		{Page, "TEXT/HTML;", "some text", HTML},
		{Page, "text/html", "", HTML},
		{Page, "text/html", "wOF2\x00\x01", Nothing},
		{Page, "text/html", "\x89PNG\r\n\x1a\n", Nothing},
		{Page, "text/html", "%PDF-1.4", Nothing},
		{Page, "text/html", "<html>\x00\x01", HTML},
		{Page, "text/html", "<!DOCTYPE html><p>a\x1a", HTML},
		{Style, "text/html", "<html>\x00\x01", Nothing},
		{Page, "text/html", `{"a": 1}`, Nothing},
		{Page, "text/html", ` [1,2]`, Nothing},
		{Page, "text/html", `[x] <b>list</b>`, HTML},
		{Page, "text/html", "\xff\xfe<\x00h\x00", HTML},
		{Page, "", "\n<!DOCTYPE HTML>", HTML},
		{Page, "unknown/unknown", "<html >", HTML},
		{Page, "", "function(){}", Nothing},
		{Page, "application/xhtml+xml", "<html>", XML},
		{Frame, "image/svg+xml", "<svg>", XML},
		{Page, "text/xml", "no", Nothing},
		{Page, "text/plain", "<html>", Nothing},
		{Page, "application/javascript", "<html>", Nothing},
		{Page, "text/css", "a{}", CSS},
		{Style, "text/css", "a{}", CSS},
		{Style, "text/html", "a{}", CSS},
		{Style, "text/html", "<!DOCTYPE html>", Nothing},
		{Style, "text/css", "{\"a\":1}", Nothing},
		{Style, "text/xsl", "<xsl:stylesheet>", Nothing},
		{Style, "application/xml", "<xsl:stylesheet>", XML},
		{Style, "text/css", "\x1f\x8b\x08", Nothing},
		{Script, "text/html", "<html>", Nothing},
		{Image, "text/html", "<html>", Nothing},
		{Data, "text/html", "<html>", Nothing},
	} {
		if got := Sniff(tt.kind, tt.contentType, []byte(tt.first)); got != tt.want {
			t.Errorf("%s %q %q: %v, not %v", tt.kind, tt.contentType, tt.first, got, tt.want)
		}
	}
}

func TestRename(t *testing.T) {
	from, to, ok := Callback("http://a.example/x?callback=jQuery_2&q", "http://a.example/x?callback=jQuery_1&q",
		[]string{"callback"})
	if from != "jQuery_1" || to != "jQuery_2" || !ok {
		t.Fatal(from, to, ok)
	}
	for _, pair := range [][2]string{{"?callback=a", "?callback=a"}, {"?callback=a", "?b"},
		{"?callback=alert(1)", "?callback=a"}, {"?x=a", "?x=b"}} {
		if from, to, ok := Callback(pair[0], pair[1], []string{"callback", "cb", "jsonp"}); ok {
			t.Errorf("%v: %s %s", pair, from, to)
		}
	}
	for in, want := range map[string]string{
		`f({"f":1})`:                            `g({"f":1})`,
		"/* f */\n; f ( 1 )":                    "/* f */\n; g ( 1 )",
		"// x\nf(1)":                            "// x\ng(1)",
		"typeof f === 'function' && f({});":     "typeof g === 'function' && g({});",
		"f = 1; f()":                            "f = 1; f()",
		"var x = f(1)":                          "var x = f(1)",
		`{"f(":1}`:                              `{"f(":1}`,
		"ff(1)":                                 "ff(1)",
		"/* unclosed f(1)":                      "/* unclosed f(1)",
		"":                                      "",
		"f(" + strings.Repeat("1", 1<<16) + ")": "g(" + strings.Repeat("1", 1<<16) + ")",
	} {
		var out bytes.Buffer
		if err := Rename(&out, strings.NewReader(in), "f", "g"); err != nil || out.String() != want {
			t.Errorf("%.60q: %.60q %v", in, out.String(), err)
		}
	}
}

func TestMarkup(t *testing.T) {
	got := string(Markup{Static: "/static/", URL: `http://a.example/"><script>alert(1)</script>`}.HTML())
	if strings.Count(got, "<script") != 1 || !strings.HasPrefix(got, `<script src="/static/page.js?`) {
		t.Error(got)
	}
}
