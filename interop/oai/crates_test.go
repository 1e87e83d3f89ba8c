//go:build interop

package oai

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/interop/internal/peers"
)

// byValue is the default of by-value in bytes.
const byValue = 6 << 20

// largeSite is a website with resources below and above the size at which a CRATE has the bytes, and
// above the size at which libxml2 refuses them.
func largeSite(t *testing.T) (dir string, records int) {
	t.Helper()
	dir = t.TempDir()
	sizes := []int{1, 1000, byValue, byValue + 1, 8_000_000, 2}
	for i, size := range sizes {
		write(t, filepath.Join(dir, fmt.Sprintf("%d.bin", i)), strings.Repeat(string(rune('a'+i)), size))
	}
	return dir, len(sizes)
}

// readAll reads the CRATEs with the harvesters that read no text of more than 10,000,000 bytes.
func readAll(t *testing.T, p *provider, records int) {
	t.Helper()
	want := p.all(t, "ListIdentifiers", "oai_dc")
	if len(want) != records {
		t.Fatalf("%d records, not %d", len(want), records)
	}
	python := filepath.Join(peers.Tools(t), "venv", "bin", "python")
	for _, prefix := range []string{"oai_crate", "oai_didl"} {
		same(t, want, peers.Call(t, nil, python, "list.py", p.base, prefix))
		p.all(t, "ListRecords", prefix)
	}
	same(t, want, peers.Call(t, nil, "perl", "list.pl", p.base, "oai_crate"))
	schemas := filepath.Join(testsamples.Path(t, "schemas"))
	driver := filepath.Join(t.TempDir(), "driver.xsd")
	write(t, driver, driverText(t, schemas))
	answers, err := filepath.Glob(filepath.Join(p.answers, "*.xml"))
	if err != nil || len(answers) == 0 {
		t.Fatalf("%d answers: %v", len(answers), err)
	}
	// without --huge
	peers.Call(t, []string{"XML_CATALOG_FILES=" + filepath.Join(schemas, "catalog.xml")}, "xmllint",
		append([]string{"--nonet", "--noout", "--schema", driver}, answers...)...)
}

// TestCRATEsOfAnySize serves a site with large resources, harvests it, and serves the package: other
// harvesters read all records, before and after, with the output of the site's tools.
func TestCRATEsOfAnySize(t *testing.T) {
	dir, records := largeSite(t)
	site := serve(t, "plugins:\n- {label: site-md5, builtin: md5}\n", "crate", "serve", dir)
	site.wait(t, records, 0)
	readAll(t, site, records)

	quire, work := peers.Quire(t), t.TempDir()
	at := func(name string) string { return filepath.Join(work, name) }
	peers.Call(t, nil, quire, "init", at("repo"))
	peers.Call(t, nil, quire, "oai", "harvest", site.base, "--documents", "--as", "package", "--out", at("package"))
	peers.Call(t, nil, quire, "ingest", at("package"), "--repo", at("repo"))
	archive := serve(t, "plugins: []\n", "oai", "serve", "--unstated", "open", "--repo", at("repo"))
	archive.wait(t, records, 0)
	readAll(t, archive, records)
	answers, err := filepath.Glob(filepath.Join(archive.answers, "*.xml"))
	if err != nil {
		t.Fatal(err)
	}
	outputs := 0
	for _, a := range answers {
		text, err := os.ReadFile(a)
		if err != nil {
			t.Fatal(err)
		}
		outputs += strings.Count(string(text), ">site-md5</crate:PluginLabel>")
	}
	if outputs != records {
		t.Errorf("%d outputs of the site's tools are handed on, not %d", outputs, records)
	}
}
