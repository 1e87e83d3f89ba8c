//go:build interop

package aip

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

// checkReferences checks that each ID of METS is unique, and that all references, links and labels
// find their target. xmllint only validates the form of references.
func checkReferences(t *testing.T, path string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ids, labels := map[string]bool{}, map[string]bool{}
	refs, ends := map[string]bool{}, map[string]bool{}
	x := xml.NewDecoder(f)
	for {
		token, err := x.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		e, ok := token.(xml.StartElement)
		if !ok || e.Name.Space != "mets" { // RawToken, with Quire's prefix, is three times as fast as Token
			continue
		}
		for _, a := range e.Attr {
			switch {
			case a.Name.Local == "ID" && a.Name.Space == "":
				once(t, ids, a.Value)
			case a.Name.Local == "label" && a.Name.Space == "xlink":
				once(t, labels, a.Value)
			case a.Name.Local == "ADMID", a.Name.Local == "DMDID", a.Name.Local == "FILEID":
				for _, ref := range strings.Fields(a.Value) {
					refs[ref] = true
				}
			case e.Name.Local == "smLink" && (a.Name.Local == "from" || a.Name.Local == "to"):
				ends[a.Value] = true
			}
		}
	}
	found(t, refs, ids)
	found(t, ends, labels)
	if len(refs) == 0 {
		t.Error("nothing refers to anything")
	}
}

func once(t *testing.T, known map[string]bool, name string) {
	t.Helper()
	if known[name] {
		t.Errorf("%q is there twice", name)
	}
	known[name] = true
}

func found(t *testing.T, refs, names map[string]bool) {
	t.Helper()
	for ref := range refs {
		if !names[ref] {
			t.Errorf("%q names nothing", ref)
		}
	}
}
