package xmlstream

import (
	"encoding/xml"
	"strings"
	"testing"
)

func TestAppendText(t *testing.T) {
	cases := []struct {
		name, in, text, attr string
		intact               bool
	}{
		{"plain", "Hello, World", "Hello, World", "Hello, World", true},
		{"markup (2.4)", `a<b>&"c"`, `a&lt;b&gt;&amp;"c"`, `a&lt;b&gt;&amp;&quot;c&quot;`, true},
		{"end of CDATA (2.4)", "]]>", "]]&gt;", "]]&gt;", true},
		{"white space (2.11, 3.3.3)", "a\tb\nc\rd\r\n", "a\tb\nc&#13;d&#13;\n", "a&#9;b&#10;c&#13;d&#13;&#10;", true},
		{"beyond ASCII", "Übergröße 日本 \U0001F4DC", "Übergröße 日本 \U0001F4DC", "Übergröße 日本 \U0001F4DC", true},
		{"delete and C1 controls are allowed", "\x7f\u0085\u009f", "\x7f\u0085\u009f", "\x7f\u0085\u009f", true},
		{"a replacement character that was there", "\uFFFD", "\uFFFD", "\uFFFD", true},
		{"control characters (2.2)", "a\x00b\x1bc", "a\uFFFDb\uFFFDc", "a\uFFFDb\uFFFDc", false},
		{"U+FFFE and U+FFFF (2.2)", "\uFFFE-\uFFFF", "\uFFFD-\uFFFD", "\uFFFD-\uFFFD", false},
		{"a surrogate in UTF-8", "\xed\xa0\x80", "\uFFFD\uFFFD\uFFFD", "\uFFFD\uFFFD\uFFFD", false},
		{"ISO 8859-1", "caf\xe9!", "caf\uFFFD!", "caf\uFFFD!", false},
		{"a cut UTF-8 sequence", "\xe6\x97", "\uFFFD\uFFFD", "\uFFFD\uFFFD", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text, intact := AppendText([]byte("x"), c.in)
			if string(text) != "x"+c.text || intact != c.intact {
				t.Errorf("text: %q, intact %v; want %q, %v", text, intact, c.text, c.intact)
			}
			attr, intact := AppendAttr(nil, c.in)
			if string(attr) != c.attr || intact != c.intact {
				t.Errorf("attribute: %q, intact %v; want %q, %v", attr, intact, c.attr, c.intact)
			}
			if same := Sanitize(c.in) == c.in; same != c.intact {
				t.Errorf("Sanitize keeps the value: %v, but it is intact: %v", same, c.intact)
			}
		})
	}
}

// FuzzEscape checks the package's promise for any bytes: the document is well-formed, an ordinary
// parser sees the value with replacements, and Reader returns every byte.
func FuzzEscape(f *testing.F) {
	for _, s := range nasty {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, attr, text string) {
		doc := writeValues(t, attr, text)

		var plain struct {
			Attr string `xml:"a,attr"`
			Text string `xml:",chardata"`
		}
		if err := xml.Unmarshal([]byte(doc), &plain); err != nil {
			t.Fatalf("not well-formed: %v\n%q", err, doc)
		}
		if plain.Attr != Sanitize(attr) || plain.Text != Sanitize(text) {
			t.Errorf("a stranger reads %q and %q; want %q and %q", plain.Attr, plain.Text, Sanitize(attr),
				Sanitize(text))
		}

		r := NewReader(strings.NewReader(doc), Limits{})
		e, err := r.Root()
		if err != nil {
			t.Fatalf("%v\n%q", err, doc)
		}
		got, err := r.Text()
		if err != nil {
			t.Fatalf("%v\n%q", err, doc)
		}
		if e.Attr("a") != attr || got != text {
			t.Errorf("read %q and %q; want %q and %q", e.Attr("a"), got, attr, text)
		}
		if err := r.Finish(); err != nil {
			t.Error(err)
		}
	})
}

// nasty are values as crawls contain them.
var nasty = []string{
	"", "plain", "]]>", "a\rb\r\nc\td", "\x00", "\x00\x01\x1f\x7f", "caf\xe9", "\xff\xfe", "\xed\xa0\x80\xed\xb0\x80",
	"\uFFFD", "\uFFFE\uFFFF", "\U0001F600", "<?quire-bytes text AAAA?>", `"'<>&`, "http://a/?q=\x1b[31m&x=<y>",
	strings.Repeat("x", chunkSize-1) + "日本", strings.Repeat("\x80", chunkSize+5), strings.Repeat("é\x00", chunkSize),
	" \n leading and trailing \t ",
}

func writeValues(t *testing.T, attr, text string) string {
	t.Helper()
	var out strings.Builder
	w := NewWriter(&out, Options{})
	w.Start("e")
	w.Attr("a", attr)
	w.Text(text)
	w.End("e")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
