package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"quire/internal/prove"
	"quire/repository/catalogue"
	"quire/repository/ocfl"
	remote "quire/repository/place"
	"quire/repository/place/placetest"
)

// mount returns the address of a new folder in which files are written one by one.
func mount(t *testing.T) string {
	t.Helper()
	return "file://" + fastDir(t)
}

// inBucket returns the address of a bucket of a service in memory.
func inBucket(t *testing.T) (string, *placetest.Service) {
	t.Helper()
	service := placetest.NewService(t)
	t.Setenv("QUIRE_S3_ENDPOINT", service.URL())
	t.Setenv("AWS_REGION", "us-east-1")
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	return "s3://bucket/prefix", service
}

// mustMatch checks that a far copy is a valid OCFL storage root with the objects of the first folder,
// and that an audit of all copies finds nothing.
func mustMatch(t *testing.T, s *Store, c *copyFolder) {
	t.Helper()
	mustAudit(t, s) // brings the events of the audit before
	ctx := context.Background()
	dir := t.TempDir()
	for e, err := range c.far.List(ctx, rootFolder+"/") {
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(dir, filepath.FromSlash(e.Name)), placetest.Read(t, c.far, e.Name, 0))
	}
	fsys := os.DirFS(filepath.Join(dir, rootFolder))
	root, err := ocfl.ValidateRoot(ctx, fsys, ocfl.Options{Object: func(r *ocfl.Result) {
		for _, issue := range append(r.Errors, r.Warnings...) {
			t.Errorf("%s %s: %v", c.name, r.ID, issue)
		}
	}})
	if err != nil || len(root.Errors) > 0 {
		t.Errorf("%s: %v, %v", c.name, root.Errors, err)
	}
	got, want := folderTree(t, filepath.Join(dir, rootFolder)), folderTree(t, s.folders()[0].root())
	if !reflect.DeepEqual(sortedKeys(got), sortedKeys(want)) {
		t.Errorf("%s has\n%q, want\n%q", c.name, sortedKeys(got), sortedKeys(want))
	}
	report := mustAudit(t, s)
	if !report.OK() || len(report.Notes) > 0 {
		t.Errorf("audit: %v, %v", report.Findings, report.Notes)
	}
}

// TestFarCopy stores, audits, damages and repairs packages with a copy in a bucket, and with one on a
// mount.
func TestFarCopy(t *testing.T) {
	for _, kind := range []string{"bucket", "mount"} {
		t.Run(kind, func(t *testing.T) {
			ctx := context.Background()
			address := mount(t)
			if kind == "bucket" {
				address, _ = inBucket(t)
			}
			s := newRepository(t)
			mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
			if place := mustAdd(t, s, address); place.Name != "copy-4" || place.Path != address {
				t.Fatalf("added %+v", place)
			}
			if sum := refilled(t, s, "copy-4"); sum.Repaired != 1 {
				t.Errorf("filled: %+v", sum)
			}
			r := mustIngest(t, s, makePackage(t, otherID, crawl), IngestOptions{})
			if len(r.Copies) != 4 || len(r.Owed) != 0 || !strings.HasPrefix(r.Copies[3].Path, address+"/ocfl/") {
				t.Errorf("receipt: %+v", r)
			}
			second := makePackage(t, damagedID, content{"data/new.warc": "second", "twin.log": "a line\nanother\n"})
			mustIngest(t, s, second, IngestOptions{NewVersion: true})
			if again := mustIngest(t, s, second, IngestOptions{}); !again.AlreadyStored || len(again.Copies) != 4 {
				t.Errorf("again: %+v", again)
			}
			s = reopen(t, s.root)
			far := s.copies[3]
			mustMatch(t, s, far)
			states, err := s.ListCopies(ctx)
			if err != nil || states[3].Kind != kind || states[3].Good != 2 || states[3].State != CopyPresent {
				t.Errorf("states: %+v, %v", states, err)
			}
			checks, err := s.CheckCopies(ctx, nil)
			if err != nil || len(checks[3].Problems) > 0 || !strings.Contains(checks[3].Notes[0], "it refuses to") {
				t.Errorf("check: %+v, %v", checks[3], err)
			}
			damageFar(t, s, far)
			if _, err := s.RetireCopy(ctx, "copy-4", "too dear"); err != nil {
				t.Error(err)
			}
			if _, err := s.AddCopy(ctx, address); err == nil || !strings.Contains(err.Error(), "was retired") {
				t.Errorf("adding it again: %v", err)
			}
		})
	}
}

// damageFar damages the far copy, and the folders; each is repaired from the other.
func damageFar(t *testing.T, s *Store, far *copyFolder) {
	t.Helper()
	ctx := context.Background()
	card, err := s.card(ctx, damagedID)
	if err != nil {
		t.Fatal(err)
	}
	name := farName(card.Path, "v1/content/data/crawl.warc.gz")
	for _, c := range []struct {
		name   string
		damage func() error
		code   Code
	}{
		{"other bytes", func() error { return far.far.Replace(ctx, name, []byte("other")) }, WrongSize},
		{"a missing file", func() error { return far.far.Remove(ctx, name) }, MissingFile},
		{"a wrong sidecar", func() error {
			return far.far.Replace(ctx, farName(card.Path, "inventory.json.sha512"), []byte("x"))
		}, WrongSidecar},
		{"an extra file", func() error {
			return far.far.Replace(ctx, farName(card.Path, "extra"), []byte("x"))
		}, ExtraFile},
	} {
		if err := c.damage(); err != nil {
			t.Fatal(err)
		}
		report := mustAudit(t, s)
		if len(report.Findings) != 1 || report.Findings[0].Code != c.code || report.Findings[0].Copy != "copy-4" {
			t.Errorf("%s: %v", c.name, report.Findings)
		}
		if c.code == ExtraFile {
			if err := far.far.Remove(ctx, farName(card.Path, "extra")); err != nil {
				t.Fatal(err)
			}
			continue
		}
		rep, err := s.Repair(ctx, damagedID, RepairOptions{})
		if err != nil || !reflect.DeepEqual(rep.Repaired, []string{"copy-4"}) {
			t.Errorf("%s: %+v, %v", c.name, rep, err)
		}
	}
	if names := placetest.Names(t, far.far, quarantineFolder+"/"); len(names) != 1 {
		t.Errorf("the quarantine has %q", names)
	}
	mustAudit(t, s)
	mustMatch(t, s, far)
	for _, c := range s.folders() {
		edit(t, filepath.Join(c.object(card.Path), "v1/content/data/crawl.warc.gz"), flip)
	}
	out := filepath.Join(t.TempDir(), "out")
	e, err := s.Export(ctx, damagedID, out, ExportOptions{Version: 1})
	const file = "data/crawl.warc.gz"
	if err != nil || string(read(t, filepath.Join(out, file))) != crawl[file] || len(e.Fallbacks) != 3 {
		t.Errorf("export: %+v, %v", e, err)
	}
	mustAudit(t, s)
	rep, err := s.Repair(ctx, damagedID, RepairOptions{})
	if err != nil || len(rep.Repaired) != 3 || !strings.Contains(strings.Join(rep.Sources, " "), "copy-4") {
		t.Errorf("repair of the folders: %+v, %v", rep, err)
	}
	mustMatch(t, s, far)
}

// TestFarAway checks that a far copy that does not answer is owed the packages, or stops an ingest.
func TestFarAway(t *testing.T) {
	ctx := context.Background()
	address, service := inBucket(t)
	s := requiring(t)
	service.Put("bucket/prefix/quire-probe-0123", []byte("left by a killed probe"))
	mustAdd(t, s, address)
	service.Fail(func(r *http.Request) bool {
		return r.Method == http.MethodPut && strings.Contains(r.URL.Path, "content")
	})
	r := mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	if !reflect.DeepEqual(r.Owed, []string{"copy-4"}) || len(r.Copies) != 3 {
		t.Errorf("receipt: %+v", r)
	}
	if got, want := owedIn(t, s), []string{damagedID + " copy-4 owed"}; !reflect.DeepEqual(got, want) {
		t.Errorf("owed: %v", got)
	}
	takeAway(t, s.copies[0])
	takeAway(t, s.copies[1])
	_, err := s.Ingest(ctx, makePackage(t, otherID, crawl), IngestOptions{})
	if err == nil || !strings.Contains(err.Error(), "is stored in 1 copies; the repository requires 2") {
		t.Errorf("an ingest into too few copies: %v", err)
	}
	service.Fail(func(*http.Request) bool { return true })
	if _, err := s.Ingest(ctx, makePackage(t, "urn:test:third", crawl), IngestOptions{}); err == nil ||
		!strings.Contains(err.Error(), "nothing was written") {
		t.Errorf("an ingest with three copies away: %v", err)
	}
	service.Fail(nil)
	for _, c := range s.copies[:2] {
		if err := os.Rename(c.path+"-away", c.path); err != nil {
			t.Fatal(err)
		}
	}
	refilled(t, s, "")
	if left := owedIn(t, s); len(left) > 0 {
		t.Errorf("owed after the filling: %v", left)
	}
	mustMatch(t, s, s.copies[3])
}

// TestRebuildFromBucket rebuilds a repository whose folders are all lost.
func TestRebuildFromBucket(t *testing.T) {
	ctx := context.Background()
	address, service := inBucket(t)
	s := newRepository(t)
	mustAdd(t, s, address)
	first := makePackage(t, damagedID, crawl)
	mustIngest(t, s, first, IngestOptions{})
	mustIngest(t, s, makePackage(t, damagedID, content{"a": "second"}), IngestOptions{NewVersion: true})
	_ = s.Close()
	key := keyOf(t, s)
	remove(t, s.root)
	copyTree(t, key, s.root)
	into := filepath.Join(fastDir(t), "one")
	o := InitOptions{Rebuild: true, Describe: testDescribe, Catalogue: defaultCatalogue,
		Copies: []string{into, address}}
	outside := "bucket/prefix/ocfl/../../outside/" // a hostile name
	for _, name := range []string{"0=ocfl_object_1.1", "inventory.json", "inventory.json.sha512"} {
		service.Put(outside+name, []byte("{}"))
	}
	again, err := Init(ctx, s.root, o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	if again.ID() != s.ID() {
		t.Errorf("the repository is %s, was %s", again.ID(), s.ID())
	}
	if r := again.Recovered(); !strings.Contains(fmt.Sprint(r), "is not the path of an object") {
		t.Errorf("recovery: %v", r)
	}
	for _, name := range service.Names() {
		if strings.HasPrefix(name, outside) {
			service.Edit(name, func([]byte) []byte { return nil })
		}
	}
	out := filepath.Join(t.TempDir(), "out")
	if _, err := again.Export(ctx, damagedID, out, ExportOptions{Version: 1}); err != nil {
		t.Fatal(err)
	}
	if got, want := folderTree(t, out), folderTree(t, first); !reflect.DeepEqual(got, want) {
		t.Errorf("the first version is %v, want %v", got, want)
	}
	far := again.copyNamed("copy-4")
	if far == nil || len(again.copies) != 2 {
		t.Fatalf("copies: %v", again.Copies())
	}
	mustMatch(t, again, far)
}

// TestColdCopy stores packages in a cold storage class. They are listed, not read.
func TestColdCopy(t *testing.T) {
	ctx := context.Background()
	address, service := inBucket(t)
	file := filepath.Join(t.TempDir(), "places.yaml")
	if err := os.WriteFile(file, []byte("buckets:\n  bucket:\n    storage-class: DEEP_ARCHIVE\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("QUIRE_PLACES", file)
	s := newRepository(t)
	mustAdd(t, s, address)
	large := strings.Repeat("container ", remote.ColdFrom/10+1)
	mustIngest(t, s, makePackage(t, damagedID, content{"a.warc": large, "b.log": "small"}), IngestOptions{})
	if st := stateOf(t, s, damagedID, "copy-4"); st != catalogue.AsListed {
		t.Errorf("after the ingest: %s", st)
	}
	if report := mustAudit(t, s); !report.OK() || stateOf(t, s, damagedID, "copy-4") != catalogue.AsListed {
		t.Errorf("audit: %v", report.Findings)
	}
	second := makePackage(t, damagedID, content{"a.warc": large, "b.log": "other"})
	mustIngest(t, s, second, IngestOptions{NewVersion: true})
	if st := stateOf(t, s, damagedID, "copy-4"); st != catalogue.AsListed {
		t.Errorf("after a new version, with the cold file of the first: %s", st)
	}
	card, _ := s.card(ctx, damagedID)
	for _, c := range s.folders() {
		remove(t, filepath.Join(c.object(card.Path), "v1/content/a.warc"))
	}
	mustAudit(t, s)
	if _, err := s.RetireCopy(ctx, "copy-4", "too slow"); err == nil || !strings.Contains(err.Error(), "only there") {
		t.Errorf("retiring the only whole copy: %v", err)
	}
	var cold *remote.ColdError
	if _, err := s.Repair(ctx, damagedID, RepairOptions{}); !errors.As(err, &cold) ||
		!strings.Contains(err.Error(), "restore requested") {
		t.Errorf("repair from a cold copy: %v", err)
	}
	if n := service.Restore(); n != 1 {
		t.Errorf("%d restores were requested", n)
	}
	if rep, err := s.Repair(ctx, damagedID, RepairOptions{}); err != nil || len(rep.Repaired) < 3 {
		t.Errorf("after the restore: %+v, %v", rep, err)
	}
	f, err := s.OpenContent(ctx, damagedID, "a.warc")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if text, err := io.ReadAll(f); err != nil || string(text) != large {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

// TestAuditWaitsForThePush audits while an ingest brings a package to the bucket. The audit reads it
// when the bucket has all of it.
func TestAuditWaitsForThePush(t *testing.T) {
	ctx := context.Background()
	address, service := inBucket(t)
	s := newRepository(t)
	mustAdd(t, s, address)
	mustIngest(t, s, makePackage(t, otherID, crawl), IngestOptions{})
	auditor := reopen(t, s.root)
	began, report := make(chan struct{}), make(chan AuditReport, 1)
	var once sync.Once
	go func() {
		<-began
		r, err := auditor.Audit(ctx, nil, AuditOptions{})
		if err != nil {
			t.Error(err)
		}
		report <- r
	}()
	service.Fail(func(r *http.Request) bool {
		if r.Method == http.MethodPut && strings.Contains(r.URL.Path, "content") {
			once.Do(func() { close(began) })
			time.Sleep(100 * time.Millisecond)
		}
		return false
	})
	mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	if r := <-report; !r.OK() || r.Packages != 2 {
		t.Errorf("%d packages, %v", r.Packages, r.Findings)
	}
}

// TestFarBytes checks that wrong bytes of a folder never leave, and that wrong bytes in the bucket are
// found by reading them back.
func TestFarBytes(t *testing.T) {
	address, service := inBucket(t)
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	edit(t, filepath.Join(s.copies[0].object(objectPaths(t, s.copies[0])[0]), "v1/content/logs/crawl.log"), flip)
	mustAdd(t, s, address)
	service.Corrupt(func(name string) bool { return strings.HasSuffix(name, "logs/crawl.log") })
	each := func(_ RepairReport, err error) error { return err }
	_, err := s.Refill(context.Background(), "copy-4", RepairOptions{}, each)
	if err == nil || !strings.Contains(err.Error(), "after writing: it has other bytes than were stored") {
		t.Fatalf("a bucket that stores other bytes: %v", err)
	}
	if st := stateOf(t, s, damagedID, "copy-4"); st != catalogue.Missing {
		t.Errorf("the state is %s", st)
	}
	service.Corrupt(nil)
	refilled(t, s, "copy-4")
	if _, err := s.Repair(context.Background(), damagedID, RepairOptions{}); err != nil {
		t.Fatal(err)
	}
	mustMatch(t, s, s.copies[3])
}

// TestFaultInPush makes each change in the far copy fail in turn, while a new version comes to it. The
// next filling completes it.
func TestFaultInPush(t *testing.T) {
	prove.Serial(t)
	second := makePackage(t, damagedID, content{"data/new.warc": "second", "logs/crawl.log": "other"})
	for _, dies := range []bool{true, false} {
		for at := 1; ; at += prove.Stride(2, 1) {
			s := newRepository(t)
			mustAdd(t, s, mount(t))
			mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
			d := &door{at: at, dies: dies}
			far := s.copies[3].far.(*remote.Folder)
			far.Fault = d.fault
			_, err := s.Ingest(context.Background(), second, IngestOptions{NewVersion: true})
			if err == nil {
				break
			}
			far.Fault = nil
			mustHold(t, s.copies[3], s)
			_ = s.Close()
			s = reopen(t, s.root)
			if v := storedIn(t, s); v != 2 {
				t.Errorf("step %d: the folders have version %d", at, v)
			}
			refilled(t, s, "")
			mustAudit(t, s) // brings the events
			mustMatch(t, s, s.copies[3])
			if t.Failed() {
				t.Fatalf("dies %v, step %d: %v", dies, at, err)
			}
		}
	}
}

// mustHold checks that a far copy has every file that the inventory there lists: it is the old version or
// the new one.
func mustHold(t *testing.T, far *copyFolder, s *Store) {
	t.Helper()
	ctx := context.Background()
	card, err := s.card(ctx, damagedID)
	if err != nil {
		t.Fatal(err)
	}
	text, _, err := far.farInventory(ctx, card.Path, "")
	if err != nil {
		t.Fatal(err)
	}
	inv, err := ocfl.ParseInventory(text)
	if err != nil {
		t.Fatal(err)
	}
	for name, digest := range (&object{inventory: inv}).digests() {
		got, _, err := remote.ReadBack(ctx, far.far, farName(card.Path, name), func(int64) {})
		if err != nil || got != digest {
			t.Errorf("%s of %s in the far copy: %v", name, inv.Head, err)
		}
	}
}

// storedIn returns the newest version of the damaged package.
func storedIn(t *testing.T, s *Store) int {
	t.Helper()
	card, err := s.card(context.Background(), damagedID)
	if err != nil {
		t.Fatal(err)
	}
	return card.Head
}

// TestFarDamageOfAnEarlierVersion: a new version makes no copy good whose earlier files are wrong, whether an
// audit knows that or not: each file is read, and replaced if it is wrong.
func TestFarDamageOfAnEarlierVersion(t *testing.T) {
	for _, audited := range []bool{true, false} {
		t.Run(fmt.Sprintf("audited=%v", audited), func(t *testing.T) {
			ctx := context.Background()
			s := newRepository(t)
			mustAdd(t, s, mount(t))
			mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
			far := s.copies[3]
			card, err := s.card(ctx, damagedID)
			if err != nil {
				t.Fatal(err)
			}
			name := farName(card.Path, "v1/content/data/crawl.warc.gz")
			if err := far.far.Replace(ctx, name, []byte("other")); err != nil {
				t.Fatal(err)
			}
			if audited && mustAudit(t, s).OK() {
				t.Error("the audit sees nothing")
			}
			second := makePackage(t, damagedID, content{"data/new.warc": "second",
				"data/crawl.warc.gz": crawl["data/crawl.warc.gz"]})
			if r := mustIngest(t, s, second, IngestOptions{NewVersion: true}); len(r.Copies) != 4 {
				t.Errorf("receipt: %+v", r)
			}
			if got := placetest.Read(t, far.far, name, 0); got != crawl["data/crawl.warc.gz"] {
				t.Errorf("the copy is called good, and has %q", got)
			}
			mustMatch(t, s, far)
		})
	}
}

// TestPurgeFarQuarantine: a purge removes the wrong files of its package that a repair set aside in a far copy,
// and no others.
func TestPurgeFarQuarantine(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	mustAdd(t, s, mount(t))
	far := s.copies[3]
	mustIngest(t, s, secretPackage(t), IngestOptions{})
	mustIngest(t, s, makePackage(t, otherID, content{"data/secret-name.warc": "other"}), IngestOptions{})
	for _, id := range []string{purgeID, otherID} {
		card, err := s.card(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		name := farName(card.Path, "v1/content/data/secret-name.warc")
		if err := far.far.Replace(ctx, name, []byte("wrong")); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Repair(ctx, id, RepairOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if names := placetest.Names(t, far.far, quarantineFolder+"/"); len(names) != 2 {
		t.Fatalf("the quarantine has %q", names)
	}
	purgeNow(t, s)
	if names := placetest.Names(t, far.far, quarantineFolder+"/"); len(names) != 1 {
		t.Errorf("the quarantine has %q", names)
	}
}
