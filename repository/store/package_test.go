package store

import (
	"context"
	"crypto/sha512"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"quire/model"
	"quire/repository/ocfl"
)

// testMETS has the parts of a METS that the store's tests need. quire/preserve/pack reads the real
// one.
type testMETS struct {
	XMLName xml.Name   `xml:"mets"`
	ID      string     `xml:"OBJID,attr"`
	Title   string     `xml:"LABEL,attr"`
	Files   []testFile `xml:"file"`
}

type testFile struct {
	Path   string `xml:"href,attr"`
	Size   int64  `xml:"SIZE,attr"`
	SHA512 string `xml:"CHECKSUM,attr"`
}

// testDescribe is the tests' DescribeFunc.
func testDescribe(fsys fs.FS) (model.Package, error) {
	text, err := fs.ReadFile(fsys, "mets.xml")
	if err != nil {
		return model.Package{}, err
	}
	var m testMETS
	if err := xml.Unmarshal(text, &m); err != nil {
		return model.Package{}, err
	}
	p := model.Package{ID: m.ID, Title: m.Title, Profile: "test", METS: "mets.xml", Containers: 1, Records: 2,
		Bytes:   int64(len(text)),
		Created: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	for _, f := range m.Files {
		p.Files = append(p.Files, model.PackageFile{Path: f.Path, Size: f.Size, SHA512: f.SHA512,
			Use: "DigitalManifestation"})
		p.Bytes += f.Size
	}
	return p, nil
}

// content is a package in a test: path → bytes, without the METS.
type content map[string]string

// makePackage writes a package folder with its METS.
func makePackage(t testing.TB, id string, files content) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "package")
	m := testMETS{ID: id, Title: "Title of " + id}
	for _, name := range sortedKeys(files) {
		put(t, filepath.Join(dir, filepath.FromSlash(name)), files[name])
		sum := sha512.Sum512([]byte(files[name]))
		m.Files = append(m.Files, testFile{Path: name, Size: int64(len(files[name])),
			SHA512: hex.EncodeToString(sum[:])})
	}
	text, err := xml.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "mets.xml"), string(text))
	return dir
}

// crawl is an ordinary small package.
var crawl = content{
	"data/crawl.warc.gz": "pretend that this is a container",
	"data/empty.warc":    "",
	"logs/crawl.log":     "a line\nanother\n",
	"logs/.hidden":       "hidden files count",
	"twin.log":           "a line\nanother\n",
}

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// newRepository creates a repository for a test.
func newRepository(t testing.TB) *Store {
	t.Helper()
	s, err := Init(context.Background(), filepath.Join(fastDir(t), "repo"),
		InitOptions{Describe: testDescribe, Software: "quire test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// reopen opens the repository at root again, like another process.
func reopen(t testing.TB, root string) *Store {
	t.Helper()
	s, err := Open(context.Background(), root, Options{Describe: testDescribe, Software: "quire test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func mustIngest(t testing.TB, s *Store, dir string, o IngestOptions) Receipt {
	t.Helper()
	r, err := s.Ingest(context.Background(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// folderTree reads a folder: path → bytes.
func folderTree(t testing.TB, dir string) content {
	t.Helper()
	files := content{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		files[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// mustBeSound checks the conditions of a repository without active processes: every object is valid
// OCFL in every copy, the copies are equal, staging and journal are empty, and the audit finds no
// problems.
func mustBeSound(t testing.TB, s *Store) {
	t.Helper()
	ctx := context.Background()
	for _, c := range s.copies {
		root, err := ocfl.ValidateRoot(ctx, os.DirFS(c.root()), ocfl.Options{Object: func(r *ocfl.Result) {
			for _, issue := range append(r.Errors, r.Warnings...) {
				t.Errorf("%s %s: %v", c.name, r.ID, issue)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		for _, issue := range append(root.Errors, root.Warnings...) {
			t.Errorf("%s: %v", c.name, issue)
		}
		names, err := c.stagedNames()
		if err != nil || len(names) > 0 {
			t.Errorf("%s: staging has %v, %v", c.name, names, err)
		}
		if got, want := fmt.Sprint(objectPaths(t, c)), fmt.Sprint(objectPaths(t, s.copies[0])); got != want {
			t.Errorf("%s has %s, %s has %s", c.name, got, s.copies[0].name, want)
		}
	}
	if left, err := os.ReadDir(filepath.Join(s.root, journalFolder)); err != nil || len(left) > 0 {
		t.Errorf("journal has %v, %v", left, err)
	}
	report, err := s.Audit(ctx, nil, AuditOptions{})
	if err != nil {
		t.Fatal(err)
	}
	registerSound(t, s)
	for _, f := range report.Findings {
		t.Errorf("audit: %v", f)
	}
	for _, n := range report.Notes {
		t.Errorf("audit: %s", n)
	}
}

func objectPaths(t testing.TB, c *copyFolder) []string {
	t.Helper()
	var paths []string
	err := c.eachObject(context.Background(), func(path string) error {
		paths = append(paths, path)
		return nil
	}, func(path string, err error) { t.Errorf("%s: stray %s (%v)", c.name, path, err) })
	if err != nil {
		t.Fatal(err)
	}
	return paths
}
