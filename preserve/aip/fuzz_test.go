package aip

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"quire/model"
)

// seedMETS adds a METS of every kind in the tables.
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

// For any METS, Describe ends, and its listed files can be opened only inside the package.
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

// For any METS, Validate ends with a report. Describe can describe a valid package with all its
// files. A package with a changed METS and an unchanged sidecar is never valid.
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

// For any parts in a METS and any container, the search for parts ends. In a valid package, each
// part can be read as its METS states.
func FuzzParts(f *testing.F) {
	for _, s := range layouts(f) {
		all := s.contents(f)
		f.Add([]byte(all[METSName]), []byte(s.files[s.paths(ContainersDir)[0]]))
	}
	for _, s := range []sample{members(f), transformed(f)} {
		f.Add([]byte(s.contents(f)[METSName]), []byte(s.files[s.paths(ContainersDir)[0]]))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, mets, container []byte) {
		put(t, dir, METSName, string(mets))
		put(t, dir, DigestName, string(DigestLine(sumOf(string(mets)))))
		put(t, dir, "logs/crawl.log", "one line\n")
		put(t, dir, aPath, string(container))
		put(t, dir, rowPath, string(container))
		r := mustValidate(t, dir, Options{})
		wrong := slices.ContainsFunc(r.Findings, func(f model.Finding) bool {
			return f.Code != CodeExtraFile && f.Severity == model.Error
		})
		left := 40
		err := Parts(t.Context(), dir, func(p *Part) error {
			if left--; left < 0 {
				return io.EOF
			}
			err := p.Write(t.Context(), dir, &limited{64 << 20}, false)
			var reason *PartError
			if err != nil && !errors.As(err, &reason) && !errors.Is(err, errFull) {
				return err
			}
			if err != nil && !wrong {
				t.Errorf("valid, and yet %v", err)
			}
			return nil
		})
		if err != nil && !wrong && !errors.Is(err, io.EOF) {
			t.Errorf("valid, and yet %v", err)
		}
	})
}

var errFull = errors.New("more than a test wants")

// limited accepts a limited number of bytes.
type limited struct{ left int }

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}
