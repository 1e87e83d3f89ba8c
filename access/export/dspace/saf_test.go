package dspace

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/access/export"
	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/metadata/mods"
)

const png = "\x89PNG\r\n\x1a\n"

// site is a small website with all known difficulties.
func site() holdingstest.Package {
	const d1, d2 = "2015-01-02T03:04:05Z", "2016-01-02T03:04:05Z"
	return holdingstest.Package{ID: "site-1", Rights: "access: open", Scan: true,
		Containers: map[string]string{"a.warc": "" +
			holdingstest.Response("1", "http://a.example/", d1, "text/html", `<title>Old</title>`) +
			holdingstest.Response("2", "http://a.example/", d2, "text/html",
				`<html><head><title>Home &amp; all</title><link rel=stylesheet href="/s.css"></head><body>
<img src="/i/logo.png"><a href="/news/">News</a> <a href="/old">Old</a> <a href="/virus.exe">v</a> <a `+
					`href="http://gone.example/x">Gone</a>
<form action="/search"><input name=q></form> <a href="mailto:a@a.example">Mail</a></body></html>`) +
			holdingstest.Response("3", "http://a.example/s.css", d1, "text/css", `body{background:url(i/bg.png)}`) +
			holdingstest.Response("4", "http://a.example/i/logo.png", d1, "image/png", png+"logo") +
			holdingstest.Response("5", "http://a.example/i/bg.png", d1, "image/png", png+"bg") +
			holdingstest.Response("6", "http://a.example/news/", d1, "text/html; charset=utf-8",
				`<title>Café</title><a href="../?q=1&amp;r">up</a><a href="/">home</a>`) +
			holdingstest.Redirect("7", "http://a.example/old", d1, "http://a.example/news/") +
			holdingstest.Response("8", "http://a.example/virus.exe", d1, "application/octet-stream",
				holdingstest.EICAR()) +
			holdingstest.Response("9", "http://a.example/?q=1&r", d1, "text/html", "<p>query") +
			holdingstest.Response("12", "http://a.example/secret", d1, "text/html", "<p>secret two") +
			holdingstest.Answer("10", "http://a.example/404", d1, "404 Not Found", "no", "Content-Type: text/html") +
			holdingstest.Revisit("11", "http://a.example/i/logo2.png", d2, "image/png", png+"logo",
				"http://a.example/i/logo.png", d1),
		}}
}

func open(t *testing.T, p holdingstest.Package) (*holdingstest.Repository, *holdings.Holdings) {
	t.Helper()
	r := holdingstest.New(t)
	r.Ingest(p)
	return r,
		r.Open(holdings.Options{Rules: r.Rules("rules:\n  - urls: [http://a.example/secret]\n    access: restricted\n" +
			"    message: Ask at the desk.\n")})
}

// run runs an export.
func run(t *testing.T, r *holdingstest.Repository, h *holdings.Holdings, q export.Request) string {
	t.Helper()
	q.ID, q.Out = "site-1", filepath.Join(t.TempDir(), "out")
	if _, err := export.Run(t.Context(), r.Store, h, q, Formats()); err != nil {
		t.Fatal(err)
	}
	return q.Out
}

func list(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, p)
			all = append(all, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func read(t *testing.T, parts ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// contains fails unless a text contains all of the others.
func contains(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in\n%s", w, text)
		}
	}
}

// nowhere fails if a file below a folder contains any of the texts.
func nowhere(t *testing.T, dir string, texts ...string) {
	t.Helper()
	for _, f := range list(t, dir) {
		for _, text := range texts {
			if strings.Contains(read(t, dir, f), text) {
				t.Errorf("%s has %q", f, text)
			}
		}
	}
}

func TestWebsiteAsItem(t *testing.T) {
	r, h := open(t, site())
	dir := run(t, r, h, export.Request{As: "dspace-saf",
		Options: export.Options{ItemPer: "site", Collections: []string{"123456789/2"}}})
	item := filepath.Join(dir, "item_000001")
	query := "a.example/_-4da3055f9c3a.html"
	want := []string{query, "a.example/i/bg.png", "a.example/i/logo.png", "a.example/i/logo2.png",
		"a.example/index.html", "a.example/news/index.html",
		"a.example/s.css", "collections", "contents", "dublin_core.xml", "metadata_dcterms.xml", "quire/kept-back.json",
		"quire/mods.xml", "quire/names.jsonl",
		"quire/not-archived.html", "warc/site-1-00001.warc.gz"}
	if got := list(t, item); !slices.Equal(got, want) {
		t.Errorf("files %q\nwant %q", got, want)
	}
	contains(t, read(t, item, "contents"),
		"a.example/index.html\tbundle:ORIGINAL\tdescription:http://a.example/, captured "+
			"2016-01-02T03:04:05Z\tprimary:true\n",
		"quire/mods.xml\tbundle:METADATA\tdescription:", "warc/site-1-00001.warc.gz\tbundle:ORIGINAL\t")
	if n := strings.Count(read(t, item, "contents"), "primary:true"); n != 1 {
		t.Errorf("%d primary bitstreams", n)
	}
	contains(t, read(t, item, "dublin_core.xml"), `<dublin_core schema="dc">`,
		`<dcvalue element="identifier" qualifier="other">site-1</dcvalue>`,
		`<dcvalue element="date" qualifier="none">2015-01-02T03:04:05Z/2016-01-02T03:04:05Z</dcvalue>`,
		`qualifier="provenance">Captured from 2015-01-02T03:04:05Z to 2016-01-02T03:04:05Z; package site-1/v1<`)
	contains(t, read(t, item, "a.example/index.html"), `href="s.css"`, `src="i/logo.png"`,
		`<a href="news/index.html">News</a> <a href="news/index.html">Old</a>`,
		`<a href="http://a.example/virus.exe">`, `action="../quire/not-archived.html#form" data-quire-dead="/search"`,
		`data-quire-dead="mailto:a@a.example"`)
	contains(t, read(t, item, "a.example/news/index.html"),
		`<a href="../`+strings.TrimPrefix(query, "a.example/")+`">up</a><a href="../index.html">home</a>`)
	if got := read(t, item, "collections"); got != "123456789/2\n" {
		t.Errorf("collections %q", got)
	}
	contains(t, read(t, item, "quire/kept-back.json"), `"reason":"infected"`, `"url":"http://a.example/secret"`,
		"Ask at the desk.")
	nowhere(t, dir, "secret two", holdingstest.EICAR())
	for line := range strings.Lines(read(t, item, "quire/names.jsonl")) {
		var name struct{ Name, URL string }
		if err := json.Unmarshal([]byte(line), &name); err != nil || name.Name == "" || name.URL == "" {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// TestPagesAsItems: the item of a page contains its embedded files, as of that time.
func TestPagesAsItems(t *testing.T) {
	r, h := open(t, site())
	dir := run(t, r, h, export.Request{As: "dspace-saf", Options: export.Options{ItemPer: "page"}})
	home := filepath.Join(dir, "item_000001")
	want := []string{"a.example/i/bg.png", "a.example/i/logo.png", "a.example/index.html", "a.example/s.css",
		"contents", "dublin_core.xml", "metadata_dcterms.xml", "quire/mods.xml",
		"quire/names.jsonl", "quire/not-archived.html"}
	if got := list(t, home); !slices.Equal(got, want) {
		t.Errorf("files %q\nwant %q", got, want)
	}
	contains(t, read(t, home, "dublin_core.xml"), ">Home &amp; all<", ">web page<",
		`element="date" qualifier="none">2016-01-02T03:04:05Z<`,
		`qualifier="provenance">Captured from http://a.example/ on 2016-01-02T03:04:05Z; package site-1/v1<`,
		`<dcvalue element="identifier" qualifier="uri">http://a.example/</dcvalue>`)
	contains(t, read(t, home, "metadata_dcterms.xml"),
		`<dcvalue element="source" qualifier="none">http://a.example/</dcvalue>`)
	contains(t, read(t, home, "a.example/index.html"), `<a href="http://a.example/news/">News</a>`, `src="i/logo.png"`)
	contains(t, read(t, dir, "item_000003", "dublin_core.xml"), ">Café<")
	last := filepath.Join(dir, "item_000004")
	if got := list(t, last); !slices.Equal(got,
		[]string{"contents", "dublin_core.xml", "metadata_dcterms.xml", "quire/kept-back.json", "quire/mods.xml",
			"warc/site-1-00001.warc.gz"}) {
		t.Errorf("the item of the website has %q", got)
	}
	contains(t, read(t, last, "contents"), "primary:true")
	nowhere(t, dir, "secret two", holdingstest.EICAR())
}

// TestPermissions: restricted content is for administrators only.
func TestPermissions(t *testing.T) {
	r, h := open(t, site())
	dir := run(t, r, h, export.Request{As: "dspace-saf", For: holdings.Staff, Options: export.Options{ItemPer: "site"}})
	text := read(t, dir, "item_000001", "contents")
	contains(t, text, "\tbundle:ORIGINAL\tpermissions:-r 'Administrator'\tdescription:http://a.example/secret, ",
		"warc/site-1-00001.warc.gz\tbundle:ORIGINAL\tpermissions:-r 'Administrator'\t",
		"quire/kept-back.json\tbundle:METADATA\tpermissions:-r 'Administrator'\t")
	if n := strings.Count(text, "permissions:"); n != 3 {
		t.Errorf("%d bitstreams have permissions of their own:\n%s", n, text)
	}
	nowhere(t, dir, holdingstest.EICAR())
}

// TestSameTwice: equal exports have equal bytes.
func TestSameTwice(t *testing.T) {
	r, h := open(t, site())
	for _, as := range []string{"dspace-saf", "dspace-mets"} {
		one := run(t, r, h, export.Request{As: as, Options: export.Options{ItemPer: "page"}})
		two := run(t, r, h, export.Request{As: as, Options: export.Options{ItemPer: "page"}})
		if as == "dspace-mets" {
			if read(t, one) != read(t, two) {
				t.Error("two packages differ")
			}
			continue
		}
		files := list(t, one)
		if !slices.Equal(files, list(t, two)) {
			t.Error("other files")
		}
		for _, f := range files {
			if !bytes.Equal([]byte(read(t, one, f)), []byte(read(t, two, f))) {
				t.Errorf("%s differs", f)
			}
		}
	}
}

// TestNamesInContents: names that DSpace would misread are rejected.
func TestNamesInContents(t *testing.T) {
	for _, bad := range []string{"", "contents", "handle", "collections", "relationships", "dublin_core.xml",
		"metadata_x.xml", "a\tb", "a\nb", "a\rb", "é", "-r x", " a", "a ", "\x00", "\xff"} {
		if checkName(bad) == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	for _, good := range []string{"a.example/contents", "a b", "quire/handle", "-r"} {
		if err := checkName(good); err != nil {
			t.Error(err)
		}
	}
	if got := oneLine(" a\tb\r\nc\x00 "); got != "a b c\uFFFD" {
		t.Errorf("%q", got)
	}
}

// TestLocal: on request, data without a dc field go to the schema local, with the registry that
// DSpace needs. All written fields are in the registry.
func TestLocal(t *testing.T) {
	r, h := open(t, site())
	for _, per := range []string{"site", "page"} {
		out := run(t, r, h, export.Request{As: "dspace-saf", Options: export.Options{ItemPer: per, Local: true}})
		registry, err := os.ReadFile(filepath.Join(out, RegistryName))
		if err != nil {
			t.Fatal(err)
		}
		known := map[string]bool{}
		for _, f := range localFields {
			known[`element="`+f.element+`" qualifier="`+f.qualifier+`"`] = true
			if !bytes.Contains(registry, []byte("<element>"+f.element+"</element>\n    <qualifier>"+f.qualifier+
				"</qualifier>")) {
				t.Errorf("no %s.%s in %s", f.element, f.qualifier, registry)
			}
		}
		text, err := os.ReadFile(filepath.Join(out, "item_000001", "metadata_local.xml"))
		if err != nil || !bytes.Contains(text, []byte(`<dublin_core schema="local">`)) ||
			!bytes.Contains(text, []byte(">site-1/v1<")) {
			t.Errorf("%s: %s, %v", per, text, err)
		}
		for _, part := range strings.Split(string(text), "<dcvalue ")[1:] {
			field, _, _ := strings.Cut(part, ">")
			if !known[field] {
				t.Errorf("%s: %s is in no registry", per, field)
			}
		}
	}
	out := run(t, r, h, export.Request{As: "dspace-saf"})
	for _, f := range list(t, out) {
		if strings.Contains(f, "local") {
			t.Errorf("%s without being asked for", f)
		}
	}
}

// TestLocalOf: roles, places and types of identifiers are kept.
func TestLocalOf(t *testing.T) {
	var f fields
	localOf(&f, &mods.Content{
		Names: []mods.Name{{Parts: []mods.NamePart{{Text: "Ada"}},
			Roles: []mods.Role{{Terms: []mods.Term{{Text: "curator"}}}}},
			{Parts: []mods.NamePart{{Text: "Bob"}}, Roles: []mods.Role{{Terms: []mods.Term{{Text: "author"}}}}}},
		Origins: []mods.Origin{{Places: []mods.Term{{Text: "Ghent"}}, Edition: "2nd"}},
		Identifiers: []mods.Identifier{{Type: "oclc", Text: "12"}, {Type: "doi", Text: "10.1/2"},
			{Type: "hdl", Text: "1/2"}},
	})
	var got []string
	for i := range f.list {
		got = append(got, f.list[i].Name()+"="+f.list[i].Value)
	}
	want := []string{"local.contributor.role=Ada (curator)", "local.publisher.place=Ghent",
		"local.description.edition=2nd", "local.identifier.typed=oclc: 12"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
