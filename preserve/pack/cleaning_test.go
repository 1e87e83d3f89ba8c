package pack

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/clamdtest"
	"quire/internal/schematest"
	"quire/internal/testsamples"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/antivirus"
)

// cleanerOf makes a program of a line of shell.
func cleanerOf(t *testing.T, line string) *antivirus.Cleaner {
	t.Helper()
	path := filepath.Join(t.TempDir(), "wash")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+line+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	c, err := antivirus.NewCleaner(path + " {input} {output}")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Infected records have their own group in every profile, and so do a program's derived objects;
// each states its source.
func TestCleanedPackage(t *testing.T) {
	infected := good + record("resource", clamdtest.EICAR(), "WARC-Target-URI: http://x.example/eicar.com",
		"Content-Type: text/plain")
	const viral, cleaned = `USE="ViralFiles"`, `USE="CleanedFiles"`
	for _, c := range []struct {
		name     string
		program  string // "" means none
		cleaned  int64
		infected int64
		says     []string
		never    []string
	}{
		{"nobody cleans", "", 0, 1, []string{viral, "viral, failed but forced", `ID="FILE-c2-viral"`},
			[]string{cleaned, "EVT-clean"}},
		{"it is cleaned", `echo harmless >"$2"`, 1, 1,
			[]string{viral, cleaned, "viral, cleaned: 1 bytestream", "eventOutcome>viral, cleaned</", `ID="FILE-c3-cleaned"`, "EVT-clean", "cleanedFile",
				"has source", "AGT-cleaner", "modification"},
			[]string{"failed but forced"}},
		{"the derived object is infected too", `cat "$1" >"$2"`, 0, 2,
			[]string{viral, "failed but forced", "the scanner found something still", `ID="FILE-c3-viral"`},
			[]string{cleaned}},
		{"the program fails", "exit 9", 0, 1,
			[]string{viral, "failed but forced", "not cleaned: Eicar-Test-Signature, record &lt;urn:x:resource&gt;",
				"status 9"}, []string{cleaned, "containers/cleaned"}},
	} {
		for _, profile := range []Profile{Compact, Full} {
			clamd := clamdtest.Start(t, clamdtest.Options{})
			dir := crawlOf(t, map[string]string{"a.warc": good, "b.warc": infected, "crawl.log": "x"})
			o := options(t)
			o.Profile = profile
			o.Scan = scannerAt(t, clamd.Address, false)
			if c.program != "" {
				o.Cleaner = cleanerOf(t, c.program)
			}
			r := mustPack(t, o, dir)
			if r.Scan.Cleaned != c.cleaned || r.Scan.Infected != c.infected || r.Scan.Outcome != model.ScanInfected {
				got, _ := json.Marshal(r.Scan)
				t.Errorf("%s, %s: %s", c.name, profile, got)
			}
			if !r.Last.Equal(*r.First) {
				t.Errorf("%s, %s: a cleaner's result is identified as a capture of %s", c.name, profile, r.Last)
			}
			mets := read(t, o.Out, "mets.xml")
			for _, want := range c.says {
				if !strings.Contains(mets, want) {
					t.Errorf("%s, %s: the METS does not say %q", c.name, profile, want)
				}
			}
			for _, never := range c.never {
				if strings.Contains(mets, never) {
					t.Errorf("%s, %s: the METS says %q", c.name, profile, never)
				}
			}
			if read(t, o.Out, "containers/b.warc") != infected {
				t.Errorf("%s: the container is not as it was received", c.name)
			}
			check(t, o.Out, aip.Options{})
			t.Run("schemas", func(t *testing.T) {
				check(t, o.Out, aip.Options{Schemas: testsamples.Path(t, "schemas")})
			})
			t.Run("profile", func(t *testing.T) {
				tests := schematest.ReadProfile(t, filepath.Join("..", "..", "docs", "reference", "profiles", "compact.xml")).Tests
				if broken := schematest.Broken(t, tests, filepath.Join(o.Out, "mets.xml")); len(broken) > 0 {
					t.Errorf("%s, %s: these do not hold: %v", c.name, profile, broken)
				}
			})
		}
	}
}
