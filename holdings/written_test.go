package holdings_test

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/facts"
	"quire/holdings/holdingstest"
	"quire/internal/testsamples"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/migrate"
	"quire/repository/store"
)

// written lists the packages in testdata/672699b, with the number of byte ranges that each METS has.
var written = map[string]int64{"compact": 0, "full": 40, "linked": 40, "legacy": 40}

// unpackWritten unpacks a package of commit 672699b, and returns its folder.
func unpackWritten(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	f, err := os.Open(filepath.Join("testdata", "672699b", name+".tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return filepath.Join(dir, name)
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.FromSlash(h.Name))
		if h.Typeflag == tar.TypeDir {
			if err := os.MkdirAll(path, 0o777); err != nil {
				t.Fatal(err)
			}
			continue
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Packages of commit 672699b, in one METS document, can be used for ever.
func TestWrittenPackages(t *testing.T) {
	for name, parts := range written {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pkg := unpackWritten(t, name)
			validWritten(t, pkg, parts)
			describedWritten(t, pkg)
			factsWritten(t, pkg)
			next := migratedWritten(t, pkg)
			servedWritten(t, pkg, next)
		})
	}
}

// validWritten validates a package, by the schemas too if the samples are there, and counts the byte
// ranges that were read.
func validWritten(t *testing.T, pkg string, parts int64) {
	t.Helper()
	var o aip.Options
	if _, err := os.Stat(testsamples.Dir()); err == nil {
		o.Schemas = testsamples.Path(t, "schemas")
	}
	r, err := aip.Validate(context.Background(), pkg, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome != string(model.Valid) || r.FindingsTotal != 0 {
		t.Errorf("%s: %s, %+v", pkg, r.Outcome, r.Findings)
	}
	for _, c := range r.Checks {
		if c.Outcome == aip.NotDone && (o.Schemas != "" || c.Name != aip.CheckSchemas) {
			t.Errorf("%+v", c)
		}
	}
	var n int64
	err = aip.Parts(context.Background(), pkg, func(p *aip.Part) error {
		if p.Depth > 0 {
			n++
		}
		return nil
	})
	if err != nil || n != parts {
		t.Errorf("%d parts, %v; want %d", n, err, parts)
	}
}

// describedWritten compares the description for the catalogue.
func describedWritten(t *testing.T, pkg string) {
	t.Helper()
	p, err := aip.Describe(os.DirFS(pkg))
	if err != nil {
		t.Fatal(err)
	}
	said := fmt.Sprint(p.ID, " ", p.Title, " ", p.Containers, " ", p.Records, " ", len(p.Files), " ",
		p.First.Format(time.DateOnly), " ", p.Last.Format(time.DateOnly))
	want := "old-" + filepath.Base(pkg) + " The harbour 4 15 12 2014-01-01 2016-02-03"
	if said != want || !strings.HasPrefix(p.Profile, aip.SingleProfile) {
		t.Errorf("%q, %q; want %q", said, p.Profile, want)
	}
}

// factsWritten compares the facts that a server reads.
func factsWritten(t *testing.T, pkg string) {
	t.Helper()
	f, err := facts.Read(os.DirFS(pkg))
	if err != nil {
		t.Fatal(err)
	}
	if f.Title != "The harbour" || len(f.Containers) != 4 || len(f.Harvests) != 2 ||
		len(f.Rights.Statements) != 1 || len(f.Files) != 2 || len(f.Events) == 0 {
		t.Errorf("%+v", f)
	}
	for i, path := range []string{"containers/first.warc.gz", "containers/second.warc",
		"containers/shared member.warc.gz", "containers/third.warc.gz"} {
		if c := f.Containers[path]; c == nil || c.Number != i+1 || len(c.Events) == 0 || c.Restricted {
			t.Errorf("%s: %+v", path, c)
		}
	}
}

// migratedWritten converts the GIF image, validates the new package and returns its folder.
func migratedWritten(t *testing.T, pkg string) string {
	t.Helper()
	rule, err := migrate.ReadRule(filepath.Join("..", "examples", "migrate", "gif-to-png.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), filepath.Base(pkg))
	r, err := migrate.Run(context.Background(), pkg, migrate.Options{
		Rule: rule, Out: out, Agent: model.Agent{Name: "Quire", Version: "test"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Selected != 1 || r.Converted != 1 {
		t.Errorf("%+v", r)
	}
	// In every profile: member, record and body of the warcinfo and of the conversion.
	validWritten(t, out, written[filepath.Base(pkg)]+6)
	return out
}

// servedWritten stores the package and its migrated version, and reads a page through a server's
// view of the repository.
func servedWritten(t *testing.T, pkg, migrated string) {
	t.Helper()
	ctx := context.Background()
	repo := filepath.Join(t.TempDir(), "repo")
	s, err := store.Init(ctx, repo, store.InitOptions{Describe: aip.Describe})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i, dir := range []string{pkg, migrated} {
		r, err := s.Ingest(ctx, dir, store.IngestOptions{NewVersion: i > 0})
		if err != nil || r.Version != i+1 || r.ID != "old-"+filepath.Base(pkg) {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	h, err := holdings.Of(ctx, s, holdings.Options{Dir: filepath.Join(repo, "access"), Location: time.UTC,
		Problem: func(err error) { t.Errorf("problem: %v", err) }, Wait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if err := h.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]string{
		"http://h.example/boats": "[<title>Boats</title>]",
		"http://h.example/": "[<title>The pier</title>][<title>The harbour</title>]" +
			"[<title>The port</title>]",
		"http://s.example/": "[<title>S</title>]",
	} {
		if said := titlesOf(t, h, url); said != want {
			t.Errorf("%s: %s; want %s", url, said, want)
		}
	}
}

// titlesOf reads all captures of a URL as the public, and returns the titles in their content.
func titlesOf(t *testing.T, h *holdings.Holdings, url string) (titles string) {
	t.Helper()
	who := holdings.Reader{Class: holdings.Public}
	for _, c := range holdingstest.Captures(t, h, who, captures.Query{URL: url}) {
		content, err := h.Read(context.Background(), who, c.Capture)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(holdings.Decoded(content))
		if err != nil {
			t.Fatal(err)
		}
		begin, end := strings.Index(string(text), "<title>"), strings.Index(string(text), "</title>")
		if begin < 0 || end < begin {
			t.Fatalf("no title in %q", text)
		}
		titles += "[" + string(text[begin:end]) + "</title>]"
	}
	return titles
}
