//go:build interop

package oai

import (
	"encoding/xml"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/interop/internal/peers"
)

// everyone runs all harvesters on a provider. The provider has the given number of records, and at
// least the given number of them are deleted.
func everyone(t *testing.T, p *provider, records, deleted int) {
	want := p.all(t, "ListIdentifiers", "oai_dc")
	gone := slices.Collect(maps.Values(want))
	gone = slices.DeleteFunc(gone, func(status string) bool { return status != "deleted" })
	if len(want) != records || len(gone) != deleted {
		t.Fatalf("%d records, %d deleted; want %d and %d", len(want), len(gone), records, deleted)
	}
	for _, prefix := range formats(t, p) {
		got := p.all(t, "ListRecords", prefix)
		for id, status := range got {
			if want[id] != status {
				t.Errorf("ListRecords %s: %s is %s, and by ListIdentifiers %q", prefix, id, status, want[id])
			}
		}
		if prefix != "marc21" && prefix != "mods" && len(got) != len(want) {
			t.Errorf("ListRecords %s: %d records of %d", prefix, len(got), len(want))
		}
	}
	t.Run("HTTP::OAI", func(t *testing.T) {
		same(t, want, peers.Call(t, nil, "perl", "list.pl", p.base, "oai_dc"))
		same(t, want, peers.Call(t, nil, "perl", "list.pl", p.base, "oai_crate"))
	})
	t.Run("sickle", func(t *testing.T) {
		python := filepath.Join(peers.Tools(t), "venv", "bin", "python")
		same(t, want, peers.Call(t, nil, python, "list.py", p.base, "oai_dc"))
		same(t, want, peers.Call(t, nil, python, "list.py", p.base, "oai_crate"))
	})
	t.Run("oai-pmh of npm", func(t *testing.T) {
		modules := filepath.Join(peers.Tools(t), "npm", "node_modules")
		same(t, want, peers.Call(t, nil, "node", "list.mjs", modules, p.base, "oai_dc"))
	})
	t.Run("metha", func(t *testing.T) { metha(t, p, want) })
	t.Run("validator", func(t *testing.T) { validator(t, p) })
	t.Run("xmllint", func(t *testing.T) { valid(t, p, want) })
}

func formats(t *testing.T, p *provider) (prefixes []string) {
	for _, f := range p.ask(t, url.Values{"verb": {"ListMetadataFormats"}}).Formats {
		prefixes = append(prefixes, f.Prefix)
	}
	for _, must := range []string{"oai_dc", "mods", "marc21", "mets", "http_header", "oai_didl", "oai_crate"} {
		if !slices.Contains(prefixes, must) {
			t.Errorf("%s is missing", must)
		}
	}
	return prefixes
}

// same compares the records that a harvester printed with the records of the provider.
func same(t *testing.T, want map[string]string, said string) {
	t.Helper()
	got := map[string]string{}
	for line := range strings.Lines(said) {
		id, status, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			t.Errorf("said %q", line)
			continue
		}
		if got[id] != "" {
			t.Errorf("%s came twice", id)
		}
		got[id] = status
	}
	for id, status := range want {
		if got[id] != status {
			t.Errorf("%s is %s, and came as %q", id, status, got[id])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d records came, of %d", len(got), len(want))
	}
}

// metha runs metha, which prints records one after the other, without a root element.
func metha(t *testing.T, p *provider, want map[string]string) {
	program := os.Getenv("QUIRE_METHA")
	if program == "" {
		t.Skip("QUIRE_METHA is not set: the program metha-sync, beside metha-cat")
	}
	dir := t.TempDir()
	peers.Call(t, nil, program, "-base-dir", dir, "-no-intervals", "-until", "2100-01-01", "-format", "oai_didl",
		p.base)
	said := peers.Call(t, nil, filepath.Join(filepath.Dir(program), "metha-cat"), "-base-dir", dir, "-format",
		"oai_didl", p.base)
	var records struct {
		All []header `xml:"Records>record>header"`
	}
	if err := xml.Unmarshal([]byte("<all>"+said+"</all>"), &records); err != nil {
		t.Fatal(err)
	}
	lines := &strings.Builder{}
	for _, h := range records.All {
		fmt.Fprintf(lines, "%s\t%s\n", h.Identifier, h.status())
	}
	same(t, want, lines.String())
}

// validator runs the code of the validator of openarchives.org.
func validator(t *testing.T, p *provider) {
	script := os.Getenv("QUIRE_OAI_VALIDATOR")
	if script == "" {
		t.Skip("QUIRE_OAI_VALIDATOR is not set: oaipmh-validator.pl, in a clone of zimeon/oaipmh-validator")
	}
	said, _ := peers.Try(t, nil, "perl", "-I"+filepath.Join(filepath.Dir(script), "lib"), script, p.base)
	if !strings.Contains(said, "COMPLIANT") || strings.Contains(said, "NOT COMPLIANT") ||
		strings.Contains(said, "FAIL:") {
		t.Errorf("it says\n%s", said)
	}
	t.Logf("%d PASS, %d WARN", strings.Count(said, "PASS"), strings.Count(said, "WARN"))
}

// valid validates all answers with xmllint, including verbs and errors that lists do not use.
func valid(t *testing.T, p *provider, want map[string]string) {
	p.ask(t, url.Values{"verb": {"Identify"}})
	p.ask(t, url.Values{"verb": {"ListSets"}})
	prefixes := formats(t, p)
	asked := map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(want)) {
		if asked[want[id]] {
			continue // one existing and one deleted
		}
		asked[want[id]] = true
		p.ask(t, url.Values{"verb": {"ListMetadataFormats"}, "identifier": {id}})
		for _, prefix := range prefixes {
			p.ask(t, url.Values{"verb": {"GetRecord"}, "metadataPrefix": {prefix}, "identifier": {id}})
		}
	}
	for code, query := range map[string]url.Values{
		"badVerb":                 {"verb": {"Nothing"}},
		"badArgument":             {"verb": {"ListRecords"}},
		"badResumptionToken":      {"verb": {"ListRecords"}, "resumptionToken": {"x"}},
		"cannotDisseminateFormat": {"verb": {"ListRecords"}, "metadataPrefix": {"nothing"}},
		"idDoesNotExist": {"verb": {"GetRecord"}, "metadataPrefix": {"oai_dc"},
			"identifier": {"http://nowhere.example/"}},
		"noRecordsMatch": {"verb": {"ListRecords"}, "metadataPrefix": {"oai_dc"}, "until": {"1980-01-01"}},
	} {
		if a := p.ask(t, query); len(a.Errors) == 0 || a.Errors[0].Code != code {
			t.Errorf("%v: %v, want %s", query, a.Errors, code)
		}
	}
	schemas := filepath.Join(testsamples.Path(t), "schemas")
	driver := filepath.Join(t.TempDir(), "driver.xsd")
	if err := os.WriteFile(driver, []byte(driverText(t, schemas)), 0o600); err != nil {
		t.Fatal(err)
	}
	answers, err := filepath.Glob(filepath.Join(p.answers, "*.xml"))
	if err != nil || len(answers) == 0 {
		t.Fatalf("%d answers: %v", len(answers), err)
	}
	args := append([]string{"--nonet", "--noout", "--huge", "--schema", driver}, answers...)
	peers.Call(t, []string{"XML_CATALOG_FILES=" + filepath.Join(schemas, "catalog.xml")}, "xmllint", args...)
	t.Logf("%d answers are valid", len(answers))
}

// driverText returns one schema that imports the official schemas and our schemas.
func driverText(t *testing.T, schemas string) string {
	t.Helper()
	absolute := func(path string) string {
		p, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	ourSchemas := absolute("../../oai/crate/schemas")
	return fmt.Sprintf(`<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
<xs:include schemaLocation=%q/>
<xs:import namespace="urn:x-quire:crate:1" schemaLocation=%q/>
<xs:import namespace="urn:x-quire:http-header:1" schemaLocation=%q/>
</xs:schema>`, absolute(filepath.Join(schemas, "drivers", "oai-all.xsd")), filepath.Join(ourSchemas, "crate.xsd"),
		filepath.Join(ourSchemas, "http_header.xsd"))
}
