package htmllink

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// elementsOf returns the elements of a document in short form.
func elementsOf(t testing.TB, doc string, o Options) string {
	t.Helper()
	s := NewScanner(strings.NewReader(doc), o)
	var all []string
	s.Element = func(e *Element) {
		if doc[e.Start] != '<' || doc[e.End-1] != '>' || e.TextLength < int64(len(e.Text)) || len(e.Text) > MaxText {
			t.Fatalf("%q: an element from %d to %d, with %d of %d bytes", doc, e.Start, e.End, len(e.Text),
				e.TextLength)
		}
		if e.Name == "title" && !strings.HasPrefix(doc[e.End:], string(e.Text)) {
			t.Fatalf("%q: %q is not its text", doc, e.Text)
		}
		told := e.Name
		for _, name := range []string{"lang", "name", "property", "http-equiv", "charset", "content", "href"} {
			if raw, length, ok := e.Attribute(name); ok {
				told += fmt.Sprintf(" %s=%s/%d", name, raw[:min(len(raw), 20)], length)
			}
		}
		if e.Name == "title" {
			told += fmt.Sprintf(" %q/%d", e.Text[:min(len(e.Text), 20)], e.TextLength)
		}
		all = append(all, told)
	}
	for {
		if _, err := s.Next(); err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, ErrUTF16) {
				t.Fatal(err)
			}
			return strings.Join(all, "|")
		}
	}
}

// TestElements: HTML, 13.2.5 (tokens), 13.2.6.4.4 (head), 13.2.6.5 (foreign content).
func TestElements(t *testing.T) {
	for _, c := range []struct {
		name, doc string
		xml       bool
		want      string
	}{
		{"in order", `<html lang=de><base href="/x"><meta charset=utf-8><title>A &amp; b</title>`, false,
			`html lang=de/2|base href=/x/2|meta charset=utf-8/5|title "A &amp; b"/9`},
		{"meta", `<META NAME="a" Content='b&quot;'>`, false, `meta name=a/1 content=b&quot;/7`},
		{"the first of an attribute twice counts", `<meta name=a name=b content=c>`, false,
			`meta name=a/1 content=c/1`},
		{"markup in a title is text", `<title><b>x</b><a href=y></title><meta name=z>`, false,
			`title "<b>x</b><a href=y>"/18|meta name=z/1`},
		{"a title that does not end", `<title>x</titl`, false, `title "x</titl"/7`},
		{"of SVG there is none", `<svg><title>x</title></svg><title>y</title>`, false, `title "y"/1`},
		{"nor in hidden content",
			`<noscript><title>x</title></noscript><!--[if IE]><title>y</title><![endif]--><!-- <meta name=a> -->`,
			false, ``},
		{"XHTML", `<title/><title>x<![CDATA[<]]></title>`, true, `title "x<![CDATA[<]]>"/14`},
		{"lang of other elements is not asked for", `<p lang=de><link lang=de rel=x href=y>`, false, ``},
		{"a long one", `<title>` + strings.Repeat("x", MaxText+9) + `</title>`, false,
			`title "xxxxxxxxxxxxxxxxxxxx"/65545`},
		{"a long value", `<meta name=a content="` + strings.Repeat("x", MaxValue+9) + `">`, false,
			`meta name=a/1 content=xxxxxxxxxxxxxxxxxxxx/262153`},
	} {
		if got := elementsOf(t, c.doc, Options{XML: c.xml}); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestUnescape(t *testing.T) {
	for raw, want := range map[string]string{"a": "a", "?a=1&copy=2&amp;x": "?a=1&copy=2&x",
		"&eacute;\xe9": "\u00e9\xe9", "\x00": "\ufffd"} {
		if got := string(Unescape([]byte(raw))); got != want {
			t.Errorf("%q is %q, want %q", raw, got, want)
		}
	}
}

// FuzzElements checks that requesting elements does not change the links.
func FuzzElements(f *testing.F) {
	f.Add("<title>x</title><a href=b lang=c>", false)
	f.Add("<svg><title><a href=x></svg><title><", true)
	f.Fuzz(func(t *testing.T, doc string, xml bool) {
		elementsOf(t, doc, Options{XML: xml})
		if xml || strings.HasPrefix(doc, "\xff\xfe") || strings.HasPrefix(doc, "\xfe\xff") {
			return // where a title is markup, its links become text on request
		}
		want := told(links(t, doc, Options{}))
		s := NewScanner(strings.NewReader(doc), Options{})
		s.Element = func(*Element) {}
		var found []Link
		for {
			l, err := s.Next()
			if err != nil {
				break
			}
			found = append(found, Link{Kind: l.Kind, Flags: l.Flags, Value: append([]byte(nil), l.Value...)})
		}
		if got := told(found); got != want {
			t.Fatalf("%q: %s, want %s", doc, got, want)
		}
	})
}
