package pages

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"

	"quire/format/htmllink"
)

// TestASCIIIsTheSameEverywhere checks that no encoding of the web changes the bytes that are decoded
// without it.
func TestASCIIIsTheSameEverywhere(t *testing.T) {
	var all []byte
	for c := range byte(0x7f) {
		if isASCII([]byte{c}) {
			all = append(all, c)
		}
	}
	for _, name := range []string{"utf-8", "windows-1252", "ibm866", "iso-8859-8-i", "koi8-u",
		"macintosh", "x-mac-cyrillic",
		"gbk", "gb18030", "big5", "euc-jp", "iso-2022-jp", "shift_jis", "euc-kr", "x-user-defined"} {
		e, err := htmlindex.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := e.NewDecoder().Bytes(all); err != nil || string(got) != string(all) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := (Charset{Name: "replacement"}).decode([]byte("a")); err == nil {
		t.Error("the encoding of nothing decodes a byte")
	}
	if isASCII([]byte("\x1b")) || isASCII([]byte("\x7f")) || isASCII([]byte("\x80")) {
		t.Error("shifts and other bytes count as ASCII")
	}
}

// TestFragmentsAsParsed checks that a link to a place in the page is resolved as the parser does.
func TestFragmentsAsParsed(t *testing.T) {
	for _, page := range []string{"http://h.example/a/?q#f", "https://h.example", "http://u:p@h.example:8080/a/../b",
		"file:///C:/a", "data:text/plain,a", "urn:x:y", "not a URL"} {
		r := (&Declared{}).Resolver(page)
		for _, href := range []string{"#", "#top", "#a.b_c:d/e-f", "#a b", "#ü", "#a(b,c[])", "#%5B%5d",
			"#!a?b=c;d", "#a*b~c@d$e+f'g",
			"#%41", "#a#b", "#a&amp;b", " #x", "#x ",
			"#a\tb", "#<>"} {
			to, fragment := r.parse([]byte(href))
			want := Target{URL: to.URL, Fragment: string(fragment)}
			if got, some := r.Resolve([]byte(href)); got != want || some != to.ok {
				t.Errorf("%s in %s: %+v, %v, want %+v, %v", href, page, got, some, want, to.ok)
			}
		}
	}
	if r := (&Declared{}).Resolver("http://h.example/"); !r.isFragment([]byte("#top")) || r.isFragment([]byte("#a b")) {
		t.Error("the wrong links are resolved without the parser")
	}
}

// TestWordsAsCollapsed checks the texts that need no work.
func TestWordsAsCollapsed(t *testing.T) {
	r := (&Declared{}).Resolver("http://h.example/")
	for _, text := range []string{"", " ", "a", "a b", "a  b", " a", "a ", "a\nb",
		"a\u00a0b", "a&amp;b", "a&nbsp;b", "\x00", "\x85"} {
		decoded := strings.ToValidUTF8(text, "\uFFFD")
		want := strings.Join(strings.Fields(string(htmllink.Unescape([]byte(decoded)))), " ")
		if got := string(r.Words([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
