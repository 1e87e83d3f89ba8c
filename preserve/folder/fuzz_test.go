package folder

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// seedMETS gives a METS of every kind that the tables know.
func seedMETS(f *testing.F) {
	f.Helper()
	f.Add([]byte(ordinary().mets(f)))
	for _, group := range [][]damage{metsDamage, pathDamage, fixityDamage} {
		for _, d := range group {
			if d.edit != nil {
				f.Add([]byte(d.edit(ordinary().mets(f))))
			}
		}
	}
	f.Add([]byte(`<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>`))
}

// Whatever a METS says, Describe ends; and what it lists can be opened in the package and nowhere else.
func FuzzDescribe(f *testing.F) {
	seedMETS(f)
	f.Fuzz(func(t *testing.T, mets []byte) {
		files := fstest.MapFS{METSName: {Data: mets}, DigestName: {Data: DigestLine(sumOf(string(mets)))}}
		p, err := Describe(files)
		if err != nil {
			return
		}
		sum := int64(0)
		for _, file := range p.Files {
			sum += file.Size
			if !filepath.IsLocal(file.Path) || strings.HasSuffix(file.Path, "/") {
				t.Errorf("path %q", file.Path)
			}
			if file.SHA512 != "" && !isSHA512(file.SHA512) {
				t.Errorf("SHA-512 %q", file.SHA512)
			}
		}
		if sum != p.Bytes || p.Records < 0 || p.Containers < 0 {
			t.Errorf("%+v", p)
		}
	})
}

// Whatever a METS says, Validate ends with a report. A package it finds valid is one that Describe can describe, with all
// its files; and one whose METS was changed without its sidecar is never valid.
func FuzzValidate(f *testing.F) {
	seedMETS(f)
	dir := ordinary().write(f)
	f.Fuzz(func(t *testing.T, mets []byte) {
		put(t, dir, METSName, string(mets))
		put(t, dir, DigestName, string(DigestLine(sumOf(string(mets)))))
		r := mustValidate(t, dir, Options{})
		if len(r.Checks) != len(checkOrder) || r.Files != 5 {
			t.Errorf("%+v", r)
		}
		if r.Outcome == "valid" {
			p, err := Describe(os.DirFS(dir))
			if err != nil || int64(len(p.Files)) != r.Files || p.Bytes != r.Bytes {
				t.Errorf("valid, and described as %+v, %v", p, err)
			}
		}
		put(t, dir, METSName, string(mets)+" ")
		if r := mustValidate(t, dir, Options{}); r.Outcome != "invalid" {
			t.Errorf("valid, with a sidecar that does not fit")
		}
	})
}
