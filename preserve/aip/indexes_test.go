package aip_test

import (
	"bytes"
	"crypto/sha512"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/pack"
)

const (
	aContainer = "containers/a.warc"
	itsLines   = "indexes/a.warc.cdxj.gz"
)

// packed makes a package of two containers.
func packed(t *testing.T) string {
	t.Helper()
	crawl, out := t.TempDir(), filepath.Join(t.TempDir(), "package")
	for _, name := range []string{"a", "b"} {
		text := "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x:" + name + ">\r\nWARC-Target-URI: http://" +
			name + ".example/\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n" +
			"Content-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n"
		must(t, os.WriteFile(filepath.Join(crawl, name+".warc"), []byte(text), 0o666))
	}
	_, err := pack.Pack(t.Context(), []string{crawl},
		pack.Options{Out: out, ID: "p", Agent: model.Agent{Name: "Quire", Version: "test"}})
	must(t, err)
	return out
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// forge replaces the CDXJ lines of a container, and updates the METS.
func forge(t *testing.T, pkg string, change func(text string) string) {
	t.Helper()
	path := filepath.Join(pkg, filepath.FromSlash(itsLines))
	old, err := os.ReadFile(path)
	must(t, err)
	z, err := gzip.NewReader(bytes.NewReader(old))
	must(t, err)
	text, err := io.ReadAll(z)
	must(t, err)
	var b bytes.Buffer
	out := gzip.NewWriter(&b)
	_, err = io.WriteString(out, change(string(text)))
	must(t, err)
	must(t, out.Close())
	must(t, os.WriteFile(path, b.Bytes(), 0o666))
	for _, said := range []func([]byte) string{ // in the file element, and in its object
		func(b []byte) string { return fmt.Sprintf(`SIZE="%d"`, len(b)) },
		func(b []byte) string { return fmt.Sprintf(`<premis:size>%d<`, len(b)) },
		func(b []byte) string { return fmt.Sprintf("%x", sha512.Sum512(b)) },
	} {
		editMETS(t, pkg, said(old), said(b.Bytes()))
	}
}

// editMETS changes the METS and its digest.
func editMETS(t *testing.T, pkg, from, to string) {
	t.Helper()
	path := filepath.Join(pkg, aip.METSName)
	mets, err := os.ReadFile(path)
	must(t, err)
	if !bytes.Contains(mets, []byte(from)) {
		t.Fatalf("the METS has no entry for %s", from)
	}
	mets = bytes.ReplaceAll(mets, []byte(from), []byte(to))
	must(t, os.WriteFile(path, mets, 0o666))
	must(t, os.WriteFile(filepath.Join(pkg, aip.DigestName), aip.DigestLine(fmt.Sprintf("%x", sha512.Sum512(mets))),
		0o666))
}

// A CDXJ index that differs from its container is found.
func TestIndexes(t *testing.T) {
	swap := func(from, to string) func(*testing.T, string) {
		return func(t *testing.T, pkg string) {
			forge(t, pkg, func(text string) string {
				if !strings.Contains(text, from) {
					t.Fatalf("%s is missing", from)
				}
				return strings.ReplaceAll(text, from, to)
			})
		}
	}
	for name, c := range map[string]struct {
		change func(*testing.T, string)
		want   string // finding
	}{
		"as they are":       {func(*testing.T, string) {}, ""},
		"of another digest": {swap(`"sha512":"`, `"sha512":"0`), "PKG-INDEX-CONTAINER error"},
		"of another path":   {swap(aContainer, "containers/b.warc"), "PKG-INDEX-CONTAINER error"},
		"one line less":     {swap(`"lines":1`, `"lines":0`), "PKG-INDEX-LINES error"},
		"outside":           {swap(`"offset":"0"`, `"offset":"9999"`), "PKG-INDEX-LINES error"},
		"no lines":          {swap(`!meta`, `meta`), "PKG-INDEX-LINES error"},
		"later":             {swap(`"version":2`, `"version":4`), "PKG-INDEX-VERSION warning"},
		"earlier":           {swap(`"version":2`, `"version":0`), "PKG-INDEX-LINES error"},
		"of no container": {func(t *testing.T, pkg string) {
			must(t, os.Rename(filepath.Join(pkg, filepath.FromSlash(itsLines)),
				filepath.Join(pkg, "indexes", "c.warc.cdxj.gz")))
			editMETS(t, pkg, itsLines, "indexes/c.warc.cdxj.gz")
		}, "PKG-INDEX-CONTAINER error"},
		"in another folder": {func(t *testing.T, pkg string) {
			must(t, os.Rename(filepath.Join(pkg, filepath.FromSlash(itsLines)), filepath.Join(pkg, "a.warc.cdxj.gz")))
			editMETS(t, pkg, itsLines, "a.warc.cdxj.gz")
		}, "PKG-PATH-PLACE warning PKG-INDEX-CONTAINER error"},
		"damaged on the disk": {func(t *testing.T, pkg string) {
			path := filepath.Join(pkg, filepath.FromSlash(itsLines))
			b, err := os.ReadFile(path)
			must(t, err)
			b[len(b)/2] ^= 1
			must(t, os.WriteFile(path, b, 0o666))
		}, "PKG-FILE-DIGEST error"},
	} {
		t.Run(name, func(t *testing.T) {
			pkg := packed(t)
			c.change(t, pkg)
			r, err := aip.Validate(t.Context(), pkg, aip.Options{})
			must(t, err)
			var got []string
			for _, f := range r.Findings {
				got = append(got, f.Code+" "+string(f.Severity))
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%v", r.Findings)
			}
			for _, check := range r.Checks {
				if check.Name == aip.CheckIndexes && name == "as they are" &&
					check.Detail != "2 files of CDXJ lines checked; they were not compared with the records" {
					t.Errorf("%+v", check)
				}
			}
		})
	}
}
