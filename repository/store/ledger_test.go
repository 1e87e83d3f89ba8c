package store

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/model"
	"quire/repository/catalogue"
	"quire/repository/register"
)

// historyOf returns the leaves of an object in the main register, by its salt in a copy.
func historyOf(t testing.TB, s *Store, p catalogue.Package, salt register.Salt) *register.History {
	t.Helper()
	r, err := register.OpenReader(s.registerPath())
	if err != nil {
		t.Fatal(err)
	}
	h := &register.History{}
	for e, err := range r.Leaves(context.Background(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		switch l := e.Leaf.(type) {
		case register.Version:
			if l.Object == salt.Object(p.Object) {
				h.Add(e.Index, l)
			}
		case register.Event:
			if l.Object == salt.Object(p.Object) {
				h.Add(e.Index, l)
			}
		case register.Tombstone:
			if l.Object == salt.Object(p.Object) {
				h.Add(e.Index, l)
			}
		}
	}
	return h
}

// registerSound checks that the main register is whole, that no copy contradicts it, and that it has exactly
// the versions and events of each object in each copy.
func registerSound(t testing.TB, s *Store) {
	t.Helper()
	ctx := context.Background()
	keys, err := s.Keys()
	if err != nil {
		t.Fatal(err)
	}
	report, err := register.Verify(ctx, s.registerPath(), register.VerifyOptions{Keys: []string{keys[0].Key}})
	if err != nil || !report.OK() {
		t.Errorf("the register: %v, %v", report, err)
	}
	paths := []string{s.registerPath()}
	for _, c := range s.present() {
		paths = append(paths, c.register())
	}
	for _, f := range register.Compare(paths, []string{keys[0].Key}).Findings {
		if f.Code != register.RegisterBehind { // a copy that lags gets the leaves when the repository is closed
			t.Errorf("the register: %v", f)
		}
	}
	for p, err := range s.catalogue.Packages(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range s.present() {
			registerHas(t, s, c, p)
		}
	}
}

// registerHas checks one object in a copy.
func registerHas(t testing.TB, s *Store, c *copyFolder, p catalogue.Package) {
	t.Helper()
	salt, ok := saltIn(c, p.Path)
	if !ok {
		t.Errorf("%s: %s has no salt", c.name, p.ID)
		return
	}
	found := register.Found{Versions: map[uint32]register.Digest{}, Events: map[register.Digest]string{}}
	for n := 1; n <= p.Head; n++ {
		_, sum, err := readInventory(filepath.Join(c.object(p.Path), versionName(n)))
		if err != nil {
			t.Fatal(err)
		}
		digest, err := inventorySum(sum)
		if err != nil {
			t.Fatal(err)
		}
		found.Versions[uint32(n)] = salt.Inventory(digest)
	}
	for name, text := range eventTexts([]string{c.object(p.Path)}) {
		found.Events[salt.Event(text)] = name
	}
	for _, f := range register.CheckObject(historyOf(t, s, p, salt), found) {
		t.Errorf("%s: %s: %v", c.name, p.ID, f)
	}
}

// busyLife makes changes of each kind in a repository.
func busyLife(t *testing.T, s *Store) {
	t.Helper()
	ctx := context.Background()
	r := mustIngest(t, s, makePackage(t, faultID, crawl), IngestOptions{})
	mustIngest(t, s, makePackage(t, faultID, content{"a.warc": "second"}),
		IngestOptions{NewVersion: true, By: "A. Person"})
	if _, err := s.Record(ctx, faultID, Action{Type: model.Dissemination, Detail: "to a reader"}); err != nil {
		t.Fatal(err)
	}
	for n, text := range []string{"one", "two"} {
		change := Change{File: "rules.yaml", Text: []byte(text), Base: n}
		if _, err := s.SetDocument(ctx, RulesDocument, change); err != nil {
			t.Fatal(err)
		}
	}
	edit(t, filepath.Join(r.Copies[1].Path, "v1/content/logs/crawl.log"), flip)
	remove(t, filepath.Join(r.Copies[2].Path, "v1/content/data/crawl.warc.gz"))
	if mustAudit(t, s).OK() {
		t.Fatal("the audit missed the damage")
	}
	if _, err := s.Repair(ctx, faultID, RepairOptions{}); err != nil {
		t.Fatal(err)
	}
}

// TestRegisterOfChanges: the register has each version, event and setting, and reaches each copy when the
// repository is closed.
func TestRegisterOfChanges(t *testing.T) {
	s := newRepository(t)
	busyLife(t, s)
	mustBeSound(t, s)
	settings := 0
	r, err := register.OpenReader(s.registerPath())
	if err != nil {
		t.Fatal(err)
	}
	for e, err := range r.Leaves(context.Background(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if l, ok := e.Leaf.(register.Setting); ok && l.Name == RulesDocument {
			settings++
		}
	}
	if settings != 2 {
		t.Errorf("%d settings, want 2", settings)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(s.registerPath(), "checkpoint"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range s.copies {
		got, err := os.ReadFile(filepath.Join(c.register(), "checkpoint"))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}

// makeOlder turns a repository into one of a version without a register: no such folder, key or salt.
func makeOlder(t *testing.T, s *Store) string {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{registerFolder, registerKey, registerState} {
		remove(t, filepath.Join(s.root, name))
	}
	for _, c := range s.copies {
		remove(t, c.register())
		for _, path := range objectPaths(t, c) {
			remove(t, filepath.Join(c.object(path), saltPath))
		}
	}
	return s.root
}

// TestRegisterOfOlderRepository: a repository without a register is read as before. The first command that
// may write begins a register over everything that it has, and says so once.
func TestRegisterOfOlderRepository(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	busyLife(t, s)
	root := makeOlder(t, s)

	reading, err := Open(ctx, root, Options{Describe: testDescribe, Reading: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := reading.Record(ctx, faultID, Action{Type: model.Dissemination, Detail: "before"}); err != nil {
		t.Fatal(err)
	}
	if err := reading.Close(); err != nil || reading.registered() {
		t.Fatalf("reading began a register (%v)", err)
	}

	s = reopen(t, root)
	if r := s.Recovered(); len(r) != 1 || r[0].Outcome != Begun || !strings.Contains(r[0].Detail, "2 objects") {
		t.Errorf("recovered %v", r)
	}
	mustBeSound(t, s)
	mustIngest(t, s, makePackage(t, faultID, crawl), IngestOptions{NewVersion: true})
	mustBeSound(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if r := reopen(t, root).Recovered(); len(r) > 0 {
		t.Errorf("again: %v", r)
	}
}

// TestRegisterBeginsAfterKill lets the disk die at each step of the beginning of a register.
func TestRegisterBeginsAfterKill(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	busyLife(t, s)
	root := makeOlder(t, s)
	for at := 1; ; at += stride() {
		again := filepath.Join(fastDir(t), "repo")
		if err := os.CopyFS(again, os.DirFS(root)); err != nil {
			t.Fatal(err)
		}
		d := &door{at: at, dies: true}
		if s, err := openWith(ctx, again, Options{Describe: testDescribe}, &disk{fault: d.fault}); err == nil {
			_ = s.Close()
		}
		s := reopen(t, again)
		mustBeSound(t, s)
		if t.Failed() {
			t.Fatalf("step %d", at)
		}
		if at > d.count {
			break
		}
	}
}

// TestForgedNote: a decided change that the key of the repository did not sign is not put in place.
func TestForgedNote(t *testing.T) {
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, faultID, crawl), IngestOptions{})
	id := "urn:forged:1"
	v, err := s.newSurvey(context.Background(), makePackage(t, id, crawl))
	if err != nil {
		t.Fatal(err)
	}
	in := s.newIngest(v, IngestOptions{})
	in.present, in.targets = s.copies, s.copies
	in.plan()
	if err := in.prepare(context.Background()); err != nil {
		t.Fatal(err)
	}
	edit(t, s.journalPath(in.key), func(text []byte) []byte {
		return []byte(strings.Replace(string(text), `"doing": "ingest"`, `"doing": "forging"`, 1))
	})
	again := reopen(t, s.root)
	r := again.Recovered()
	if len(r) != 1 || r[0].Outcome != SetAside || !strings.Contains(r[0].Detail, "did not sign") {
		t.Errorf("recovered %v", r)
	}
	if _, err := again.card(context.Background(), id); err == nil {
		t.Error("the forged package is stored")
	}
	mustBeSound(t, again)
}

// TestSign: a signature holds for one document and one purpose.
func TestSign(t *testing.T) {
	s := newRepository(t)
	signature, err := s.Sign(context.Background(), "report", []byte("text"))
	if err != nil {
		t.Fatal(err)
	}
	keys, err := s.Keys()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		purpose, text string
		good          bool
	}{{"report", "text", true}, {"report", "texts", false}, {"journal", "text", false}} {
		if err := register.CheckSignature(signature, c.purpose, []byte(c.text), keys[0].Key); (err == nil) != c.good {
			t.Errorf("%s of %q: %v", c.purpose, c.text, err)
		}
	}
}

// TestTombstone: the removal of a package is one leaf, also after a second call, and only its salt finds it.
func TestTombstone(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	r := mustIngest(t, s, makePackage(t, faultID, crawl), IngestOptions{})
	salt, _ := readSalt(r.Copies[0].Path)
	own, at := register.NewSalt(), s.moment()
	for range 2 {
		if err := s.EnterTombstone(ctx, faultID, at, []byte("because"), own); err != nil {
			t.Fatal(err)
		}
	}
	reader, err := register.OpenReader(s.registerPath())
	if err != nil {
		t.Fatal(err)
	}
	var found []register.Tombstone
	for e, err := range reader.Leaves(ctx, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if l, ok := e.Leaf.(register.Tombstone); ok {
			found = append(found, l)
		}
	}
	if len(found) != 1 || found[0].Object != salt.Object(faultID) || found[0].Record != own.Record([]byte("because")) {
		t.Errorf("tombstones: %v", found)
	}
	for _, p := range r.Copies {
		remove(t, filepath.Join(p.Path, saltPath))
	}
	if err := s.EnterTombstone(ctx, faultID, at, nil, own); err == nil || !strings.Contains(err.Error(), "salt") {
		t.Errorf("without a salt: %v", err)
	}
}
