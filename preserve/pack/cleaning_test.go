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

// Infected records have their own group in every profile. The cleaned objects are below their
// container; each states its source.
func TestCleanedPackage(t *testing.T) {
	infected := good + record("resource", clamdtest.EICAR(), "WARC-Target-URI: http://x.example/eicar.com",
		"Content-Type: text/plain")
	const viral, cleaned = `USE="ViralFiles"`, `ID="FILE-c3-b2"`
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
			[]string{viral, cleaned, "viral, cleaned: 1 bytestream", "eventOutcome>viral, cleaned</", "EVT-clean",
				"cleanedFile", "AGT-cleaner", "modification"},
			[]string{"failed but forced"}},
		{"the derived object is infected too", `cat "$1" >"$2"`, 0, 2,
			[]string{viral, "failed but forced", "the scanner still found a virus", `ID="FILE-c3-viral"`, "0 of 1"},
			[]string{"cleanedFile"}},
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
			if failed := c.program != "" && c.cleaned == 0; failed != (len(r.Scan.NotCleaned) == 1) {
				t.Errorf("%s, %s: the cleaner's failures are %q", c.name, profile, r.Scan.NotCleaned)
			}
			linked(t, readBack(t, o.Out))
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

// A cleaned bytestream is in DigitalManifestation and refers to the infected one, which does not
// refer back: the infected object stays as it was received.
func TestCleanedFilesRender(t *testing.T) {
	infected := good + record("resource", clamdtest.EICAR(), "WARC-Target-URI: http://x.example/eicar.com",
		"Content-Type: text/plain")
	for _, profile := range []Profile{Compact, Full} {
		o := options(t)
		o.ID, o.Profile = "x", profile
		o.Scan = scannerAt(t, clamdtest.Start(t, clamdtest.Options{}).Address, false)
		o.Cleaner = cleanerOf(t, `echo harmless >"$2"`)
		mustPack(t, o, crawlOf(t, map[string]string{"a.warc": infected}))
		all, d := fetchAll(t, o.Out), readBack(t, o.Out)
		made := all["FILE-c2-b2"]
		if made.group != aip.UseContainers || string(made.bytes) != "harmless\n" {
			t.Errorf("%q: the cleaned bytestream is in %s: %q", profile, made.group, made.bytes)
		}
		source := ""
		for _, r := range d.objects["x#OBJ-c2-b2"].Relationships {
			if r.SubType.Text == "cleanedFile" && r.Type.Text == "derivation" && len(r.Events) == 1 &&
				r.Events[0].Identifier.Value == "x#EVT-clean" {
				source = strings.TrimPrefix(r.Objects[0].Value, "x#OBJ-")
			}
		}
		if viral := all["FILE-"+source]; viral.group != aip.UseViral || string(viral.bytes) != clamdtest.EICAR() {
			t.Errorf("%q: its source %q is in %q", profile, source, viral.group)
		}
		for _, r := range d.objects["x#OBJ-"+source].Relationships {
			if r.Type.Text == "derivation" {
				t.Errorf("%q: the infected object is related to %s", profile, r.Objects[0].Value)
			}
		}
	}
}

// The container with cleaned content changes nothing that is said of the website: title, abstract,
// dates, and the event of its capture.
func TestCleaningDescribesNoWebsite(t *testing.T) {
	source := crawlOf(t, map[string]string{"a.warc": warcinfo + record("response",
		"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"+clamdtest.EICAR(), "WARC-Target-URI: http://x.example/",
		"Content-Type: application/http")})
	said := map[bool]string{}
	for _, cleans := range []bool{false, true} {
		o := options(t)
		o.ID = "x"
		o.Scan = scannerAt(t, clamdtest.Start(t, clamdtest.Options{}).Address, false)
		if cleans {
			o.Cleaner = cleanerOf(t, `echo harmless >"$2"`)
		}
		r := mustPack(t, o, source)
		mets := read(t, o.Out, "mets.xml")
		if strings.Contains(mets, "containers/cleaned.warc.gz") != cleans {
			t.Fatalf("cleaned %v: there is another container", cleans)
		}
		about := []string{r.Title, r.First.String(), r.Last.String()}
		for _, line := range strings.Split(mets, "\n") {
			if strings.Contains(line, "<mods:") && !strings.Contains(line, "<mods:extent>") {
				about = append(about, line)
			}
		}
		capture := readBack(t, o.Out).events["x#EVT-capture"]
		if len(capture.Outcomes) == 0 {
			t.Fatal("the capture has no outcome")
		}
		_, section, _ := strings.Cut(mets, `<mets:digiprovMD ID="EVT-capture"`)
		section, _, _ = strings.Cut(section, "</mets:digiprovMD>")
		said[cleans] = strings.Join(about, "\n") + section
		for _, l := range readBack(t, o.Out).objects["x#OBJ-c2"].Events {
			if l.Value == "x#EVT-capture" {
				t.Error("what the cleaner made was captured")
			}
		}
	}
	if said[false] != said[true] {
		t.Errorf("with a cleaner:\n%s\nwithout:\n%s", said[true], said[false])
	}
}

// A cleaner writes into a package with a relative path.
func TestCleanerWithARelativePath(t *testing.T) {
	o := options(t)
	t.Chdir(filepath.Dir(o.Out))
	o.Out = "package"
	o.Scan = scannerAt(t, clamdtest.Start(t, clamdtest.Options{}).Address, false)
	o.Cleaner = cleanerOf(t, `echo harmless >"$2"`)
	r := mustPack(t, o, crawlOf(t, map[string]string{"a.warc": good + record("resource", clamdtest.EICAR(),
		"WARC-Target-URI: http://x.example/eicar.com", "Content-Type: text/plain")}))
	if r.Scan.Cleaned != 1 || len(r.Scan.NotCleaned) > 0 {
		t.Errorf("%+v", r.Scan)
	}
}
