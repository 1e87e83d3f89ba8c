package rtf

import (
	"fmt"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"plain":          {`{\rtf1\ansi One \b line\b0 .\par Another\tab one\par}`, "One line.|Another one"},
		"of a code page": {`{\rtf1\ansi\ansicpg1251 \'cf\'f0\'e8\'e2\'e5\'f2}`, "Привет"},
		"of a font": {`{\rtf1\ansi{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset128 Gothic;` +
			`}{\f2\fcharset204 Times;}}\f0 caf\'e9 {\f1 \'93\'8c\'8b\'9e} \f2\'cf caf\f0\'e9}`, "café 東京 П café"},
		"UTF-16": {`{\rtf1\ansi\uc1 \u26481?\u20140?{\uc2\u233\'65\'27}\u-10179?\u-8704? ` +
			`{\uc0\u8364}}`, "東京é😀 €"},
		"hidden text": {`{\rtf1{\stylesheet{\s0 Normal;}}{\*\mmathPr\mmathFont34 x}{\pict\wmetafile8 ` +
			`0102}{\*\shppict{\pict ff}}Text{\field{\*\fldinst HYPERLINK "http://x"}{\fldrslt a link}}}`, "Texta link"},
		"a binary picture": {"{\\rtf1 Before{\\pict\\bin5 }}{{x}after}", "Beforeafter"},
		"cells and rows":   {`{\rtf1\trowd a\cell b\cell\row c\par}`, "a b|c"},
		"signs": {`{\rtf1 a\~b\_c\{\\\}\emdash\ldblquote x\rdblquote\line d\` + "\n" + `e}`,
			`a b-c{\}—“x” d|e`},
		"a footnote":               {`{\rtf1 text{\footnote a note}\par}`, "texta note"},
		"more ends than there are": {`{\rtf1 a}}}} b`, "a b"},
		"cut off":                  {`{\rtf1 a {\b b \'`, "a b"},
	} {
		if got := strings.Join(Read([]byte(c.in), 1000).Paragraphs, "|"); got != c.want {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
	}
}

func TestInfo(t *testing.T) {
	d := Read([]byte(`{\rtf1\ansi{\info{\upr{\title ??}{\*\ud{\title \u26481?\u20140?}}}{\author A. Writer}{\subject `+
		`Ships}{\keywords tug}{\doccomm All of them}{\creatim\yr2015\mo1\dy2\hr3}{\operator x}{\*\company y}}text}`),
		100)
	if d.Title != "東京" || d.Author != "A. Writer" || d.Subject != "Ships" || d.Keywords != "tug" ||
		d.Description != "All of them" || d.Created != "2015-01-02" ||
		strings.Join(d.Paragraphs, "|") != "text" {
		t.Errorf("%+v", d)
	}
}

// TestBounds checks that endless text and very deep groups are read up to the bounds.
func TestBounds(t *testing.T) {
	d := Read([]byte(`{\rtf1 `+strings.Repeat("wört ", 1000)), 42)
	if !d.Cut || len(strings.Join(d.Paragraphs, "")) > 42 {
		t.Errorf("%+v", d)
	}
	d = Read([]byte(`{\rtf1 a`+strings.Repeat("{", 100_000)+`{\pict b`+strings.Repeat("}", 100_001)+`c}`), 42)
	// Beyond the remembered depth, a group belongs to the group around it.
	if got := strings.Join(d.Paragraphs, "|"); got != "a" && got != "ac" {
		t.Errorf("%q", got)
	}
	d = Read([]byte(`{\rtf1{\title `+strings.Repeat("{a}", 100_000)+`}x}`), 42)
	if len(d.Title) > maxKept || strings.Join(d.Paragraphs, "|") != "x" {
		t.Errorf("a title of %d bytes, %q", len(d.Title), d.Paragraphs)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{\rtf1\ansi{\fonttbl{\f1\fcharset128 G;}}\f1 \'93\'8c\uc2\u233 ab\par{\info{\title x}}\bin3 abc}`)
	f.Fuzz(func(t *testing.T, s string) {
		if d := Read([]byte(s), 1000); len(strings.Join(d.Paragraphs, "")) > 1000 || len(d.Title) > 4*maxKept {
			t.Errorf("%d bytes, a title of %d", len(strings.Join(d.Paragraphs, "")), len(d.Title))
		}
	})
}

func ExampleRead() {
	d := Read([]byte(`{\rtf1\ansi{\info{\title The ships}}All \i of\i0  them.\par}`), 1<<20)
	fmt.Println(d.Title, d.Paragraphs)
	// Output: The ships [All of them.]
}
