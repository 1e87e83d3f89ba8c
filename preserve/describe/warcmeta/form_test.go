package warcmeta

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/internal/schematest"
	"quire/internal/testsamples"
	"quire/metadata/oclc"
	"quire/preserve/describe"
)

// catalogue are the forms of catalogues, with the schema that each is valid by; xmllint validates
// EAD3 in interop/describe. MarcXchange has no schema in the set.
var catalogue = map[Form]string{MARCXML: "mets-all.xsd", MarcXchange: "", MODS: "mets-all.xsd", EAD3: "",
	EAD2002: "mets-all.xsd", OAIDC: "mets-all.xsd"}

// TestCatalogueForms: a record of each form is valid, states its standard, and is read back. A second
// run at another time writes nothing; a changed row replaces it.
func TestCatalogueForms(t *testing.T) {
	dir := t.TempDir()
	crawl(t, filepath.Join(dir, "a.warc.gz"), "2015-07-08 http://a.org/ 200")
	o := options(row(1, "http://a.org/", oclc.Statement{Element: oclc.Note, Value: "note"}))
	o.Out = dir
	for f := range catalogue {
		o.As = append(o.As, f)
	}
	if r := run(t, dir, o); r.Written != 6 || len(r.Described[0].Records) != 6 {
		t.Fatalf("%+v", r)
	}
	all := list(t, dir)
	if len(all) != 6 {
		t.Fatalf("%+v", all)
	}
	for _, l := range all {
		schema, ok := catalogue[l.Format]
		if !ok || l.Problem != "" || !strings.Contains(l.Document, "Title 1") || l.Record != nil {
			t.Errorf("%+v", l)
		}
		if schema != "" {
			schematest.Valid(t, testsamples.Path(t, "schemas", "drivers", schema), []byte(l.Document))
		}
	}
	later := o
	later.Now = func() time.Time { return noon.Add(48 * time.Hour) }
	if r := run(t, dir, later); r.Written != 0 || r.Unchanged != 6 {
		t.Errorf("a day later %+v", r)
	}
	later.Rows = []describe.Description{row(1, "http://a.org/", oclc.Statement{Element: oclc.Note, Value: "changed"})}
	if r := run(t, dir, later); r.Written != 6 || r.Replacing != 6 {
		t.Errorf("a changed row: %+v", r)
	}
}

// TestLossesOfAForm: the values that a form cannot hold are in the result, and none of the lossless
// forms has any.
func TestLossesOfAForm(t *testing.T) {
	dir := t.TempDir()
	crawl(t, filepath.Join(dir, "a.warc.gz"), "2015-07-08 http://a.org/ 200")
	o := options(row(1, "http://a.org/"))
	o.As = append([]Form{MARCXML}, lossless...)
	for _, a := range run(t, dir, o).Described[0].Records {
		if got := len(a.Losses); got != map[Form]int{MARCXML: 1}[a.Format] {
			t.Errorf("%s: %d losses", a.Format, got)
		}
	}
}

// TestDamagedForm: a document of a catalogue that is not whole, or of another standard, has a
// problem.
func TestDamagedForm(t *testing.T) {
	dir := t.TempDir()
	crawl(t, filepath.Join(dir, "a.warc"), "2015-07-08 http://a.org/ 200")
	o := options(row(1, "http://a.org/"))
	o.InPlace, o.As = true, []Form{MODS}
	if r := run(t, dir, o); r.Written != 1 {
		t.Fatalf("%+v", r)
	}
	path := filepath.Join(dir, "a.warc")
	good := read(t, path)
	for _, c := range []struct{ old, new, want string }{
		{"</mods:mods>", "</mods:mids>", "digest does not match"},
		{"application/mods+xml", "application/mads+xml", "not supported"},
	} {
		if err := os.WriteFile(path, bytes.ReplaceAll(good, []byte(c.old), []byte(c.new)), 0o644); err != nil {
			t.Fatal(err)
		}
		if all := list(t, dir); len(all) != 1 || !strings.Contains(all[0].Problem, c.want) {
			t.Errorf("%s: %+v", c.new, all)
		}
	}
	for _, doc := range []string{"<mods", `<mods xmlns="http://www.loc.gov/mods/v3"><a></mods>`, "<mods/>",
		`<mods xmlns="http://www.loc.gov/mods/v3"/><more/>`} {
		if _, err := readForm(MODS, []byte(doc)); err == nil {
			t.Errorf("%s was read", doc)
		}
	}
}

// metadata returns a metadata record.
func metadata(contentType, document string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: metadata\r\nWARC-Record-ID: <urn:x:json>\r\nWARC-Date: "+
		"2019-03-02T00:00:00Z\r\nWARC-Target-URI: http://a.org/home\r\nWARC-Refers-To: <urn:x:0>\r\n"+
		"Content-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", contentType, len(document), document)
}

// TestOwnJSON: a description that another system wrote as JSON is listed with the elements of OCLC.
// Other JSON is not.
func TestOwnJSON(t *testing.T) {
	const promise = `{"Collector": "KBR", "Title": {"fr": "Bureau", "nl": "Kantoor"}, "Language": ["fr", "nl"],
		"Source of Description": "home page", "URL": "http://a.org/", "Shelf": 7}`
	for _, c := range []struct {
		contentType, document string
		values                int // -1: no description
		unread                string
	}{
		{"application/json", promise, 7, "Shelf"},
		{"text/json; charset=utf-8", promise, 7, "Shelf"},
		{"application/vnd.youtube-dl_formats+json", promise, -1, ""},
		{"application/json", `{"title": "x", "url": "http://a.org/"}`, -1, ""},
		{"application/json", promise[:40], -1, ""},
	} {
		dir := t.TempDir()
		path := crawl(t, filepath.Join(dir, "a.warc"), "2015-07-08 http://a.org/ 200")
		content := append(read(t, path), metadata(c.contentType, c.document)...)
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		all := list(t, dir)
		if c.values < 0 {
			if len(all) != 0 {
				t.Errorf("%s as %s: %+v", c.document, c.contentType, all)
			}
			continue
		}
		if len(all) != 1 {
			t.Errorf("%s as %s: %+v", c.document, c.contentType, all)
			continue
		}
		l := all[0]
		if !l.Own || len(l.Record) != c.values || strings.Join(l.Unread, " ") != c.unread || l.URL != "http://a.org/" ||
			l.RefersTo != "<urn:x:0>" || l.Document != c.document || l.Format != JSON {
			t.Errorf("%+v", l)
		}
		// Descriptions from a sheet are added beside it.
		o := options(row(1, "http://a.org/"))
		o.InPlace = true
		if r := run(t, dir, o); r.Written != 1 || len(list(t, dir)) != 2 {
			t.Errorf("%+v", r)
		}
	}
}
