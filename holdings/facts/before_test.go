package facts_test

import (
	"archive/zip"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/holdings/facts"
	"quire/internal/clamdtest"
	"quire/internal/testsamples"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/antivirus"
	"quire/preserve/pack"
)

// before has packages by commit d675d60e (see make.py there), with the groups Transformed, ViralFiles
// and CleanedFiles, in the profiles compact and full.
const before = "testdata/d675d60e/packages.zip"

// Packages of the older groups are read as they were: the infected record is withheld, the record that the
// cleaner made of it and the page with restored links are not.
func TestPackagesOfOlderGroups(t *testing.T) {
	z, err := zip.OpenReader(before)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }() // it was only read
	for _, profile := range []string{"compact", "full"} {
		pkg, err := fs.Sub(z, profile)
		if err != nil {
			t.Fatal(err)
		}
		f, err := facts.Read(pkg)
		if err != nil {
			t.Fatal(err)
		}
		onlyInfectedWithheld(t, profile, f)
		uses := map[string]string{}
		for _, file := range f.Files {
			uses[file.Path] = file.Use
		}
		if uses["logs/c/a.cdx"] != aip.UseLogs || uses["logs/c/crawl.log"] != aip.UseLogs ||
			uses["original/m/hts-log.txt"] != aip.UseOriginals || len(uses) != 5 {
			t.Errorf("%s: %v", profile, uses)
		}
		dir := filepath.Join(t.TempDir(), profile)
		if err := os.CopyFS(dir, pkg); err != nil {
			t.Fatal(err)
		}
		r, err := aip.Validate(t.Context(), dir, aip.Options{})
		if err != nil || r.Outcome != string(model.Valid) || len(r.Findings) > 0 {
			t.Errorf("%s: %+v, %v", profile, r, err)
		}
		t.Run("schemas "+profile, func(t *testing.T) {
			r, err := aip.Validate(t.Context(), dir, aip.Options{Schemas: testsamples.Path(t, "schemas")})
			if err != nil || r.Outcome != string(model.Valid) {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
}

// onlyInfectedWithheld checks that of the containers only record 3 of c/a.warc is withheld.
func onlyInfectedWithheld(t *testing.T, profile string, f *facts.Facts) {
	t.Helper()
	viral := f.Containers["containers/c/a.warc"]
	if len(f.Containers) != 3 || viral == nil || viral.Infected != 1 || len(viral.Viral) != 1 || !viral.Viral[3] ||
		len(viral.ViralSums) != 1 || viral.Never != "" || viral.Scan != model.ScanInfected {
		t.Errorf("%s: %+v", profile, viral)
	}
	for _, path := range []string{"containers/m.warc.gz", "containers/cleaned.warc.gz"} {
		c := f.Containers[path]
		if c == nil || c.Never != "" || c.Restricted || len(c.Viral) > 0 || c.Infected > 0 ||
			c.Scan != model.ScanClean {
			t.Errorf("%s: %s: %+v", profile, path, c)
		}
	}
}

// The same holds for packages of today: the cleaned bytestream and the page with restored links are
// in DigitalManifestation, the infected one in ViralFiles.
func TestPackagesOfTheGroups(t *testing.T) {
	dir := t.TempDir()
	z, err := zip.OpenReader(before)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }() // it was only read
	for from, to := range map[string]string{"full/containers/c": "src/c", "full/original/m": "src/m"} {
		source, err := fs.Sub(z, from)
		if err == nil {
			err = os.CopyFS(filepath.Join(dir, to), source)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	wash := filepath.Join(dir, "wash")
	if err := os.WriteFile(wash, []byte("#!/bin/sh\necho harmless >\"$2\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	cleaner, err := antivirus.NewCleaner(wash + " {input} {output}")
	if err != nil {
		t.Fatal(err)
	}
	clamd := clamdtest.Start(t, clamdtest.Options{Answer: func(b []byte) string {
		if strings.Contains(string(b), "QUIRE-HARMLESS-SIGNATURE") {
			return "stream: Quire-Harmless FOUND"
		}
		return "stream: OK"
	}})
	scanner, err := antivirus.New(clamd.Address, antivirus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, profile := range []pack.Profile{pack.Compact, pack.Full} {
		out := filepath.Join(dir, "out"+string(profile))
		_, err := pack.Pack(t.Context(), []string{filepath.Join(dir, "src")}, pack.Options{Out: out, ID: "p",
			Profile: profile, Agent: model.Agent{Name: "Quire"}, Scan: scanner, Cleaner: cleaner})
		if err != nil {
			t.Fatal(err)
		}
		f, err := facts.Read(os.DirFS(out))
		if err != nil {
			t.Fatal(err)
		}
		onlyInfectedWithheld(t, string(profile), f)
		transformed := false
		err = aip.Parts(t.Context(), out, func(p *aip.Part) error {
			transformed = transformed || p.Use == aip.UseOriginalFiles && p.Depth > 0
			return nil
		})
		if err != nil || !transformed {
			t.Errorf("%s: no page was transformed, %v", profile, err)
		}
	}
}
