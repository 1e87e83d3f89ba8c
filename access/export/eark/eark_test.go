package eark

import (
	"compress/gzip"
	"crypto/sha512"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"quire/access/export"
	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/internal/schematest"
	"quire/internal/testsamples"
	"quire/metadata/mets"
	"quire/metadata/xmlstream"
)

func repository(t *testing.T, rights string) (*holdingstest.Repository, *holdings.Holdings) {
	t.Helper()
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "site-1", Rights: rights, Scan: true,
		Logs: map[string]string{"crawl.log": "2015 200 1 http://a.example/\n"}, Containers: map[string]string{
			"a.warc": holdingstest.Response("1", "http://a.example/", "2015-01-02T03:04:05Z", "text/html", "<p>one") +
				holdingstest.Response("2", "http://a.example/secret", "2015-01-02T03:04:06Z", "text/html",
					"<p>secret two") +
				holdingstest.Response("3", "http://a.example/v.exe", "2015-01-02T03:04:06Z", "application/octet-stream",
					holdingstest.EICAR()),
		}})
	return r,
		r.Open(holdings.Options{Rules: r.Rules("rules:\n  - urls: [http://a.example/secret]\n    access: restricted\n" +
			"    message: Ask at the desk.\n")})
}

func run(t *testing.T, r *holdingstest.Repository, h *holdings.Holdings, who holdings.Class) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), ObjID("site-1"))
	if _, err := export.Run(t.Context(), r.Store, h, export.Request{ID: "site-1", As: "eark", For: who, Out: out},
		Formats()); err != nil {
		t.Fatal(err)
	}
	return out
}

// files returns the SHA-512 of each file of a package.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(p)
		sum := sha512.Sum512(text)
		rel, _ := filepath.Rel(dir, p)
		all[filepath.ToSlash(rel)] = hex.EncodeToString(sum[:])
		if strings.Contains(string(text), holdingstest.EICAR()) {
			t.Errorf("%s is infected", rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// listed returns the digests in a METS, by path in the package.
func listed(t *testing.T, dir, name string) map[string]string {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // only read
	all := map[string]string{}
	add := func(href, sum string) error {
		p, err := mets.Path(href)
		all[path.Join(path.Dir(name), p)] = sum
		return err
	}
	err = mets.Read(f, mets.Handler{
		Section: func(s mets.Section, _ *xmlstream.Reader) error { return add(s.Ref.Href, s.Ref.Checksum) },
		File:    func(f mets.File, _ mets.FilePlace) error { return add(f.Locations[0].Href, f.Checksum) },
		Mptr:    func(mets.Mptr) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestPackage: every file is listed with its digest, in the METS of the package or of the
// representation; and everything is valid.
func TestPackage(t *testing.T) {
	r, h := repository(t, "access: open")
	dir := run(t, r, h, holdings.Public)
	there := files(t, dir)
	known := listed(t, dir, "METS.xml")
	for p, sum := range listed(t, dir, rep+"/METS.xml") {
		known[p] = sum
	}
	for p, sum := range there {
		if p != "METS.xml" && known[p] != sum {
			t.Errorf("%s is listed with %q", p, known[p])
		}
	}
	if len(known) != len(there)-1 {
		t.Errorf("%d files are listed of %d", len(known), len(there))
	}
	driver := testsamples.Path(t, "schemas", "drivers", "mets-all.xsd")
	for _, p := range []string{"METS.xml", rep + "/METS.xml", premisPath, modsPath, dcPath, rep + "/" + premisPath} {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p)))
		if err != nil {
			t.Fatal(err)
		}
		schematest.Valid(t, driver, text)
		if strings.Contains(string(text), "secret") {
			t.Errorf("%s reveals withheld content", p)
		}
	}
	kept, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(keptPath)))
	if err != nil || !strings.Contains(string(kept), "Ask at the desk.") ||
		!strings.Contains(string(kept), `"infected"`) {
		t.Errorf("%s, %v", kept, err)
	}
	if _, ok := there["documentation/package/logs/crawl.log"]; ok != strings.Contains(string(kept), "crawl.log") {
		return // either present or withheld
	}
	t.Error("the log is neither there nor kept back")
}

// TestSameTwice: equal exports have equal bytes, even after an earlier export.
func TestSameTwice(t *testing.T) {
	r, h := repository(t, "access: open")
	one, two := files(t, run(t, r, h, holdings.Public)), files(t, run(t, r, h, holdings.Public))
	for p, sum := range one {
		if two[p] != sum {
			t.Errorf("%s differs", p)
		}
	}
	if len(one) != len(two) {
		t.Error("other files")
	}
}

// TestNothing: a package with open documents only gives a WARC file that states only that, and the
// representation is valid.
func TestNothing(t *testing.T) {
	r, _ := repository(t, "access: open")
	h := r.Open(holdings.Options{Dir: r.Path("closed"), Rules: r.Rules("rules:\n  - urls: [\"(example,a,)/\"]\n" +
		"    access: restricted\n")})
	dir := run(t, r, h, holdings.Public)
	for p := range files(t, dir) {
		if !strings.HasPrefix(p, rep+"/data/") {
			continue
		}
		f, err := os.Open(filepath.Join(dir, filepath.FromSlash(p)))
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(z)
		if err != nil || strings.Contains(string(text), "a.example") {
			t.Errorf("%s has %s, %v", p, text, err)
		}
		_ = f.Close() // only read
	}
	text, err := os.ReadFile(filepath.Join(dir, rep, "METS.xml"))
	if err != nil {
		t.Fatal(err)
	}
	schematest.Valid(t, testsamples.Path(t, "schemas", "drivers", "mets-all.xsd"), text)
}
