package htmllink

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"quire/format/fault"
)

// links returns copies of the links of a document, and checks that each is at its stated place.
func links(t testing.TB, doc string, o Options) []Link {
	t.Helper()
	s := NewScanner(strings.NewReader(doc), o)
	var found []Link
	for {
		l, err := s.Next()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		settled := s.Offset() <= l.Start || l.Flags&Cut != 0
		if !settled || l.Start < 0 || l.End < l.Start || l.End > int64(len(doc)) || l.TagStart < 0 ||
			l.TagEnd <= l.TagStart || l.TagEnd > int64(len(doc)) {
			t.Fatalf("%q: a link from %d to %d in a tag from %d to %d, settled %d", doc, l.Start, l.End, l.TagStart,
				l.TagEnd, s.Offset())
		}
		if l.Flags&Srcdoc == 0 && (doc[l.TagStart] != '<' || doc[l.TagEnd-1] != '>') {
			t.Fatalf("%q: %q is no tag", doc, doc[l.TagStart:l.TagEnd])
		}
		if whole := doc[l.Start:l.End]; whole != string(l.Raw) &&
			(l.Flags&Cut == 0 || !strings.HasPrefix(whole, string(l.Raw))) {
			t.Fatalf("%q: the link is %q, but its place has %q", doc, l.Raw, whole)
		}
		l2 := *l
		l2.Raw, l2.Value = bytes.Clone(l.Raw), bytes.Clone(l.Value)
		found = append(found, l2)
	}
}

// TestTagsByteByByte checks that a tag means the same in one piece and in pieces of a byte, which
// other functions read.
func TestTagsByteByByte(t *testing.T) {
	for _, doc := range []string{
		`<a href="1">`, `<A HREF='1' x = "2" y	=3 z>`, `<a=b href=1>`,
		`<a href=1/><a href="2"/>`, `<a "href=1" href=2>`,
		"<a\x00 href=1>", "<a h\x00ref=1 href=2>",
		`<a href="1`, `<a href=`, `<a href=>`, `<a href = >`, `<a =href=1 href=2>`,
		`<img src=1 src=2 crossorigin><script integrity nonce= src="3"></script>`, `<input checked disabled src=1>`,
		"<" + strings.Repeat("x", 45) + " href=1><p " + strings.Repeat("y", 45) + "=1 href=2>",
		"<a" + strings.Repeat(" href=1", MaxAttributes+2) + ">", `<a href="` + strings.Repeat("v", MaxValue+9) + `">`,
		`<svg><a xlink:href=1></svg ><title/x>t</title =">"><a href="2">t</a b="3">`, `<?xml-stylesheet href="1"?>`,
		`<link rel=stylesheet href=1><meta http-equiv=refresh content="0;url=2"></p=><a href=3></p>`,
	} {
		for _, o := range []Options{{}, {Guards: true}, {XML: true}, {Charset: "iso-2022-jp"}} {
			whole, pieces := events(strings.NewReader(doc), o), events(iotest.OneByteReader(strings.NewReader(doc)), o)
			if whole != pieces || whole == "" {
				t.Errorf("%+v, %.80q:\n%.500s\nand byte by byte\n%.500s", o, doc, whole, pieces)
			}
		}
	}
}

// TestAShiftInTwoPieces checks that a value which is read twice, because its end was not there at
// first, leaves no half of an escape sequence.
func TestAShiftInTwoPieces(t *testing.T) {
	first, second, o := "<a href=\"$B\x1b", "x\"><a href=2>", Options{Charset: "iso-2022-jp"}
	in := io.MultiReader(strings.NewReader(first), strings.NewReader(second))
	if got, want := events(in, o), events(iotest.OneByteReader(strings.NewReader(first+second)), o); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// events returns all that a scanner reports.
func events(in io.Reader, o Options) string {
	var b strings.Builder
	s := NewScanner(in, o)
	s.Report = func(f fault.Fault) { fmt.Fprintln(&b, f) }
	s.Element = func(e *Element) { fmt.Fprintln(&b, e.Name, e.Start, e.End, string(e.Text), e.TextLength) }
	s.End = func(name []byte) { fmt.Fprintln(&b, "end", string(name)) }
	for {
		l, err := s.Next()
		if err != nil {
			fmt.Fprintln(&b, err, s.Offset())
			return b.String()
		}
		fmt.Fprintln(&b, l.Kind, l.Flags, l.Element, l.Attribute, l.As, l.Start, l.End, l.Named, l.TagStart, l.TagEnd,
			l.Quote, string(l.Raw), string(l.Value))
	}
}

func told(all []Link) string {
	var b strings.Builder
	for i, l := range all {
		if i > 0 {
			b.WriteByte('|')
		}
		fmt.Fprintf(&b, "%s %s", l.Kind, l.Value)
		for _, f := range []struct {
			f    Flags
			sign string
		}{{Duplicate, "+again"}, {Conditional, "+conditional"}, {Fallback, "+fallback"}, {Srcdoc, "+srcdoc"},
			{Cut, "+cut"}} {
			if l.Flags&f.f != 0 {
				b.WriteString(f.sign)
			}
		}
	}
	return b.String()
}

type row struct{ name, doc, want string }

func check(t *testing.T, rows []row, o Options) {
	t.Helper()
	for _, r := range rows {
		if got := told(links(t, r.doc, o)); got != r.want {
			t.Errorf("%s: %s\n gives %s\n not   %s", r.name, r.doc, got, r.want)
		}
	}
}

func TestWhatIsALink(t *testing.T) {
	check(t, []row{
		{"anchors", `<a href=1></a><AREA HREF=2>`, "navigation 1|navigation 2"},
		{"pings", `<a href=1 ping="2 	3">`, "navigation 1|ping 2|ping 3"},
		{"frames", `<frame src=1><iframe src=2></iframe><layer src=3>`, "frame 1|frame 2|frame 3"},
		{"images",
			`<img src=1 lowsrc=2 dynsrc=3 longdesc=4 usemap=#m><input type=image src=5><body background=6><td ` +
				`background=7>`,
			"image 1|image 2|image 3|citation 4|fragment #m|image 5|image 6|image 7"},
		{"candidates", `<img srcset="1 1x, 2 2x"><source srcset="3"><link imagesrcset="4 100w,5">`,
			"candidate 1|candidate 2|candidate 3|candidate 4|candidate 5"},
		{"media", `<video src=1 poster=2><source src=3><track src=4></video><audio src=5><bgsound src=6>`,
			"media 1|image 2|media 3|media 4|media 5|media 6"},
		{"objects",
			`<object data=1 codebase=2 archive="3 4" usemap=#5><param name=Movie value=6><param name=wmode value=7>` +
				`<param name=x valuetype=ref value=8><embed src=9>`,
			"object 1|codebase 2|archive 3|archive 4|fragment #5|object 6|object 8|object 9"},
		{"applets", `<applet code=A.class codebase=1 archive="2, 3,4">`, "codebase 1|archive 2|archive 3|archive 4"},
		{"scripts", `<script src=1></script>`, "script 1"},
		{"the purposes of link",
			`<link rel=stylesheet href=1><link href=2 rel="Alternate StyleSheet"><link rel="shortcut icon" href=3>` +
				`<link rel=manifest href=4><link rel=preload href=5><link rel=canonical href=6><link href=7>`,
			"stylesheet 1|stylesheet 2|icon 3|manifest 4|preload 5|relation 6|relation 7"},
		{"forms", `<form action=1><button formaction=2><input formaction=3><isindex action=4><x action=5>`,
			"form 1|form 2|form 3|form 4"},
		{"base", `<base href=1 target=_top>`, "base 1"},
		{"manifest and profile", `<html manifest=1><head profile=2><p manifest=3 profile=4>`, "manifest 1|profile 2"},
		{"citations", `<blockquote cite=1><q cite=2><ins cite=3><del cite=4><p cite=5>`,
			"citation 1|citation 2|citation 3|citation 4"},
		{"refresh",
			`<meta http-equiv=Refresh content="5; URL=1"><meta content="0;url=2" http-equiv="refresh"><meta ` +
				`content="0;url=3">`, "refresh 1|refresh 2"},
		{"properties",
			`<meta property=og:image content=1><meta name="twitter:image" content=2><meta itemprop=image content=3>` +
				`<meta name=description content=4>`,
			"property 1|property 2|property 3"},
		{"lazy ones", `<img data-src=1 data-srcset="2 1x,3 2x" data-original=4>`, "lazy 1|lazy 2|lazy 3|lazy 4"},
		{"SVG",
			`<svg><a xlink:href=1><image href=2 /><use href=#3 /><script href=4 /><linearGradient xlink:href=#5 />` +
				`<rect fill="url(#6)" filter=none></svg>`,
			"navigation 1|image 2|image #3|script 4|fragment #5|css #6"},
		{"MathML", `<math><mrow href=1></mrow></math>`, "other 1"},
		{"style attributes", `<p style="background:url(1);x:url('2')">`, "css 1|css 2"},
		{"style elements", `<style media=all>@import "1";a{b:url(2)}</style>`, "import 1|css 2"},
		{"src and href on unknown elements", `<x src=1 href=2><p url=3>`, "other 1|other 2|other 3"},
		{"what is none", `<a name=1 id=2 title="href=3" onclick="4" data-x=5><object classid=6>`, ""},
	}, Options{})
}

func TestTokens(t *testing.T) {
	check(t, []row{
		{"quotes", `<a href="1 2"><a href='3"4'><a href=5"6>`, "navigation 1 2|navigation 3\"4|navigation 5\"6"},
		{"white space around the equals sign", "<a\n\thref \r\n=\f '1' >", "navigation 1"},
		{"no white space between attributes", `<a title="x"href="1"id='y'href=2>`, "navigation 1|navigation 2+again"},
		{"slashes between", `<a/href="1"/><a / href=2/>`, "navigation 1|navigation 2/"},
		{"an empty value", `<a href=""><a href=><a href>`, "navigation |navigation "},
		{"a name that begins with an equals sign", `<a =href=1 href=2>`, "navigation 2"},
		{"a smaller-than sign in a tag", `<a href="1" <b><a<b href=2>`, "navigation 1|other 2"},
		{"a larger-than sign in a value", `<a title="a>b" href=1>`, "navigation 1"},
		{"no tags", `< a href=1><1 href=2><=a href=3>a<b`, ""},
		{"end tags have no links", `</a href=1><b></b x=">" href=2>`, ""},
		{"nor have declarations", `<!DOCTYPE html "<a href=1>"><!a href=2><?php href=3 ?></ href=4><a href=5>`,
			"navigation 5"},
		{"comments",
			`<!-- <a href=1> --><a href=2><!-- --!><a href=3><!--><a href=4><!---><a href=5><!-- - -- -> <a href=6> ` +
				`---><a href=7>`,
			"navigation 2|navigation 3|navigation 4|navigation 5|navigation 7"},
		{"a comment without an end", `<!-- <a href=1>`, ""},
		{"conditional comments",
			`<!--[if IE]><a href=1><![endif]--><a href=2><!--[if !IE]><!--><a href=3><!--<![endif]--><![if !IE]><a ` +
				`href=4><![endif]>`,
			"navigation 1+conditional|navigation 2|navigation 3|navigation 4"},
		{"one that ends in a value", `<!--[if IE]><a href="1--><a href=2>`, "navigation 2"},
		{"CDATA is a comment, but in SVG",
			`<![CDATA[<a href=1>]]><svg><![CDATA[<a href=2>]]></svg><![CDATA[<a href=3>]]>`, ""},
		{"scripts", `<script>"<a href=1>"</script ><a href=2><script></scriptx><a href=3></script/><a href=4>`,
			"navigation 2|navigation 4"},
		{"a script in a script", `<script><!-- <script></script><a href=1> --></script><a href=2>`, "navigation 2"},
		{"the script in it hides one end only", `<script><!-- <script></script></script><a href=1>`, "navigation 1"},
		{"no script in a script", `<script><!-- <scripts></script><a href=1>`, "navigation 1"},
		{"a comment that ends at once", `<script><!--><script></script><a href=1>`, "navigation 1"},
		{"titles and textareas",
			`<title><a href=1></title><textarea><a href=2></TEXTAREA><a href=3><xmp><a href=4></xmp>`, "navigation 3"},
		{"an end tag needs its end", `<title></titles><a href=1></title>`, ""},
		{"noscript and its like",
			`<noscript><img src=1></noscript><noframes><a href=2></noframes><iframe><a href=3></iframe><a href=4>`,
			"image 1+fallback|navigation 2+fallback|navigation 3+fallback|navigation 4"},
		{"style in noscript", `<noscript><style>a{b:url(1)}</style><p style="b:url(2)"></noscript>`,
			"css 1+fallback|css 2+fallback"},
		{"templates", `<template><a href=1></template>`, "navigation 1"},
		{"plaintext", `<a href=1><plaintext><a href=2></plaintext>`, "navigation 1"},
		{"style with HTML comments", "<style><!-- a{b:url(1)} --></style><a href=2>", "css 1|navigation 2"},
		{"style that says it ends", `<style>a{b:"</style>url(1)"}`, ""},
		{"an SVG title is no text", `<svg><title><a href=1></title><style/><a href=2></svg>`,
			"navigation 1|navigation 2"},
		{"outside SVG a slash closes nothing", `<style/><a href=1></style>`, ""},
		{"HTML in SVG", `<svg><foreignObject><title><a href=1></title></foreignObject><style/><a href=2>`,
			"navigation 2"},
		{"SVG ends where HTML begins", `<svg><p><title/><a href=1></title>`, ""},
		{"documents in attributes", `<iframe srcdoc="<a href='1?a&amp;amp;b'><p style='x:url(&quot;2&quot;)'>">`,
			"navigation 1?a&b+srcdoc|css 2+srcdoc"},
	}, Options{})
}

func TestXML(t *testing.T) {
	check(t, []row{
		{"elements closed at once", `<script src="1"/><a href="2"/><title/><a href="3"/>`,
			"script 1|navigation 2|navigation 3"},
		{"CDATA", `<p><![CDATA[<a href="1">]]></p><style><![CDATA[a{b:url(2)}]]></style>`, "css 2"},
		{"style sheets", `<?xml version="1.0" href="0"?><?xml-stylesheet href="1" type="text/css"?>`, "stylesheet 1"},
	}, Options{XML: true})
}

func TestValues(t *testing.T) {
	for _, tt := range []struct{ raw, want string }{
		{"a&amp;b&AMP;c", "a&b&c"},
		{"a&ampb", "a&ampb"},
		{"?a=1&copy=2&copy;&copy", "?a=1&copy=2©©"},
		{"?a&notit;&notin;&not", "?a&notit;∉¬"},
		{"&#65;&#x42;&#X43&#68e", "ABCDe"},
		{"&#0;&#xd800;&#1114112;&#99999999999999999999;", "\uFFFD\uFFFD\uFFFD\uFFFD"},
		{"&#128;&#x99;", "€™"},
		{"&#;&#x;&;&", "&#;&#x;&;&"},
		{"&NotEqualTilde;&fjlig;", "≂̸fj"},
		{"&nosuchname;&CounterClockwiseContourIntegral;", "&nosuchname;∳"},
		{" \x01 a b\t\r\n c \x00", "a b c \uFFFD"},
		{"\xe9&eacute;", "\xe9é"},
		{"&Tab;a&NewLine;b&colon;c&sol;d", "ab:c/d"},
	} {
		all := links(t, `<a href="`+tt.raw+`">`, Options{})
		if len(all) != 1 || string(all[0].Value) != tt.want || string(all[0].Raw) != tt.raw {
			t.Errorf("%q: %q", tt.raw, told(all))
		}
	}
}

func TestCandidates(t *testing.T) {
	check(t, []row{
		{"no descriptors", `<img srcset="1, 2">`, "candidate 1|candidate 2"},
		{"commas in URLs", `<img srcset="a,b,c 1x, d,e">`, "candidate a,b,c|candidate d,e"},
		{"commas at their ends", `<img srcset=",,1,, ,2, 3">`, "candidate 1|candidate 2|candidate 3"},
		{"data: URLs", `<img srcset="data:image/png;base64,xx 1x,2 2x">`,
			"candidate data:image/png;base64,xx|candidate 2"},
		{"parentheses in descriptors", `<img srcset="1 f(a,b),2">`, "candidate 1|candidate 2"},
		{"references", `<img srcset="1?a&amp;b&#32;1x&comma;2&#10;2x">`, "candidate 1?a&b|candidate 2"},
		{"only commas", `<img srcset=" , ,">`, ""},
	}, Options{})
}

func TestRefresh(t *testing.T) {
	for content, want := range map[string]string{
		"5;url=1": "1", "5; URL = 1 2 ": "1 2", "0,url='1'x": "1", "0 url=1": "1", "0;1": "1", "0;ufo": "ufo",
		"0;url1": "url1", "0;url": "url",
		"1.5;url=1": "1", ".;url=1": "1", " 0 ; 1": "1", "0;'1'": "1", "0;url=&quot;1": "1", "0;url=": "",
	} {
		all := links(t, `<meta http-equiv=refresh content="`+content+`">`, Options{})
		if len(all) != 1 || string(all[0].Value) != want {
			t.Errorf("%s: %s, not %s", content, told(all), want)
		}
	}
	for _, content := range []string{"", "5", "5;", "url=1", ";url=1", "5x;url=1", "-1;url=1"} {
		if all := links(t, `<meta http-equiv=refresh content="`+content+`">`, Options{}); len(all) != 0 {
			t.Errorf("%s: %s", content, told(all))
		}
	}
}

func TestPlaces(t *testing.T) {
	doc := `<p><a title=x href = ' 1&amp;2 '>` + "<img srcset='a 1x, b&#38; 2x'><style>a{b:url(c)}</style>"
	want := []string{"' 1&amp;2 '", " a ", " b&#38; ", "(c)"}
	all := links(t, doc, Options{})
	if len(all) != len(want) {
		t.Fatal(told(all))
	}
	for i, l := range all {
		around := doc[l.Start-1 : l.End+1]
		if i == 1 {
			around = " " + around[1:]
		}
		if around != want[i] {
			t.Errorf("%q, not %q", around, want[i])
		}
	}
	if l := all[0]; l.Quote != '\'' || l.Element != "a" || l.Attribute != "href" ||
		doc[l.TagStart:l.TagEnd] != `<a title=x href = ' 1&amp;2 '>` {
		t.Errorf("%+v", l)
	}
	if l := all[3]; l.Attribute != "" || doc[l.TagStart:l.TagEnd] != "<style>" {
		t.Errorf("%+v", l)
	}
}

func TestShiftedCharacters(t *testing.T) {
	// In ISO-2022-JP the two bytes of a character can be <a, "> or similar.
	const shifted = "\x1b$B<a\"><!\x1b(B"
	doc := shifted + `<a title="` + shifted + `" href=1>` + "\x1b$B<a href=2>\n<a href=3>"
	want := "navigation 1|navigation 3"
	if got := told(links(t, doc, Options{Charset: "ISO-2022-JP"})); got != want {
		t.Error(got)
	}
	for _, meta := range []string{`<meta charset="iso-2022-jp">`,
		`<meta http-equiv=Content-Type content="text/html; charset=ISO-2022-JP">`} {
		if got := told(links(t, meta+doc, Options{})); got != want {
			t.Error(got)
		}
	}
	if got := told(links(t, "\x1b$B<a href=2>", Options{})); got != "navigation 2" {
		t.Error("in another charset these bytes mean nothing:", got)
	}
}

func TestBounds(t *testing.T) {
	long := strings.Repeat("x", MaxValue)
	for _, tt := range []struct {
		name, doc, want string
		code            fault.Code
	}{
		{"a value", `<img src="data:,` + long + `" alt=x><a href=1>`, "image data:," + long[6:] + "+cut|navigation 1",
			ValueTooLong},
		{"a list", `<img srcset="a 1x, ` + long + `"><a href=1>`, "candidate a 1x, " + long[6:] + "+cut|navigation 1",
			ValueTooLong},
		{"a tag", `<a href=1 title="` + strings.Repeat(long, MaxTag/MaxValue+1) + `"><a href=2>`, "navigation 2",
			TagTooLong},
		{"a tag of blanks", `<a href=1 ` + strings.Repeat(" ", MaxTag) + `><a href=2>`, "navigation 2", TagTooLong},
		{"a name", `<a href=1 ` + long + `=2><` + long + ` href=3>`, "navigation 1|other 3", ""},
		{"attributes", `<a ` + strings.Repeat(`href=1 `, MaxAttributes+1) + `>`,
			"navigation 1" + strings.Repeat("|navigation 1+again", MaxAttributes-1), TooManyAttributes},
		{"depth", strings.Repeat("<noscript><iframe><noframes><noembed><!--[if IE]>", 3) + "<a href=1>", "",
			TextUnclosed},
		{"a quote that is not closed", `<a href="1><a href=2>`, "", TagUnclosed},
		{"a comment that is not closed", `<!-- <a href=2>`, "", CommentUnclosed},
		{"a conditional one", `<!--[if IE]><a href=1>`, "navigation 1+conditional", CommentUnclosed},
		{"a script that is not closed", `<script><a href=1>`, "", TextUnclosed},
		{"a style element that is not closed", `<style>a{b:url(1)`, "css 1", TextUnclosed},
		{"a title that is not closed", `<title><a href=1>`, "", TextUnclosed},
	} {
		var codes []fault.Code
		s := NewScanner(strings.NewReader(tt.doc), Options{})
		s.Report = func(f fault.Fault) { codes = append(codes, f.Code) }
		var found []Link
		for {
			l, err := s.Next()
			if err != nil {
				break
			}
			l2 := *l
			l2.Value = bytes.Clone(l.Value)
			found = append(found, l2)
		}
		if got := told(found); got != tt.want {
			t.Errorf("%s: %.200s", tt.name, got)
		}
		if len(codes) > 0 != (tt.code != "") || len(codes) > 0 && codes[len(codes)-1] != tt.code {
			t.Errorf("%s: %v", tt.name, codes)
		}
		links(t, tt.doc, Options{})
	}
}

func TestFaultsInAttributesHaveTheirPlace(t *testing.T) {
	doc := `<p style="&amp;;a:url(b c)">`
	s := NewScanner(strings.NewReader(doc), Options{})
	at := int64(0)
	s.Report = func(f fault.Fault) { at = f.Offset }
	if _, err := s.Next(); !errors.Is(err, io.EOF) || at != int64(strings.Index(doc, "b c")) {
		t.Error(at, err)
	}
}

func TestComments(t *testing.T) {
	doc := "a<!-- one --><!--two--!><!--" + strings.Repeat("x", MaxComment) + "--><!--three-->"
	var got []string
	s := NewScanner(strings.NewReader(doc), Options{})
	s.Comment = func(start, end int64, text []byte) {
		if !strings.Contains(doc[start:end], string(text)) || !strings.HasPrefix(doc[start:], "<!--") ||
			doc[end-1] != '>' {
			t.Errorf("%q from %d to %d", text, start, end)
		}
		got = append(got, string(text))
	}
	if _, err := s.Next(); !errors.Is(err, io.EOF) || strings.Join(got, "|") != " one |two|three" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestUTF16AndErrors(t *testing.T) {
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		s := NewScanner(strings.NewReader(mark+"<a href=1>"), Options{})
		if _, err := s.Next(); !errors.Is(err, ErrUTF16) {
			t.Error(err)
		}
		if _, err := s.Next(); !errors.Is(err, io.EOF) {
			t.Error(err)
		}
	}
	gone := errors.New("gone")
	for _, doc := range []string{"<a href=1", "<!-- ", "<style>a{", "<noscript><a", "<title>", "<!--[if IE]>",
		"<script>", "<plaintext>"} {
		s := NewScanner(io.MultiReader(strings.NewReader(doc), iotest.ErrReader(gone)), Options{})
		if _, err := s.Next(); !errors.Is(err, gone) {
			t.Errorf("%s: %v", doc, err)
		}
	}
}

func TestAScannerIsUsedAgain(t *testing.T) {
	s := NewScanner(strings.NewReader("<svg><noscript><style>a"), Options{})
	for range 3 {
		if _, err := s.Next(); !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		s.Reset(strings.NewReader("<style/>"), 0, Options{})
		if _, err := s.Next(); !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		s.Reset(strings.NewReader("<a href=1><svg>"), 10, Options{})
		if l, err := s.Next(); err != nil || l.Start != 18 || l.TagStart != 10 {
			t.Fatal(l, err)
		}
		s.Reset(strings.NewReader("<style/><a href=1>"), 0, Options{})
	}
}

func ExampleScanner() {
	page := `<a href="/news?id=1&amp;page=2">News</a> <img srcset="small.png, large.png 2x">`
	s := NewScanner(strings.NewReader(page), Options{})
	for {
		link, err := s.Next()
		if err != nil {
			break
		}
		fmt.Printf("%s at %d: %s\n", link.Kind, link.Start, link.Value)
	}
	// Output:
	// navigation at 9: /news?id=1&page=2
	// candidate at 54: small.png
	// candidate at 65: large.png
}

func TestGuards(t *testing.T) {
	check(t, []row{
		{"on any element",
			`<script src=1 integrity="a" crossorigin nonce></script><a target=_top href=2 referrerpolicy=b>`,
			"script 1|guard a|guard |guard |guard _top|navigation 2|guard b"},
		{"of meta", `<meta http-equiv=x name=referrer charset=c><p name=y http-equiv=z>`, "guard x|guard referrer"},
		{"type of script", `<script type="module"></script><link type=text/css href=1>`, "guard module|relation 1"},
		{"no values of others", `<a href ping><img srcset>`, ""},
		{"in a srcdoc", `<iframe srcdoc="<a target='_top' href=1>">`, "guard _top+srcdoc|navigation 1+srcdoc"},
	}, Options{Guards: true})
	check(t, []row{{"unless they are asked for", `<a target=_top href=1 integrity crossorigin=x><meta name=y>`,
		"navigation 1"}}, Options{})
	doc := `<p><a title=x TARGET = "_top" nonce/>`
	for _, l := range links(t, doc, Options{Guards: true}) {
		if !strings.EqualFold(doc[l.Named:l.Named+int64(len(l.Attribute))], l.Attribute) ||
			doc[l.Start:l.End] != string(l.Raw) {
			t.Errorf("%+v", l)
		}
	}
}

func TestPreloads(t *testing.T) {
	for doc, want := range map[string]string{
		`<link rel=preload as=Font href=1>`: "font", `<link rel="modulepreload" href=1>`: "script",
		`<link rel=modulepreload as=worker href=1>`: "worker",
		`<link rel=prefetch href=1>`:                "", `<link href=1 as=image rel=preload>`: "image",
		`<link rel=stylesheet as=image href=1>`: "",
	} {
		if l := links(t, doc, Options{})[0]; l.As != want {
			t.Errorf("%s: %q", doc, l.As)
		}
	}
}

// TestNoFollow: with the option, links of this type are marked, also in a srcdoc, and other links are not.
func TestNoFollow(t *testing.T) {
	const page = `<a href=1 rel="noopener NOFOLLOW">x</a><area href=2 rel=nofollow><a href=3 rel=nofollowing>x</a>` +
		`<a href=4>x</a><link rel="stylesheet nofollow" href=5><iframe srcdoc="<a rel=nofollow href=6>"></iframe>`
	for _, on := range []bool{false, true} {
		s := NewScanner(strings.NewReader(page), Options{NoFollow: on})
		marked := ""
		for {
			l, err := s.Next()
			if err != nil {
				break
			}
			if l.Flags&NoFollow != 0 {
				marked += string(l.Value)
			}
		}
		if want := map[bool]string{true: "1256"}[on]; marked != want {
			t.Errorf("option %v: marked %q, want %q", on, marked, want)
		}
	}
}
