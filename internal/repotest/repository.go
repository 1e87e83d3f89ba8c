// Package repotest makes repositories for tests, from WARC records that a test writes.
package repotest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"quire/internal/clamdtest"
	"quire/internal/pgtest"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/antivirus"
	"quire/preserve/collection"
	"quire/preserve/pack"
	"quire/repository/store"
)

// Repository is a repository for a test, in a temporary folder.
type Repository struct {
	Store *store.Store
	Dir   string // the test's folder; the repository is Dir/repo
	Clock *Clock

	t testing.TB
	n int
}

// New returns an empty repository with two copies. Its catalogue is a file, or with QUIRE_POSTGRES=1 in a database: then
// TestMain calls [pgtest.Main].
func New(t testing.TB) *Repository {
	t.Helper()
	dir, catalogue := t.TempDir(), store.CatalogueFile
	if pgtest.Wanted() {
		catalogue = pgtest.Place(t).Address
	}
	s, err := store.Init(context.Background(), filepath.Join(dir, "repo"), store.InitOptions{
		Describe: aip.Describe, Copies: []string{filepath.Join(dir, "copy-1"), filepath.Join(dir, "copy-2")},
		Catalogue: catalogue,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return &Repository{Store: s, Dir: dir, Clock: &Clock{now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}, t: t}
}

// Package is the source of a package.
type Package struct {
	ID         string
	Containers map[string]string // content by name: records one after the other
	Logs       map[string]string // other files, such as logs, by path
	Rights     string            // content of rights.yaml (docs/reference/325_rights.md); "" means no file
	Profile    pack.Profile
	Scan       bool // with a scanner that finds [EICAR]
	// paths in the package, such as containers/a.warc, that its METS withholds from the public
	Restrict []string
}

// EICAR returns the text that scanners report as a virus by agreement.
func EICAR() string { return clamdtest.EICAR() }

// Pack makes a package folder.
func (r *Repository) Pack(p Package) string {
	r.t.Helper()
	crawl, out := r.Path("crawl"), r.Path("package")
	for _, files := range []map[string]string{p.Containers, p.Logs} {
		for name, content := range files {
			r.Write(filepath.Join(crawl, filepath.FromSlash(name)), content)
		}
	}
	o := pack.Options{Out: out, ID: p.ID, Agent: model.Agent{Name: "Quire", Version: "test"}, Profile: p.Profile}
	if p.Rights != "" {
		o.Rights = r.Write(r.Path("rights"), p.Rights)
	}
	if p.Scan {
		s, err := antivirus.New(clamdtest.Start(r.t, clamdtest.Options{}).Address, antivirus.Options{})
		if err != nil {
			r.t.Fatal(err)
		}
		o.Scan = s
	}
	if _, err := pack.Pack(context.Background(), []string{crawl}, o); err != nil {
		r.t.Fatal(err)
	}
	r.restrict(out, p.Restrict)
	return out
}

// Path returns a new path in Dir that begins with name.
func (r *Repository) Path(name string) string {
	r.n++
	return filepath.Join(r.Dir, fmt.Sprint(name, "-", r.n))
}

// Write writes a file, creates its folders, and returns its path.
func (r *Repository) Write(path, content string) string {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		r.t.Fatal(err)
	}
	return path
}

// Ingest makes a package and stores it; a second package with one id becomes its next version.
func (r *Repository) Ingest(p Package) {
	r.t.Helper()
	r.store(r.Pack(p))
}

func (r *Repository) store(dir string) {
	r.t.Helper()
	if _, err := r.Store.Ingest(context.Background(), dir, store.IngestOptions{NewVersion: true}); err != nil {
		r.t.Fatal(err)
	}
}

// Collect makes a collection of stored packages with a rights.yaml ("" means none), and stores it.
func (r *Repository) Collect(id, title, rights string, packages ...string) {
	r.t.Helper()
	dir := r.Path("collection")
	text := fmt.Sprintf("id: %s\ntitle: %s\n", id, title)
	if rights != "" {
		r.Write(filepath.Join(dir, "rights.yaml"), rights)
		text += "rights: rights.yaml\n"
	}
	text += "harvests:\n"
	for _, p := range packages {
		out := filepath.Join(dir, p)
		if _, err := r.Store.Export(context.Background(), p, out, store.ExportOptions{}); err != nil {
			r.t.Fatal(err)
		}
		text += "  - packages: [" + p + "]\n"
	}
	out := filepath.Join(dir, "out")
	f, err := collection.ReadFile(r.Write(filepath.Join(dir, "collection.yaml"), text))
	if err != nil {
		r.t.Fatal(err)
	}
	if _, err := collection.Make(context.Background(), f,
		collection.Options{Out: out, Agent: model.Agent{Name: "Quire", Version: "test"}}); err != nil {
		r.t.Fatal(err)
	}
	r.store(out)
}
