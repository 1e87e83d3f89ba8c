package xmlstream

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestReaderWalks(t *testing.T) {
	const doc = `<?xml version="1.0"?><!-- c --><p:a xmlns:p="urn:p" x="1" p:x="2"><p:b>one</p:b>
		<p:skipped><deep><deeper/></deep>left alone</p:skipped><!-- c --><c xmlns="urn:c">t<![CDATA[w]]>o&` +
		`#x20;</c></p:a><?end?>`
	r := NewReader(strings.NewReader(doc), Limits{})
	root, err := r.Root()
	if err != nil {
		t.Fatal(err)
	}
	if !root.Is("urn:p", "a") || root.Attr("x") != "1" || root.AttrNS("urn:p", "x") != "2" || len(root.Attrs) != 2 {
		t.Errorf("root %+v", root)
	}
	var got []string
	err = r.Each(func(e Element) error {
		if e.Local == "skipped" {
			return nil
		}
		s, err := r.Text()
		got = append(got, e.Space+" "+e.Local+" "+s)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"urn:p b one", "urn:c c two "}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("children %q; want %q", got, want)
	}
	if err := r.Finish(); err != nil {
		t.Error(err)
	}
}

// TestReaderKeepsItsPlace checks that other elements are read correctly, even if a visit reads its
// own element only partly, twice, or not at all.
func TestReaderKeepsItsPlace(t *testing.T) {
	const doc = `<a><b><c/><d/></b><b><c/><d/></b><e/></a>`
	r := NewReader(strings.NewReader(doc), Limits{})
	if _, err := r.Root(); err != nil {
		t.Fatal(err)
	}
	stop := errors.New("enough")
	var seen []string
	err := r.Each(func(e Element) error {
		seen = append(seen, e.Local)
		if len(seen) != 2 {
			return nil
		}
		if err := r.Skip(); err != nil {
			return err
		}
		if err := r.Skip(); err == nil {
			t.Error("an element can be read twice")
		}
		return stop
	})
	if !errors.Is(err, stop) || len(seen) != 2 {
		t.Errorf("error %v after %v; want %v after two", err, seen, stop)
	}
}

func TestReaderRefuses(t *testing.T) {
	deep := strings.Repeat("<a>", 300)
	many := "<a"
	for i := range 300 {
		many += fmt.Sprintf(" b%d=''", i)
	}
	cases := []struct{ name, doc, want string }{
		{"nothing", "", "no element"},
		{"white space", " \n", "no element"},
		{"no XML", "WARC/1.0", "outside the root"},
		{"a document type", `<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>`, "document type"},
		{"an entity of its own", `<a>&x;</a>`, "entity"},
		{"a reference to a forbidden character", `<a>&#0;</a>`, "illegal"},
		{"a control character", "<a>\x01</a>", "illegal"},
		{"broken UTF-8", "<a>\xff</a>", "UTF-8"},
		{"another encoding", `<?xml version="1.0" encoding="ISO-8859-1"?><a/>`, "encoding"},
		{"an XML declaration in the middle", `<a><?xml version="1.0"?></a>`, "an XML declaration within the document"},
		{"a cut document", `<a><b>`, "EOF"},
		{"the end of another element", `<a></b>`, "element <a> closed by </b>"},
		{"a second root", `<a/><b/>`, "second root"},
		{"text behind the root", `<a/>x`, "outside the root"},
		{"an attribute twice", `<a b="1" b="2"/>`, "occurs twice"},
		{"an attribute twice under two prefixes", `<a xmlns:p="u" xmlns:q="u" p:b="1" q:b="2"/>`, "occurs twice"},
		{"depth", deep, "exceeds a limit"},
		{"attributes", many + "/>", "more than 256 attributes"},
		{"attributes after text", "<a>text" + many + "/></a>", "more than 256 attributes"},
		{"a long token", "<a><!--" + strings.Repeat("x", 2000), "exceeds a limit"},
		{"open tags that are long together", strings.Repeat("<a b='"+strings.Repeat("x", 300)+"'>", 5),
			"exceeds a limit"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			limits := Limits{Token: 1000}
			if c.name == "depth" || strings.HasPrefix(c.name, "attributes") {
				limits = Limits{}
			}
			err := readAll(c.doc, limits)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v; want one with %q", err, c.want)
			}
			var at *ReadError
			if !errors.As(err, &at) || at.Line < 1 {
				t.Errorf("%v says no place", err)
			}
		})
	}
}

func readAll(doc string, limits Limits) error {
	r := NewReader(strings.NewReader(doc), limits)
	if _, err := r.Root(); err != nil {
		return err
	}
	return r.Finish()
}

func TestReaderRefusesWrongOriginals(t *testing.T) {
	cases := []struct{ name, doc, want string }{
		{"the text was edited", "<a>changed<?quire-bytes text AA==?></a>", "the value was edited"},
		{"the attribute was edited", `<a b="changed"><?quire-bytes @b AA==?></a>`, "the value was edited"},
		{"the attribute is gone", `<a><?quire-bytes @b AA==?></a>`, "no such attribute"},
		{"the attribute is another's", `<a xmlns:p="u" p:b="` + "\uFFFD" + `"><?quire-bytes @b AA==?></a>`,
			"no such attribute"},
		{"an attribute's, behind text", "<a b='\uFFFD'>x<?quire-bytes @b AA==?></a>", "does not follow its start tag"},
		{"the text before belongs to another", "<a>\uFFFD<?quire-bytes text AA==?><?quire-bytes text AA==?></a>",
			"the value was edited"},
		{"no base64", "<a>\uFFFD<?quire-bytes text A?></a>", "base64"},
		{"no kind", "<a>\uFFFD<?quire-bytes AA==?></a>", "want a kind"},
		{"an unknown kind", "<a>\uFFFD<?quire-bytes tail AA==?></a>", "neither text nor an attribute"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := NewReader(strings.NewReader(c.doc), Limits{})
			_, err := r.Root()
			if err == nil {
				_, err = r.Text()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v; want one with %q", err, c.want)
			}
		})
	}
}

func TestReaderRestores(t *testing.T) {
	const doc = `<p:a xmlns:p="urn:p" p:x="` + "\uFFFD" + `" x="` + "caf\uFFFD" + `"><?quire-bytes @p:x AA==?>` +
		`<?quire-bytes @x Y2Fm6Q==?>one ` + "\uFFFD" + `<?quire-bytes text AQ==?> two<!-- c --> ` + "\uFFFD" +
		`<?quire-bytes text IP8=?></p:a>`
	r := NewReader(strings.NewReader(doc), Limits{})
	e, err := r.Root()
	if err != nil {
		t.Fatal(err)
	}
	text, err := r.Text()
	if err != nil {
		t.Fatal(err)
	}
	if e.AttrNS("urn:p", "x") != "\x00" || e.Attr("x") != "caf\xe9" || text != "one \x01 two \xff" {
		t.Errorf("p:x %q, x %q, text %q", e.AttrNS("urn:p", "x"), e.Attr("x"), text)
	}
}

func TestEach(t *testing.T) {
	cases := []struct{ name, doc, want string }{
		{"text between elements", `<a><b/>text</a>`, "text where only elements are allowed"},
		{"another namespace", `<a><b xmlns="urn:x"/></a>`, "unknown element"},
		{"an original without its text", `<a><?other?><b/><?quire-bytes text AA==?></a>`, "without its value"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := NewReader(strings.NewReader(c.doc), Limits{})
			if _, err := r.Root(); err != nil {
				t.Fatal(err)
			}
			err := r.EachIn("", func(Element) error { return nil })
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v; want one with %q", err, c.want)
			}
		})
	}
}

func TestOnUnknown(t *testing.T) {
	r := NewReader(strings.NewReader(`<a><b xmlns="urn:x"><c/></b><d/></a>`), Limits{})
	var told []string
	r.OnUnknown = func(path string) { told = append(told, path) }
	if _, err := r.Root(); err != nil {
		t.Fatal(err)
	}
	var known []string
	err := r.EachIn("", func(e Element) error {
		known = append(known, e.Local)
		return nil
	})
	if err != nil || fmt.Sprint(told, known) != "[/a/b] [d]" {
		t.Errorf("reported %v, known %v, error %v", told, known, err)
	}
}

func TestWhole(t *testing.T) {
	doc := "<a>" + strings.Repeat("<b>some text</b>", 1000) + "</a>"
	for _, limits := range []Limits{{Entity: 5000}, {Elements: 300}} {
		r := NewReader(strings.NewReader(doc), limits)
		if _, err := r.Root(); err != nil {
			t.Fatal(err)
		}
		n := 0
		err := r.Whole(func() error {
			return r.Each(func(Element) error {
				n++
				return nil
			})
		})
		if !errors.Is(err, ErrLimit) || n < 250 || n > 350 {
			t.Errorf("%+v: error %v after %d elements; want the limit after some 300", limits, err, n)
		}
	}
}

// TestAttributesAreCountedWell checks that quotes in text, comments and values do not count as
// attributes.
func TestAttributesAreCountedWell(t *testing.T) {
	quotes := strings.Repeat(`'"='`, 1000)
	doc := `<?p ` + quotes + `?><!-- ` + quotes + ` --><a b="` + strings.ReplaceAll(quotes, `"`, "") + `">` + quotes +
		`<c d='1' e="2"/>` + quotes + `<![CDATA[` + quotes + `]]></a>`
	if err := readAll(doc, Limits{Attributes: 2}); err != nil {
		t.Error(err)
	}
	if err := readAll(doc, Limits{Attributes: 1}); !errors.Is(err, ErrLimit) {
		t.Errorf("error %v; want the limit", err)
	}
}

func FuzzReader(f *testing.F) {
	f.Add(`<a xmlns="u" b="1"><c>x</c><!-- --><?p i?></a>`)
	f.Add("<a b='\uFFFD'><?quire-bytes @b AA==?>\uFFFD<?quire-bytes text AA==?></a>")
	f.Add(`<!DOCTYPE a><a/>`)
	f.Fuzz(func(_ *testing.T, doc string) {
		r := NewReader(strings.NewReader(doc), Limits{Depth: 20, Token: 1 << 12, Attributes: 20})
		r.OnUnknown = func(string) {}
		if _, err := r.Root(); err != nil {
			return
		}
		var walk func(Element) error
		walk = func(e Element) error {
			if e.Local == "t" {
				_, err := r.Text()
				return err
			}
			return r.Each(walk)
		}
		if err := r.Each(walk); err == nil {
			_ = r.Finish() // may fail, but must return
		}
	})
}

func ExampleReader() {
	r := NewReader(strings.NewReader(`<list><item n="1">one</item><item n="2">two</item></list>`), Limits{})
	if _, err := r.Root(); err != nil {
		fmt.Println(err)
		return
	}
	err := r.Each(func(e Element) error {
		text, err := r.Text()
		fmt.Println(e.Attr("n"), text)
		return err
	})
	fmt.Println(err)
	// Output:
	// 1 one
	// 2 two
	// <nil>
}
