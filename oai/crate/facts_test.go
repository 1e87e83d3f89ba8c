package crate

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"quire/model"
	"quire/oai/crate/schemas"
	"quire/oai/plugin"
	"quire/oai/resource"
)

// Tools get the name and the time of the resource, which stand in the CRATE, too.
func TestNameAndTime(t *testing.T) {
	modified := time.Date(2005, 8, 29, 12, 1, 40, 0, time.UTC)
	for _, c := range []struct{ url, disposition, lastModified, name string }{
		{"http://a.example/dir/Foo%202.JPG?x=y.png", "", "Mon, 29 Aug 2005 12:01:40 GMT", "Foo 2.JPG"},
		{"http://a.example/get?id=1", `attachment; filename="re/port.pdf"`, "", "re/port.pdf"},
		{"http://a.example/get", `attachment; filename*=UTF-8''na%C3%AFve.txt`, "", "naïve.txt"},
		{"http://a.example/get.php", "nonsense;;=", "yesterday", "get.php"},
		{"http://a.example/", "", "", ""},
		{"urn:x:1", "", "", ""},
	} {
		r := page(c.url, "text/plain", "x")
		r.Header = []resource.Field{{Name: "content-disposition", Value: c.disposition},
			{Name: "last-modified", Value: c.lastModified}}
		var seen *plugin.Content
		d := &Disseminator{Tools: tools(func(c *plugin.Content) ([]plugin.Result, error) {
			seen = c
			return nil, nil
		})}
		doc, _ := read(t, record(t, d, r, "oai_crate"))
		at := time.Time{}
		if c.lastModified != "" && c.lastModified != "yesterday" {
			at = modified
		}
		if got := doc.Resources[0]; got.Name != c.name || !got.Modified.Equal(at) || seen.Name != c.name ||
			!seen.Modified.Equal(at) {
			t.Errorf("%s: document %q %s, tool %q %s; want %q %s", c.url, got.Name, got.Modified, seen.Name,
				seen.Modified, c.name, at)
		}
	}
}

// A document names its generator, and the schemas of its namespaces by their bytes.
func TestGenerator(t *testing.T) {
	d := &Disseminator{Agent: model.Agent{Name: "Test", Version: "3"}}
	doc, _ := read(t, record(t, d, foo2(), "oai_didl"))
	if g := doc.Generator; g == nil || g.Name != "Test" || g.Version != "3" || len(g.Schemas) != 2 {
		t.Fatalf("%+v", doc.Generator)
	}
	for _, s := range doc.Generator.Schemas {
		if known, ok := schemas.Named(s.SWHID); !ok || known.Namespace != s.Namespace || known.SHA256 != s.SHA256 {
			t.Errorf("%+v", s)
		}
	}
}

// The output of tools that came with a resource stands apart from that of tools run now, in a CRATE
// only, also if there are no tools here. If it is unreadable, the CRATE says so.
func TestSources(t *testing.T) {
	r := foo2()
	older := plugin.Result{Label: "file", Version: "5.30",
		Output: plugin.Output{MIMEType: "text/plain", Bytes: []byte("older output")}}
	r.Sources = func(context.Context) ([]resource.Source, error) {
		return []resource.Source{{From: "https://b.example/oai", Results: []plugin.Result{older}}}, nil
	}
	now := tools(func(*plugin.Content) ([]plugin.Result, error) { return theTools(), nil })
	for _, d := range []*Disseminator{{Tools: now}, {}} {
		text := record(t, d, r, "oai_crate")
		doc, _ := read(t, text)
		if len(doc.Sources) != 1 || len(doc.Sources[0].Results) != 1 || len(doc.Problems) > 0 ||
			string(doc.Sources[0].Results[0].Bytes) != "older output" || len(doc.Results) > 0 != (d.Tools != nil) {
			t.Errorf("%s", show(doc))
		}
		valid(t, text)
	}
	if text := record(t, &Disseminator{}, r, "oai_didl"); strings.Contains(text, "older output") {
		t.Error("oai_didl has the output of tools")
	}
	r.Withheld = "closed"
	if text := record(t, &Disseminator{Tools: now}, r, "oai_crate"); strings.Contains(text, "older output") {
		t.Error("it describes the withheld bytes")
	}
	r.Withheld, r.Sources = "", func(context.Context) ([]resource.Source, error) { return nil, errors.New("damaged") }
	text := record(t, &Disseminator{}, r, "oai_crate")
	if doc, got := read(t, text); got != jpeg || len(doc.Notices) != 1 ||
		doc.Notices[0] != (Notice{NoSource, "damaged"}) {
		t.Errorf("%s", show(doc))
	}
	valid(t, text)
}

// Documents of version 1.0 are read for ever, without the facts of later versions.
func TestVersion10(t *testing.T) {
	text, err := os.ReadFile("testdata/crate-1.0.xml")
	if err != nil {
		t.Fatal(err)
	}
	doc, got := read(t, string(text))
	if got != jpeg || len(doc.Results) != 5 || doc.Generator != nil || len(doc.Sources)+len(doc.Problems) > 0 ||
		len(doc.Head.Fields) != 5 || doc.Resources[0].Problem != "" || doc.Results[0].Label != "file" ||
		!doc.Results[0].Began.IsZero() || !doc.Created.Equal(when) {
		t.Errorf("%s", show(doc))
	}
	valid(t, string(text))
}

// No text node of a document is longer than libxml2 reads, unless the settings ask for it.
func TestReadableByLibxml2(t *testing.T) {
	const most = 10_000_000 // XML_MAX_TEXT_LENGTH
	for size, output := range map[int][]byte{DefaultByValue: bytes.Repeat([]byte("x"), 11_000_000),
		DefaultByValue + 1: make([]byte, 11_000_000)} {
		d := &Disseminator{Tools: tools(func(*plugin.Content) ([]plugin.Result, error) {
			return []plugin.Result{{Label: "long", Output: plugin.Output{Bytes: output}}}, nil
		})}
		text := record(t, d, page("http://a.example/x", "a/b", strings.Repeat("y", size)), "oai_crate")
		if n := longestText(text); n > most {
			t.Errorf("%d bytes: a text of %d bytes", size, n)
		}
		doc, got := read(t, text)
		if by := size <= DefaultByValue; (len(got) == size) != by || (len(doc.Notices) == 0) != by {
			t.Errorf("%d bytes: %d in the document, %v", size, len(got), doc.Notices)
		}
		if r := doc.Results[0]; r.Outcome != plugin.Truncated || len(r.Bytes) != MaxOutput {
			t.Errorf("%d bytes: %q, %d bytes", size, r.Outcome, len(r.Bytes))
		}
	}
	if n := longestText(record(t, &Disseminator{ByValue: 8 << 20},
		page("http://a.example/x", "a/b", strings.Repeat("y", MaxReadable)), "oai_didl")); n != most {
		t.Errorf("MaxReadable makes a text of %d bytes", n)
	}
	if TooLargeByValue(MaxReadable) != "" || !strings.Contains(TooLargeByValue(MaxReadable+1), "7500000") {
		t.Error(TooLargeByValue(MaxReadable + 1))
	}
}

// longestText returns the size of the longest text in a document without escapes, in bytes.
func longestText(doc string) (most int) {
	for tag := range strings.SplitSeq(doc, "<") {
		_, text, _ := strings.Cut(tag, ">")
		most = max(most, len(text))
	}
	return most
}
