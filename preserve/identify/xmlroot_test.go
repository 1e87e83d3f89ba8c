package identify

import (
	"strings"
	"testing"
)

// SVG without a version has no entry in PRONOM; its root element identifies it.
func TestSVGByItsRoot(t *testing.T) {
	id, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	const bare = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 30"><path d="M7 11z"/></svg>`
	const illustrator = `<!DOCTYPE svg [<!ENTITY ns_svg "http://www.w3.org/2000/svg"> ]>` +
		`<svg xmlns="&ns_svg;" width="3"><g/></svg>`
	for name, x := range map[string]struct {
		content, version string
		known            bool
	}{
		"no version":         {bare, "", true},
		"comment, BOM":       {"\xef\xbb\xbf<!-- made by a > program -->\n" + bare, "", true},
		"prefix":             {`<s:svg xmlns:s='http://www.w3.org/2000/svg'/>`, "", true},
		"entity":             {illustrator, "", true},
		"unknown version":    {strings.Replace(bare, "viewBox", `version="2.0" viewBox`, 1), "2.0", true},
		"no namespace":       {`<svg viewBox="0 0 3 3"><path d="M7 11z"/></svg>`, "", false},
		"another namespace":  {`<svg xmlns="urn:x:other"/>`, "", false},
		"a prefix of others": {`<s:svg xmlns="http://www.w3.org/2000/svg" xmlns:s="urn:x:other"/>`, "", false},
		"inside":             {`<a><svg xmlns="http://www.w3.org/2000/svg"/></a>`, "", false},
		"after text":         {`text ` + bare, "", false},
	} {
		r := id.Identify(Payload{Name: "http://x.example/a.svg", MIME: "image/svg+xml", Head: []byte(x.content)})
		if !x.known {
			if r.Name == svgName {
				t.Errorf("%s: identified as %+v", name, r)
			}
			continue
		}
		if r.Name != svgName || r.PUID != "" || r.Version != x.version || r.MIME != svgMIME ||
			!strings.HasPrefix(r.Basis, "root element svg in the namespace http://www.w3.org/2000/svg; "+
				"extension svg; declared as image/svg+xml; ") {
			t.Errorf("%s: identified as %+v", name, r)
		}
		if !r.Agrees("image/svg+xml") || !r.Agrees("text/xml") || r.Agrees("image/png") {
			t.Errorf("%s: agreement with the declared type is wrong", name)
		}
	}
	r := id.Identify(Payload{Name: "a.svg", Head: []byte(`<svg viewBox="0 0 3 3"></svg>`)})
	if r.Known() || !strings.Contains(r.Warning, "perhaps Scalable Vector Graphics: the root element is svg") {
		t.Errorf("without its namespace: %+v", r)
	}
}

// Siegfried's own result stays: a version that a signature finds has its entry.
func TestSVGBySignature(t *testing.T) {
	id, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := id.Identify(Payload{Head: []byte(`<?xml version="1.0"?>` +
		`<svg version="1.1" xmlns="http://www.w3.org/2000/svg">` +
		`<path/></svg>`)})
	if r.PUID != "fmt/92" || r.Version != "1.1" {
		t.Errorf("%+v", r)
	}
}

// The search for the root element is bounded, and survives any bytes.
func FuzzRoot(f *testing.F) {
	f.Add([]byte("<!DOCTYPE svg [<!ENTITY a \"<\"> ]><svg xmlns='&a;'>"))
	f.Add([]byte("\xef\xbb\xbf<?xml version='1.0' encoding='x'?><a:b"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if r := byRoot(Result{Warning: "no match"}, Payload{Head: b}); r.Known() && r.Basis == "" {
			t.Errorf("known without a basis: %+v", r)
		}
	})
}
