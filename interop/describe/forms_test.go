//go:build interop

package describe

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/interop/internal/peers"
)

// TestFormsOfCatalogues: warcio finds the description in each form of a catalogue, with its standard
// and media type. xmllint validates each by its schema, except MarcXchange, which has none in the
// set. pymarc reads both forms of MARC.
func TestFormsOfCatalogues(t *testing.T) {
	dir, documents := t.TempDir(), t.TempDir()
	crawl := filepath.Join(dir, "crawl.warc")
	content := answer("1", "http://census.statistics.example/nl/", "200 OK", "")
	if err := os.WriteFile(crawl, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	sheet := filepath.Join(dir, "sheet.csv")
	text := "ID,Title [nl],URL,Language,Creator (person)\ncensus,Volkstelling," +
		"http://census.statistics.example/nl/,nl,Jan\n"
	if err := os.WriteFile(sheet, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	peers.Call(t, nil, peers.Quire(t), "describe", crawl, "--sheet", sheet, "--in-place", "--as",
		"marcxml,marcxchange,mods,ead3,ead2002,oai_dc")
	schemas := testsamples.Path(t, "schemas")
	want := map[string]struct{ mediaType, schema, title string }{
		"http://www.loc.gov/MARC21/slim": {"application/marcxml+xml", "marc/MARC21slim.xsd",
			"Volkstelling"},
		"info:lc/xmlns/marcxchange-v2":                {"application/xml", "", "Volkstelling"},
		"http://www.loc.gov/mods/v3":                  {"application/mods+xml", "drivers/mets-all.xsd", ""},
		"http://ead3.archivists.org/schema/":          {"application/xml", "ead/ead3.xsd", ""},
		"urn:isbn:1-931666-22-9":                      {"application/xml", "drivers/mets-all.xsd", ""},
		"http://www.openarchives.org/OAI/2.0/oai_dc/": {"application/xml", "drivers/mets-all.xsd", ""},
	}
	for line := range strings.Lines(peers.Python(t, "warcio_forms.py", []string{documents, crawl})) {
		var got struct {
			File, Standard, Type string
			Digest               bool
			Title                string
		}
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatal(err, line)
		}
		w, ok := want[got.Standard]
		if !ok || got.Type != w.mediaType || got.Title != w.title || !got.Digest {
			t.Errorf("%s", line)
		}
		delete(want, got.Standard)
		if w.schema != "" {
			catalog := "XML_CATALOG_FILES=" + filepath.Join(schemas, "catalog.xml")
			peers.Call(t, []string{catalog}, "xmllint", "--nonet", "--noout", "--schema",
				filepath.Join(schemas, w.schema), got.File)
		}
	}
	for standard := range want {
		t.Errorf("warcio finds no description by %s", standard)
	}
}

// TestOwnJSONByWarcio: a description that warcio wrote as JSON, as other systems do, is listed.
func TestOwnJSONByWarcio(t *testing.T) {
	path := filepath.Join(t.TempDir(), "own.warc.gz")
	peers.Python(t, "warcio_own.py", []string{path})
	said := peers.Call(t, nil, peers.Quire(t), "describe", "list", path)
	for _, want := range []string{"15 values of OCLC read", "1 description\n", "Genre/Form"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
}
