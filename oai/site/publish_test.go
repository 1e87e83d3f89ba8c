package site

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"quire/internal/schematest"
	"quire/internal/testsamples"
)

// rsSchema contains the ResourceSync terms (Z39.99-2017, clause 7) of these documents.
const rsSchema = `<?xml version="1.0"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" ` +
	`targetNamespace="http://www.openarchives.org/rs/terms/" elementFormDefault="qualified">
  <xs:element name="md"><xs:complexType>
    <xs:attribute name="capability"><xs:simpleType><xs:restriction base="xs:string"><xs:enumeration ` +
	`value="description"/><xs:enumeration value="capabilitylist"/>
      <xs:enumeration value="resourcelist"/><xs:enumeration value="changelist"/></xs:restriction>` +
	`</xs:simpleType></xs:attribute>
    <xs:attribute name="change"><xs:simpleType><xs:restriction base="xs:string"><xs:enumeration ` +
	`value="created"/><xs:enumeration value="updated"/>
      <xs:enumeration value="deleted"/></xs:restriction></xs:simpleType></xs:attribute>
    <xs:attribute name="at" type="xs:dateTime"/><xs:attribute name="from" type="xs:dateTime"/><xs:attribute ` +
	`name="datetime" type="xs:dateTime"/>
    <xs:attribute name="hash" type="xs:string"/><xs:attribute name="length" type="xs:nonNegativeInteger"/>` +
	`<xs:attribute name="type" type="xs:string"/>
  </xs:complexType></xs:element>
  <xs:element name="ln"><xs:complexType><xs:attribute name="rel" use="required"/><xs:attribute name="href" ` +
	`type="xs:anyURI" use="required"/></xs:complexType></xs:element>
</xs:schema>`

// driver returns a schema of sitemaps with the terms of ResourceSync.
func driver(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	catalog, err := os.ReadFile(testsamples.Path(t, "schemas", "catalog.xml"))
	if err != nil {
		t.Fatal(err)
	}
	sitemap, err := os.ReadFile(testsamples.Path(t, "schemas", "sitemap", "sitemap.xsd"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"catalog.xml": string(catalog), "drivers/sitemap.xsd": string(sitemap),
		"drivers/rs.xsd": rsSchema,
		"drivers/all.xsd": `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:import ` +
			`namespace="http://www.sitemaps.org/schemas/sitemap/0.9" schemaLocation="sitemap.xsd"/>
			<xs:import namespace="http://www.openarchives.org/rs/terms/" schemaLocation="rs.xsd"/></xs:schema>`} {
		write(t, dir, name, text, noon)
	}
	return filepath.Join(dir, "drivers", "all.xsd")
}

func published(t *testing.T, p *Publisher, path string) string {
	t.Helper()
	w := httptest.NewRecorder()
	p.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	if w.Code != 200 {
		t.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	return w.Body.String()
}

func TestPublish(t *testing.T) {
	dir := folder(t, map[string]string{"a&b.txt": "a", "'q\".txt": "b", "sub/index.html": "c"})
	s, c, _ := idle(t, Options{Next: serve(t, dir), Folder: dir})
	scanned(t, s)
	p := NewPublisher(s, "http://a.example/modoai", "/modoai")
	xsd := driver(t)

	sitemap := published(t, p, "/modoai/sitemap.xml")
	schematest.Valid(t, xsd, []byte(sitemap))
	for _, want := range []string{"<sm:loc>http://a.example/a&amp;b.txt</sm:loc>",
		"<sm:loc>http://a.example/'q%22.txt</sm:loc>", "<sm:loc>http://a.example/sub/</sm:loc>",
		"<sm:lastmod>2026-10-11T20:00:00Z</sm:lastmod>"} {
		if !strings.Contains(sitemap, want) {
			t.Errorf("no %s in %s", want, sitemap)
		}
	}
	if n := 0; readSitemap(strings.NewReader(sitemap), func(sitemapEntry) error { n++; return nil }) != nil || n != 3 {
		t.Errorf("our own reader finds %d entries", n)
	}
	c.forward(time.Hour)
	write(t, dir, "new.txt", "n", noon)
	write(t, dir, "a&b.txt", "changed", noon)
	if err := os.RemoveAll(filepath.Join(dir, "sub")); err != nil {
		t.Fatal(err)
	}
	scanned(t, s)
	for path, wants := range map[string][]string{
		"/.well-known/resourcesync": {`capability="description"`,
			"<sm:loc>http://a.example/modoai/resourcesync/capabilitylist.xml</sm:loc>"},
		"/modoai/resourcesync/capabilitylist.xml": {`rel="up" href="http://a.example/.well-known/resourcesync"`,
			"resourcelist.xml", "changelist.xml"},
		"/modoai/resourcesync/resourcelist.xml": {`at="2026-11-22T13:00:00Z"`, `length="7"`, `type="text/plain"`},
		"/modoai/resourcesync/changelist.xml": {`from="2026-11-22T12:00:00Z"`,
			`change="created" datetime="2026-11-22T13:00:00Z"`, `change="updated"`, `change="deleted"`},
	} {
		doc := published(t, p, path)
		schematest.Valid(t, xsd, []byte(doc))
		for _, want := range wants {
			if !strings.Contains(doc, want) {
				t.Errorf("%s: no %s in %s", path, want, doc)
			}
		}
	}
	if changes := published(t, p, "/modoai/resourcesync/changelist.xml"); strings.Contains(changes, "%22.txt") {
		t.Errorf("an unchanged resource is listed: %s", changes)
	}
}

// Long lists have several parts, which together have each resource once.
func TestPublishParts(t *testing.T) {
	s, _, _ := idle(t, Options{Next: serve(t, folder(t, nil))})
	var looks []look
	for i := range 2*1000 + 1 {
		looks = append(looks, look{url: fmt.Sprintf("http://a.example/%06d?a&b", i), state: live, mime: "text/html",
			size: -1})
	}
	if err := s.index.apply(t.Context(), looks, true); err != nil {
		t.Fatal(err)
	}
	p := NewPublisher(s, "http://a.example/modoai", "/modoai")
	p.perPart = 1000
	parts := regexp.MustCompile("<sm:loc>(.*)</sm:loc>").FindAllStringSubmatch(published(t, p, "/modoai/sitemap.xml"),
		-1)
	if len(parts) != 3 {
		t.Fatalf("%d parts", len(parts))
	}
	seen := map[string]bool{}
	for _, part := range parts {
		url := strings.ReplaceAll(strings.TrimPrefix(part[1], "http://a.example"), "&amp;", "&")
		if err := readSitemap(strings.NewReader(published(t, p, url)), func(e sitemapEntry) error {
			if seen[e.loc] {
				return fmt.Errorf("%s is duplicated", e.loc)
			}
			seen[e.loc] = true
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if len(seen) != len(looks) {
		t.Errorf("%d resources of %d", len(seen), len(looks))
	}
}
