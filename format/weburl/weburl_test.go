package weburl

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

// TestParse checks clauses 3 and 4 of the URL Standard. Each result was compared with Node.js 20,
// another implementation.
func TestParse(t *testing.T) {
	for _, c := range []struct{ base, text, want string }{
		{"", "http://example.org", "http://example.org/"},
		{"", "  HTTP://Example.ORG:80/A?b#c\n", "http://example.org/A?b#c"},
		{"", "https:\\\\example.org\\a\\..\\b", "https://example.org/b"},
		{"", "http:///////example.org/", "http://example.org/"},
		{"", "http://exa\nmple.org/\ta", "http://example.org/a"},
		{"", "http://b\u00fccher.ch/", "http://xn--bcher-kva.ch/"},
		{"", "http://%62.org/", "http://b.org/"},
		{"", "http://0x7f.1/", "http://127.0.0.1/"},
		{"", "http://1.2.3.4.5/", ""},
		{"", "http://[1:0:0:2:0:0:0:3]:81/", "http://[1:0:0:2::3]:81/"},
		{"", "http://[::ffff:1.2.3.4]/", "http://[::ffff:102:304]/"},
		{"", "http://[::1%25eth0]/", ""},
		{"", "http://a b/", ""},
		{"", "http://a:70000/", ""},
		{"", "http://@/", ""},
		{"", "http://u@x:p@h/", "http://u%40x:p@h/"},
		{"", "http://h/%zz%C3%bc\u00fc`{}|", "http://h/%zz%C3%bc%C3%BC%60%7B%7D|"},
		{"", "http://h/?a='\"<\u00fc", "http://h/?a=%27%22%3C%C3%BC"},
		{"", "http://h/caf\xe9", "http://h/caf%E9"},
		{"", "mailto:a@b?subject=x y", "mailto:a@b?subject=x%20y"},
		{"", "javascript:alert(1)", "javascript:alert(1)"},
		{"", "a/b", ""},
		{"http://h/a/b/c?q#f", "", "http://h/a/b/c?q"},
		{"http://h/a/b/c?q#f", "#g", "http://h/a/b/c?q#g"},
		{"http://h/a/b/c?q#f", "?r", "http://h/a/b/c?r"},
		{"http://h/a/b/c?q#f", "d", "http://h/a/b/d"},
		{"http://h/a/b/c?q#f", "../d/./e/..", "http://h/a/d/"},
		{"http://h/a/b/c?q#f", "../../../../d", "http://h/d"},
		{"http://h/a/b/c?q#f", "%2E%2e/x", "http://h/a/x"},
		{"http://h/a/b/c?q#f", "/d", "http://h/d"},
		{"http://h/a/b/c?q#f", "//o/d", "http://o/d"},
		{"http://h/a/b/c?q#f", "\\\\o\\d", "http://o/d"},
		{"http://h/a/b/c?q#f", "http:d", "http://h/a/b/d"},
		{"http://h/a/b/c?q#f", "https:d", "https://d/"},
		{"http://h/a/b/c?q#f", "a:b", "a:b"},
		{"data:text/html,x", "d", ""},
		{"data:text/html,x", "#d", "data:text/html,x#d"},
		{"file:///C:/a/b", "/x", "file:///C:/x"},
		{"file:///C:/a/b", "..\\..\\x", "file:///C:/x"},
		{"file:///C:/a/b", "D|/x", "file:///D:/x"},
		{"file://host/a/b", "c", "file://host/a/c"},
		{"", "file://localhost/a", "file:///a"},
		{"foo://h/a/b", "../c", "foo://h/c"},
		{"foo:/a/b", "/.//c", "foo:/.//c"},
	} {
		var base *URL
		if c.base != "" {
			var err error
			if base, err = Parse(c.base, nil, nil); err != nil {
				t.Fatalf("base %q: %v", c.base, err)
			}
		}
		got := ""
		if u, err := Parse(c.text, base, nil); err == nil {
			got = u.String()
		}
		if got != c.want {
			t.Errorf("%q in %q is %q, want %q", c.text, c.base, got, c.want)
		}
	}
}

// TestQueriesAreInTheEncodingOfThePage checks queries, and that paths are UTF-8 (query state; path
// state).
func TestQueriesAreInTheEncodingOfThePage(t *testing.T) {
	latin := func(r rune) ([]byte, bool) {
		b, ok := charmap.Windows1252.EncodeRune(r)
		return []byte{b}, ok
	}
	for text, want := range map[string]string{
		"http://h/\u00fc?\u00fc#\u00fc": "http://h/%C3%BC?%FC#%C3%BC",
		"http://h/?\u0416":              "http://h/?%26%231046%3B",
		"http://h/?\xe9":                "http://h/?%E9",
		"wss://h/?\u00fc":               "wss://h/?%C3%BC",
		"foo://h/?\u00fc":               "foo://h/?%C3%BC",
	} {
		u, err := Parse(text, nil, latin)
		if err != nil || u.String() != want {
			t.Errorf("%q is %v (%v), want %s", text, u, err, want)
		}
	}
}

func TestNormal(t *testing.T) {
	if u, ok := Normal("HTTP://H:80/a b#c"); !ok || u != "http://h/a%20b" {
		t.Errorf("%q, %v", u, ok)
	}
	if u, ok := Redirected("http://h/a/b", "../c#d"); !ok || u != "http://h/c" {
		t.Errorf("%q, %v", u, ok)
	}
	if u, ok := Redirected("h", "http://i"); !ok || u != "http://i/" {
		t.Errorf("%q, %v", u, ok)
	}
	if u, ok := Redirected("h", "c"); ok || u != "" {
		t.Errorf("%q, %v", u, ok)
	}
	if u, ok := Normal("//h/a"); ok || u != "" {
		t.Errorf("%q, %v", u, ok)
	}
}

// FuzzParse checks that results are printable ASCII, and stay the same when parsed again.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"http://u:p@h:81/a/../b?c#d", "//h", "\\x", "file:///C|/..", "foo:/.//p", "a:b c ?d",
		"http://[::1]/", "http://0x.1/", "http://xn--a/", "http://\u00df.de"} {
		f.Add(s, "http://h/a/b?q")
		f.Add(s, "file:///C:/x")
		f.Add(s, "foo:/bar")
	}
	f.Fuzz(func(t *testing.T, text, from string) {
		base, _ := Parse(from, nil, nil)
		u, err := Parse(text, base, nil)
		if err != nil {
			return
		}
		s := u.String()
		for i := range len(s) {
			if s[i] < ' ' || s[i] > '~' {
				t.Fatalf("%q in %q is %q", text, from, s)
			}
		}
		if strings.Contains(u.Resource(), "#") {
			t.Fatalf("%q has a fragment", u.Resource())
		}
		again, err := Parse(s, nil, nil)
		if err != nil || again.String() != s {
			t.Fatalf("%q in %q is %q, and read again %v (%v)", text, from, s, again, err)
		}
	})
}
