package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"quire/repository/catalogue"
)

// lived creates a repository with a history: several packages, versions, a repaired damage, audits.
func lived(t *testing.T) *Store {
	t.Helper()
	s := newRepository(t)
	first := mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	mustIngest(t, s, makePackage(t, "not a URI at all", content{"a b.log": "1"}), IngestOptions{})
	changed := content{"data/crawl.warc.gz": "another container", "logs/crawl.log": crawl["logs/crawl.log"]}
	mustIngest(t, s, makePackage(t, damagedID, changed), IngestOptions{NewVersion: true, Message: "crawled again"})
	mustAudit(t, s)
	remove(t, filepath.Join(first.Copies[2].Path, "v1/content/twin.log"))
	remove(t, filepath.Join(first.Copies[2].Path, "v1/content/logs"))
	mustAudit(t, s, damagedID)
	if _, err := s.Repair(context.Background(), damagedID, RepairOptions{}); err != nil {
		t.Fatal(err)
	}
	mustAudit(t, s)
	return s
}

// dump returns the full content of a catalogue as text.
func dump(t *testing.T, s *Store) string {
	t.Helper()
	ctx := context.Background()
	var records []catalogue.Record
	for p, err := range s.catalogue.Packages(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.catalogue.Get(ctx, p.ID)
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	audits, err := s.catalogue.Audits(ctx, 1000)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := s.catalogue.Runs(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range runs { // these two are not in the JSON of a run
		runs[i].Resumes += r.Choice + r.Place
	}
	text, err := json.MarshalIndent(map[string]any{"packages": records, "audits": audits, "runs": runs}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func mustRebuild(t *testing.T, root string, copies ...string) *Store {
	t.Helper()
	s, err := Init(context.Background(), root,
		InitOptions{Rebuild: true, Copies: copies, Describe: testDescribe, Software: "quire test",
			Catalogue: defaultCatalogue})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestRebuildEqualsOriginal checks that the catalogue has only data from the copies.
func TestRebuildEqualsOriginal(t *testing.T) {
	needsFile(t, "removes the file")
	s := lived(t)
	want := dump(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{catalogueFile, catalogueFile + "-wal", catalogueFile + "-shm"} {
		remove(t, filepath.Join(s.root, name))
	}
	if _, err := Open(context.Background(), s.root, Options{Describe: testDescribe}); err == nil ||
		!strings.Contains(err.Error(), "init rebuild") {
		t.Errorf("without catalogue: %v, want advice to rebuild", err)
	}
	again := mustRebuild(t, s.root)
	if got := dump(t, again); got != want {
		t.Errorf("rebuilt catalogue differs:\n%s", firstDifference(want, got))
	}
	mustBeSound(t, again)
}

// TestRebuildOfLostRepository loses the folder of the repository; the copies are elsewhere. One
// copy is lost too and replaced by an empty disk, which a repair fills.
func TestRebuildOfLostRepository(t *testing.T) {
	s := lived(t)
	ctx := context.Background()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	elsewhere := fastDir(t)
	for _, name := range []string{"copy-1", "copy-3", registerKey, registerState} {
		if err := os.Rename(filepath.Join(s.root, name), filepath.Join(elsewhere, name)); err != nil {
			t.Fatal(err)
		}
	}
	remove(t, s.root)
	for _, name := range []string{registerKey, registerState} { // from a backup
		put(t, filepath.Join(s.root, name), string(read(t, filepath.Join(elsewhere, name))))
	}
	again := mustRebuild(t, s.root, elsewhere+"/copy-1", elsewhere+"/copy-3", elsewhere+"/new disk")
	if again.ID() != s.ID() || len(again.copies) != 3 {
		t.Errorf("rebuilt %s with %v", again.ID(), again.Copies())
	}
	for e, err := range again.List(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Status != catalogue.Missing {
			t.Errorf("%s is %s, want missing (in the new copy)", e.ID, e.Status)
		}
		if _, err := again.Repair(ctx, e.ID, RepairOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	mustBeSound(t, again)
	for e, err := range again.List(ctx) {
		if err != nil || e.Status != catalogue.Good {
			t.Errorf("%s is %s, %v", e.ID, e.Status, err)
		}
	}
}

func TestRebuildRefuses(t *testing.T) {
	s, other := newRepository(t), newRepository(t)
	ctx := context.Background()
	init := func(root string, copies ...string) error {
		made, err := Init(ctx, root, InitOptions{Rebuild: true, Describe: testDescribe, Copies: copies,
			Catalogue: defaultCatalogue})
		if err == nil {
			_ = made.Close()
		}
		return err
	}
	if err := init(s.root); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("while it is open: %v", err)
	}
	_, _ = s.Close(), other.Close()
	if err := init(fastDir(t), s.copies[0].path, other.copies[1].path); err == nil ||
		!strings.Contains(err.Error(), "does not fit") {
		t.Errorf("copies of two repositories: %v", err)
	}
	if err := init(filepath.Join(fastDir(t), "x"), fastDir(t)); err == nil ||
		!strings.Contains(err.Error(), "nothing to rebuild") {
		t.Errorf("an empty folder: %v", err)
	}
	remove(t, s.copies[1].path)
	if err := init(s.root); err == nil || !strings.Contains(err.Error(), "copy-2") {
		t.Errorf("a known copy that is not mounted: %v", err)
	}
}

// TestFaultInRebuild checks that an interrupted rebuild can be repeated.
func TestFaultInRebuild(t *testing.T) {
	s := lived(t)
	want := dump(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for at := 1; ; at++ {
		d := &door{at: at, dies: true}
		made, err := rebuild(context.Background(), s.root,
			InitOptions{Rebuild: true, Describe: testDescribe, Software: "quire test"}, &disk{fault: d.fault})
		if err == nil {
			_ = made.Close()
		} else if !errors.Is(err, errInjected) {
			t.Fatalf("step %d: %v", at, err)
		}
		again := mustRebuild(t, s.root)
		if got := dump(t, again); got != want {
			t.Fatalf("step %d: %s", at, firstDifference(want, got))
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
		if at > d.count {
			break
		}
	}
}

func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d:\nwant %s\ngot  %s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("want %d lines, got %d", len(a), len(b))
}

// TestNewVersionKeepsOnlyWhatIsNew checks the forward delta (OCFL 1.1 clause 3.5.2), and that every
// version can be exported.
func TestNewVersionKeepsOnlyWhatIsNew(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	one := makePackage(t, damagedID, crawl)
	mustIngest(t, s, one, IngestOptions{})
	changed := content{"data/crawl.warc.gz": "another container", "moved/crawl.log": crawl["logs/crawl.log"]}
	two := makePackage(t, damagedID, changed)
	_, err := s.Ingest(ctx, two, IngestOptions{})
	var conflict *ConflictError
	if !errors.As(err, &conflict) {
		t.Errorf("without NewVersion: %v, want a ConflictError", err)
	}
	r := mustIngest(t, s, two, IngestOptions{NewVersion: true})
	if r.Version != 2 || r.NewBytes >= r.Bytes {
		t.Errorf("receipt: %+v", r)
	}
	stored := folderTree(t, filepath.Join(r.Copies[0].Path, "v2", "content"))
	if got, want := sortedKeys(stored), []string{"data/crawl.warc.gz", "mets.xml"}; !reflect.DeepEqual(got, want) {
		t.Errorf("v2 holds %q, want %q", got, want)
	}
	for version, dir := range map[int]string{1: one, 2: two, 0: two} {
		out := filepath.Join(t.TempDir(), "out")
		if _, err := s.Export(ctx, damagedID, out, ExportOptions{Version: version}); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(folderTree(t, out), folderTree(t, dir)) {
			t.Errorf("version %d differs from the ingested package", version)
		}
	}
	before := folderTree(t, s.copies[0].path)
	again := mustIngest(t, s, two, IngestOptions{NewVersion: true})
	if !again.AlreadyStored || again.Version != 2 {
		t.Errorf("ingest of the same again: %+v", again)
	}
	if !reflect.DeepEqual(folderTree(t, s.copies[0].path), before) {
		t.Error("repeating an ingest wrote files")
	}
	mustBeSound(t, s)
}
