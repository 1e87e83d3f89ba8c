package xmlstream

import (
	"bytes"
	"strings"
	"testing"
)

// copyOf copies the first child of the root.
func copyOf(t *testing.T, doc string, copyIt func(*Reader, *Writer) error) (string, error) {
	t.Helper()
	r := NewReader(strings.NewReader(doc), Limits{})
	if _, err := r.Root(); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := NewWriter(&out, Options{Fragment: true})
	w.Start("copy")
	var copied error
	err := r.Each(func(Element) error {
		copied = copyIt(r, w)
		return nil
	})
	if err == nil {
		err = r.Finish()
	}
	if err != nil {
		t.Fatal(err)
	}
	if copied != nil {
		return "", copied
	}
	w.End("copy")
	err = w.Close()
	return strings.TrimSuffix(strings.TrimPrefix(out.String(), "<copy>"), "</copy>"), err
}

func TestElementsAreCopiedAsTheyAre(t *testing.T) {
	cases := []struct{ name, doc, want string }{
		{"plain", `<r><a b="c">x<d/>y</a></r>`, `<a b="c">x<d/>y</a>`},
		{"prefixes in scope", `<r xmlns:p="urn:p" xmlns:q="urn:q"><p:a type="q:name"/></r>`,
			`<p:a xmlns:p="urn:p" xmlns:q="urn:q" type="q:name"/>`},
		{"a default namespace", `<r><a xmlns="urn:d"><b/><c xmlns="">x</c></a></r>`,
			`<default:a xmlns:default="urn:d"><default:b/><c>x</c></default:a>`},
		{"a prefix that is taken", `<r xmlns:default="urn:x"><a xmlns="urn:d"/></r>`,
			`<default_:a xmlns:default="urn:x" xmlns:default_="urn:d"/>`},
		{"a prefix with another meaning inside", `<r xmlns:p="urn:1"><p:a><p:b xmlns:p="urn:2"/><p:c/></p:a></r>`,
			`<p:a xmlns:p="urn:1"><p:b xmlns:p="urn:2"/><p:c/></p:a>`},
		{"attributes of a namespace", `<r><a xmlns:x="urn:x" x:b="1" xml:lang="de"/></r>`,
			`<a xmlns:x="urn:x" x:b="1" xml:lang="de"/>`},
		{"bytes that XML cannot carry", "<r><a>x\uFFFD<?quire-bytes text eAA=?>y</a></r>",
			"<a>x\uFFFDy<?quire-bytes text eAB5?></a>"},
		{"comments and CDATA", `<r><a><!-- c --><![CDATA[<]]></a></r>`, `<a>&lt;</a>`},
	}
	for _, c := range cases {
		if got, err := copyOf(t, c.doc, (*Reader).CopyElement); got != c.want || err != nil {
			t.Errorf("%s: %s, %v; want %s", c.name, got, err, c.want)
		}
	}
}

// TestWhatCannotBeCopiedIsTold checks that an element that cannot be written is reported, and that
// the reader is after the element.
func TestWhatCannotBeCopiedIsTold(t *testing.T) {
	_, err := copyOf(t, `<r><é><x/></é></r>`, (*Reader).CopyElement)
	if err == nil || !strings.Contains(err.Error(), "not an element name") {
		t.Error(err)
	}
}
