package ead

import (
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"quire/internal/schematest"
	"quire/internal/testsamples"
	"quire/metadata/xmlstream"
)

func full() Document {
	t := func(s, lang string) Text { return Text{s, lang} }
	site := Unit{
		Level: "website", ID: "site-1", Titles: []Text{t("Statistiques", "fr"), t("統計 \x00caf\xe9 ]]>", "ja")},
		Dates: []Date{{t("2015", ""), "2015", "creation"},
			{t("since spring", "en"), "2015-03/2016-02-29", "captured"}, {Text: t("?", "")}},
		Keepers:    []Text{t("Example Library", "en")},
		Originated: []Name{{"", t("Statbel", ""), "creator"}, {"persname", t("A. N. Other", ""), ""}},
		Languages:  []Language{{t("French", "en"), "fre"}, {Text: t("something", "")}},
		Extents:    []Text{t("1 website", "en"), t("3 WARC files", "en")},
		Addresses:  []Address{{"http://example.be/", "seed"}, {Href: "http://archive.example/é"}},
		Access: []Term{{"subject", t("Statistics", "en"), ""}, {"genreform", t("website", ""), ""},
			{"name", t("Helper", ""), "contributor"}},
	}
	for _, k := range NoteKinds {
		site.Notes = append(site.Notes, Note{Kind: k, Text: t("a note\r\nof two lines", "en"), Head: "Head"},
			Note{Kind: k, Text: t("", "")})
	}
	for _, k := range TermKinds {
		site.Access = append(site.Access, Term{Kind: k, Text: t("x", "")})
	}
	page := Unit{Level: "item", Titles: []Text{t("A page", "")}}
	site.Parts = []Unit{page, page}
	return Document{ID: "aid-1", Title: "Finding aid", Agency: "Example Library",
		Created: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Software: "Quire 1",
		Unit: Unit{Level: "collection", Titles: []Text{t("All", "en")}, Parts: []Unit{site, page}}}
}

func write(v Version, d Document) (string, error) {
	var out strings.Builder
	x := xmlstream.NewWriter(&out, xmlstream.Options{})
	if err := Write(x, v, d); err != nil {
		return "", err
	}
	err := x.Close()
	return out.String(), err
}

func read(doc string, unknown func(string)) (Document, Version, error) {
	r := xmlstream.NewReader(strings.NewReader(doc), xmlstream.Limits{Token: 1 << 16, Entity: 1 << 20})
	r.OnUnknown = unknown
	if _, err := r.Root(); err != nil {
		return Document{}, "", err
	}
	d, v, err := Read(r)
	if err == nil {
		err = r.Finish()
	}
	return d, v, err
}

// TestRoundTrip does not validate EAD3 in Go, because the Go validator cannot read ead3.xsd;
// xmllint does it in interop/crosswalks.
func TestRoundTrip(t *testing.T) {
	doc, err := write(EAD3, full())
	if err != nil {
		t.Fatal(err)
	}
	got, v, err := read(doc, nil)
	if err != nil || v != EAD3 || !reflect.DeepEqual(got, full()) {
		t.Errorf("read %+v, %v\n%s", got, err, doc)
	}
	old, err := write(EAD2002, full())
	if err != nil {
		t.Fatal(err)
	}
	schematest.Valid(t, testsamples.Path(t, "schemas", "drivers", "mets-all.xsd"), []byte(old))
	// EAD 2002 loses only the languages of texts: converted to EAD3, it equals a document without
	// them.
	got, v, err = read(old, func(path string) {
		if !strings.Contains(path, "creation") && !strings.Contains(path, "langusage") {
			t.Error("no place for", path)
		}
	})
	if err != nil || v != EAD2002 {
		t.Fatal(err, v)
	}
	got.Created, got.Software = full().Created, full().Software // within text in EAD 2002
	again, err := write(EAD2002, got)
	if err != nil || again != old {
		t.Errorf("%v: written again it is\n%s\nand was\n%s", err, again, old)
	}
	if l := got.Parts[0].Titles[0]; l != (Text{Text: "Statistiques"}) {
		t.Errorf("%+v", l)
	}
}

func TestReadSamples(t *testing.T) {
	for name, want := range map[string]Version{"ead3.xml": EAD3, "ead2002.xml": EAD2002} {
		doc, err := os.ReadFile(testsamples.Path(t, "schemas", "samples", name))
		if err != nil {
			t.Fatal(err)
		}
		d, v, err := read(string(doc), func(string) {})
		if err != nil || v != want || d.Titles[0].Text != "Primers web archive" ||
			d.Keepers[0].Text != "Example Library" {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
		if _, err := write(v, d); err != nil && v == EAD3 {
			t.Error(err)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Document)
		want   string
	}{
		{"no agency", func(d *Document) { d.Agency = "" }, "needs an ID"},
		{"no level", func(d *Document) { d.Level = "" }, "needs a level"},
		{"a level of two words", func(d *Document) { d.Level = "a b" }, "cannot be a level"},
		{"no title", func(d *Document) { d.Parts[0].Titles = nil }, "needs a title"},
		{"a time of day", func(d *Document) { d.Dates = []Date{{Normal: "2015-07-08T21:55:13Z"}} }, "is not a date"},
		{"month 13", func(d *Document) { d.Dates = []Date{{Normal: "2015-13"}} }, "is not a date"},
		{"an address that is none", func(d *Document) { d.Addresses = []Address{{Href: "http://a/100%"}} }, "requires a URI"},
		{"an unknown note", func(d *Document) { d.Notes = []Note{{Kind: "note"}} }, "not a kind of note"},
		{"an unknown access point", func(d *Document) { d.Access = []Term{{Kind: "p"}} }, "not a kind of access point"},
		{"too deep", func(d *Document) {
			for range 20 {
				d.Unit = Unit{Level: "file", Titles: []Text{{}}, Parts: []Unit{d.Unit}}
			}
		}, "deeper"},
	} {
		d := full()
		c.change(&d)
		for _, v := range []Version{EAD3, EAD2002} {
			if _, err := write(v, d); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
	if err := Write(xmlstream.NewWriter(io.Discard, xmlstream.Options{}), "ead4", full()); err == nil {
		t.Error("wrote EAD 4")
	}
}

func FuzzRead(f *testing.F) {
	for _, v := range []Version{EAD3, EAD2002} {
		doc, err := write(v, full())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		d, v, err := read(doc, nil)
		if err != nil {
			return
		}
		first, err := write(v, d)
		if err != nil {
			return // the document lacked a part that Write requires
		}
		again, _, err := read(first, func(string) {})
		if err != nil {
			t.Fatalf("%v\n%s", err, first)
		}
		again.Created, again.Software = d.Created, d.Software
		if second, err := write(v, again); err != nil || second != first {
			t.Errorf("written again it is\n%s\nand was\n%s (%v)", second, first, err)
		}
	})
}
