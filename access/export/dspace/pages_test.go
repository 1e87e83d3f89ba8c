package dspace

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/access/export"
	"quire/access/export/unpack"
	"quire/holdings/holdingstest"
	"quire/internal/schematest"
	"quire/internal/testsamples"
	"quire/metadata/mods"
)

const when = "2015-01-02T03:04:05Z"

// values returns the values of a field in an item.
func values(t *testing.T, item, element, qualifier string) (all []string) {
	t.Helper()
	var found struct {
		Values []struct {
			Element   string `xml:"element,attr"`
			Qualifier string `xml:"qualifier,attr"`
			Text      string `xml:",chardata"`
		} `xml:"dcvalue"`
	}
	if err := xml.Unmarshal([]byte(read(t, item, "dublin_core.xml")), &found); err != nil {
		t.Fatal(err)
	}
	for _, v := range found.Values {
		if v.Element == element && v.Qualifier == qualifier {
			all = append(all, v.Text)
		}
	}
	return all
}

// TestPageFields: the item of a page states the declarations of the page as captured, with names; not those that
// the export adds to it.
func TestPageFields(t *testing.T) {
	r, h := open(t, holdingstest.Package{ID: "site-1", Rights: "access: open", Containers: map[string]string{
		"a.warc": holdingstest.Answer("1", "http://a.example/", when, "200 OK",
			`<!DOCTYPE html><html lang="fr_FR"><head>`+
				`<meta http-equiv="Content-Security-Policy" content="img-src 'self'"><title>Accueil</title>`+
				`<meta name="viewport" content="width=device-width"><meta property="og:locale" content="fr_FR">`+
				`<meta name="DC.date" scheme="W3CDTF" content="2001-02-03">`+
				`<meta name="dcterms.created" content="2000">`+
				`<meta name="generator" content="Spip 3"></head><body>x`,
			"Content-Type: text/html; charset=utf-8", "Content-Language: de-AT")}})
	item := filepath.Join(run(t, r, h, export.Request{As: "dspace-saf", Options: export.Options{ItemPer: "page"}}),
		"item_000001")
	for field, want := range map[string][]string{
		"title.none":   {"Accueil"},
		"language.iso": {"fr-FR", "de-AT"},
		"description.none": {"DC.date scheme: W3CDTF", "Content-Security-Policy: img-src 'self'",
			"viewport: width=device-width", "generator: Spip 3", "charset: utf-8 (HTTP header: utf-8)",
			"HTTP header language: de-AT"},
		"date.created":   {"2000"},
		"date.none":      {"2015-01-02T03:04:05Z"},
		"identifier.uri": {"http://a.example/"},
		"language.none":  nil,
	} {
		element, qualifier, _ := strings.Cut(field, ".")
		got := values(t, item, element, qualifier)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", field, got, want)
		}
	}
	contains(t, read(t, item, "a.example/index.html"), `lang="fr_FR"`,
		"data: blob:") // our policy is in the file only
	contains(t, read(t, item, "quire/mods.xml"), `displayLabel="viewport"`, `type="text">fr_FR<`,
		// as declared, not as a code
		`<mods:languageTerm type="code" authority="rfc4646">fr-FR<`)
	schematest.Valid(t, testsamples.Path(t, "schemas", "drivers", "mets-all.xsd"),
		[]byte(read(t, item, "quire/mods.xml")))
}

// framed is a website whose page shows a share button in a frame: that page was captured in the same
// second, and has the shorter path. A page that has hyperlinks to it stays a page.
func framed() holdingstest.Package {
	const widget, both = "http://share.example/", "http://a.example/both"
	return holdingstest.Package{ID: "site-1", Rights: "access: open", Containers: map[string]string{"a.warc": "" +
		holdingstest.Response("1", widget, when, "text/html", `<title>Share</title><a href="/">self</a>`) +
		holdingstest.Response("2", "http://a.example/news/today.html", when, "text/html", fmt.Sprintf(
			`<title>News</title><iframe src=%q></iframe><iframe src="/w"></iframe>`+
				`<iframe src="/both"></iframe><a href="/both">both</a>`+
				`<a href="http://far.example/">far</a>`, widget)) +
		holdingstest.Response("5", "http://a.example/w", when, "text/html", "<title>Own widget</title>") +
		holdingstest.Response("3", both, when, "text/html", "<title>Both</title>") +
		holdingstest.Response("4", "http://far.example/", "2015-01-03T03:04:05Z", "text/html", "<title>Far</title>"),
	}}
}

// TestFramesAreNoItems: a page that only frames show is a file of their items, and never the primary
// bitstream.
func TestFramesAreNoItems(t *testing.T) {
	r, h := open(t, framed())
	dir := run(t, r, h, export.Request{As: "dspace-saf", Options: export.Options{ItemPer: "page"}})
	for i, want := range []string{"Both", "News", "Far"} {
		item := filepath.Join(dir, fmt.Sprintf("item_%06d", i+1))
		if got := values(t, item, "title", "none"); !slices.Equal(got, []string{want}) {
			t.Errorf("item %d: title %q, want %q", i+1, got, want)
		}
	}
	contents := read(t, dir, "item_000002", "contents")
	contains(t, contents, "a.example/news/today.html\tbundle:ORIGINAL\tdescription:http://a.example/news/today.html, "+
		"captured 2015-01-02T03:04:05Z\tprimary:true\n", "share.example/index.html\t")
	if strings.Count(contents, "primary:true") != 1 {
		t.Errorf("not one primary bitstream in %s", contents)
	}
	if read(t, dir, "item_000004", "warc", "site-1-00001.warc.gz") == "" {
		t.Error("the item of the website is not the last")
	}
}

// TestFront: the front page is of the site, not of a share button or of a linked website; the
// address in a description comes first.
func TestFront(t *testing.T) {
	r, h := open(t, framed())
	for described, want := range map[string]string{
		"": "http://a.example/both", "http://gone.example/": "http://a.example/both",
		"http://share.example/":            "http://a.example/both",
		"http://a.example/news/today.html": "http://a.example/news/today.html",
	} {
		front := ""
		try := export.Format{Name: "try", Make: func(ctx context.Context, s *export.Source,
			_ *export.Output) (err error) {
			front, err = Front(ctx, &unpack.Site{Source: s},
				&mods.Content{Locations: []mods.Location{{URLs: []mods.URL{{Text: described}}}}})
			return err
		}}
		if _, err := export.Run(t.Context(), r.Store, h, export.Request{ID: "site-1", As: "try",
			Out: filepath.Join(t.TempDir(), "out")}, []export.Format{try}); err != nil {
			t.Fatal(err)
		}
		if front != want {
			t.Errorf("described %q: front %q, want %q", described, front, want)
		}
	}
	for _, as := range []string{"dspace-saf", "dspace-mets"} {
		out := run(t, r, h, export.Request{As: as})
		if as == "dspace-saf" {
			contents := read(t, out, "item_000001", "contents")
			contains(t, contents, "\tdescription:http://a.example/both, captured 2015-01-02T03:04:05Z\tprimary:true\n")
			if strings.Count(contents, "primary:true") != 1 {
				t.Errorf("not one primary bitstream in %s", contents)
			}
			continue
		}
		z, err := zip.OpenReader(out)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = z.Close() }() // only read
		text, err := fs.ReadFile(z, "mets.xml")
		if err != nil {
			t.Fatal(err)
		}
		m := readManifest(t, string(text))
		if got := m.names[m.primary]; got != unpack.Name("http://a.example/both", "text/html") {
			t.Errorf("the primary bitstream is %q", got)
		}
	}
}

// TestNoFront: without a page, the first WARC file is the primary bitstream.
func TestNoFront(t *testing.T) {
	r, h := open(t, holdingstest.Package{ID: "site-1", Rights: "access: open", Containers: map[string]string{
		"a.warc": holdingstest.Response("1", "http://a.example/x.png", when, "image/png", png)}})
	dir := run(t, r, h, export.Request{As: "dspace-saf"})
	for line := range strings.Lines(read(t, dir, "item_000001", "contents")) {
		if strings.Contains(line, "primary:true") != strings.HasPrefix(line, "warc/site-1-00001.warc.gz\t") {
			t.Errorf("%q", line)
		}
	}
	z, err := zip.OpenReader(run(t, r, h, export.Request{As: "dspace-mets"}))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }() // only read
	text, err := fs.ReadFile(z, "mets.xml")
	if err != nil {
		t.Fatal(err)
	}
	if m := readManifest(t, string(text)); m.names[m.primary] != "warc/site-1-00001.warc.gz" {
		t.Errorf("the primary bitstream is %q", m.names[m.primary])
	}
}

// TestPageWithoutFile: a page that cannot be unpacked has no item; it is listed as withheld.
func TestPageWithoutFile(t *testing.T) {
	bomb := strings.Repeat("\x00", 20<<20)
	for range 2 {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := io.WriteString(z, bomb); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		bomb = b.String()
	}
	r, h := open(t, holdingstest.Package{ID: "site-1", Rights: "access: open", Containers: map[string]string{
		"a.warc": holdingstest.Response("1", "http://a.example/", when, "text/html", bomb,
			"Content-Encoding: gzip, gzip") +
			holdingstest.Response("2", "http://a.example/good", when, "text/html", "<title>Good</title>")}})
	dir := run(t, r, h, export.Request{As: "dspace-saf", Options: export.Options{ItemPer: "page"}})
	if got := values(t, filepath.Join(dir, "item_000001"), "title", "none"); !slices.Equal(got, []string{"Good"}) {
		t.Errorf("the first item is %q", got)
	}
	contains(t, read(t, dir, "item_000002", "quire", "kept-back.json"),
		`"reason":"no-place","url":"http://a.example/"`)
	if files := list(t, dir); strings.Contains(strings.Join(files, " "), "item_000003") {
		t.Errorf("%q", files)
	}
}

// TestSubmissionFields: the fields that DSpace's stylesheet for MODS loses are in its own form, beside it.
func TestSubmissionFields(t *testing.T) {
	made := submission(mods.Record{Content: *full()})
	if made.Titles[0].Type != "" || made.Titles[0].Title != "The Site: a sub" || made.Titles[0].SubTitle != "" {
		t.Errorf("title %+v", made.Titles[0])
	}
	for _, title := range made.Titles[1:] {
		if title.Type != "alternative" {
			t.Errorf("%+v would be a second title", title)
		}
	}
	made = submission(mods.Record{Content: mods.Content{Related: []mods.RelatedItem{{Type: "host"}}}})
	if len(made.Related) != 0 {
		t.Errorf("%+v would be an empty value", made.Related)
	}
	r, h := open(t, site())
	z, err := zip.OpenReader(run(t, r, h, export.Request{As: "dspace-mets"}))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }() // only read
	text, err := fs.ReadFile(z, "mets.xml")
	if err != nil {
		t.Fatal(err)
	}
	contains(t, string(text), `GROUPID="GRP-dim"`, `OTHERMDTYPE="DIM"`,
		`<dim:field mdschema="dc" element="date">2015-01-02T03:04:05Z/2016-01-02T03:04:05Z</dim:field>`,
		`<dim:field mdschema="dc" element="description" qualifier="provenance">Captured from `,
		`<dim:field mdschema="dc" element="rights">`)
	if strings.Contains(string(text), `<dim:field mdschema="dc" element="title"`) {
		t.Error("DSpace would read the title twice")
	}
}
