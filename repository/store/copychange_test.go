package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"quire/internal/prove"
)

// refilled brings a copy all packages that it lacks.
func refilled(t *testing.T, s *Store, name string) RepairSum {
	t.Helper()
	each := func(_ RepairReport, err error) error { return err }
	sum, err := s.Refill(context.Background(), name, RepairOptions{}, each)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func mustAdd(t *testing.T, s *Store, path string) CopyPlace {
	t.Helper()
	place, err := s.AddCopy(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	return place
}

// TestAddCopy adds a copy while other processes have the repository open: a reader goes on, and a writer
// that does not know the copy stops before it writes.
func TestAddCopy(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	mustIngest(t, s, makePackage(t, otherID, crawl), IngestOptions{})
	reader, writer := reopen(t, s.root), reopen(t, s.root)
	path := filepath.Join(fastDir(t), "fourth")
	place := mustAdd(t, s, path)
	if want := (CopyPlace{Name: "copy-4", Path: path}); place != want {
		t.Errorf("added %+v, want %+v", place, want)
	}
	if got, want := owedIn(t, s), []string{damagedID + " copy-4 missing", otherID + " copy-4 missing"}; !reflect.
		DeepEqual(got, want) {
		t.Errorf("owed: %v, want %v", got, want)
	}
	if _, err := reader.OpenContent(ctx, damagedID, "logs/crawl.log"); err != nil {
		t.Errorf("the reader: %v", err)
	}
	_, err := writer.Ingest(ctx, makePackage(t, "urn:test:late", crawl), IngestOptions{})
	if !errors.Is(err, ErrCopiesChanged) {
		t.Errorf("the writer: %v", err)
	}
	if again := mustAdd(t, s, path); again != place {
		t.Errorf("added again: %+v", again)
	}
	if sum := refilled(t, s, "copy-4"); sum.Repaired != 2 || sum.Failed != 0 {
		t.Errorf("filled: %+v", sum)
	}
	r := mustIngest(t, s, makePackage(t, "urn:test:late", crawl), IngestOptions{})
	if len(r.Copies) != 4 {
		t.Errorf("the next package is in %d copies", len(r.Copies))
	}
	mustBeSound(t, reopen(t, s.root))
	if len(objectPaths(t, s.copies[3])) != 3 {
		t.Errorf("the new copy has %v", objectPaths(t, s.copies[3]))
	}
}

func TestAddCopyRefuses(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	other := newRepository(t)
	full := t.TempDir()
	put(t, full+"/file", "x")
	for _, c := range []struct{ name, path, want string }{
		{"a folder with something in it", full, "not empty"},
		{"the repository", s.root, "cannot lie in its own copy"},
		{"a folder in a copy", s.copies[0].path + "/ocfl/new", "not separate"},
		{"a copy of another repository", other.copies[0].path, "is copy \"copy-1\" of repository " + other.id},
	} {
		if _, err := s.AddCopy(ctx, c.path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if len(s.Copies()) != 3 {
		t.Errorf("the repository has %v", s.Copies())
	}
	mustBeSound(t, reopen(t, s.root))
}

// TestFaultInAddCopy cuts an AddCopy off at each change. The next one goes on.
func TestFaultInAddCopy(t *testing.T) {
	prove.Serial(t)
	for _, dies := range []bool{true, false} {
		for at := 1; ; at += prove.Stride(3, 1) {
			s := newRepository(t)
			mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
			path := filepath.Join(fastDir(t), "fourth")
			d := &door{at: at, dies: dies}
			s.disk.fault = d.fault
			_, err := s.AddCopy(context.Background(), path)
			if err == nil {
				break
			}
			_ = s.Close()
			s = reopen(t, s.root)
			if place := mustAdd(t, s, path); place.Name != "copy-4" && place.Name != "copy-5" {
				t.Errorf("step %d: the name is %s", at, place.Name)
			}
			refilled(t, s, "")
			mustBeSound(t, s)
			if len(s.Copies()) != 4 || t.Failed() {
				t.Fatalf("dies %v, step %d: %v; copies %v", dies, at, err, s.Copies())
			}
		}
	}
}

// TestRetireCopy checks that a retired copy keeps its files, and is never used again.
func TestRetireCopy(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	path := s.copies[1].path
	before := folderTree(t, filepath.Join(path, rootFolder))
	stale := reopen(t, s.root)
	r, err := s.RetireCopy(ctx, "copy-2", "its disk is old")
	if err != nil || r.Name != "copy-2" || r.Because != "its disk is old" || r.At.IsZero() {
		t.Fatalf("retired %+v, %v", r, err)
	}
	if again, err := s.RetireCopy(ctx, "copy-2", "twice"); err != nil || again.Because != r.Because {
		t.Errorf("twice: %+v, %v", again, err)
	}
	if _, err := stale.Repair(ctx, damagedID, RepairOptions{}); !errors.Is(err, ErrCopiesChanged) {
		t.Errorf("a repair by a process that knows the copy: %v", err)
	}
	mustIngest(t, s, makePackage(t, otherID, crawl), IngestOptions{})
	if !reflect.DeepEqual(folderTree(t, filepath.Join(path, rootFolder)), before) {
		t.Error("the files of the retired copy changed")
	}
	if place := mustAdd(t, s, filepath.Join(fastDir(t), "new")); place.Name != "copy-4" {
		t.Errorf("the next copy is %s", place.Name)
	}
	refilled(t, s, "")
	mustBeSound(t, s)
	if _, err := s.AddCopy(ctx, path); err == nil || !strings.Contains(err.Error(), "was retired") {
		t.Errorf("adding it again: %v", err)
	}
	_ = s.Close()
	_ = stale.Close()
	rebuild := InitOptions{Rebuild: true, Describe: testDescribe, Copies: []string{s.copies[0].path, path}}
	if _, err := Init(ctx, s.root, rebuild); err == nil || !strings.Contains(err.Error(), "was retired") {
		t.Errorf("rebuilding with it: %v", err)
	}
	rebuild.Copies = nil
	again, err := Init(ctx, s.root, rebuild)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	if states, err := again.ListCopies(ctx); err != nil || len(states) != 4 || states[3].State != CopyRetired {
		t.Errorf("after a rebuild: %+v, %v", states, err)
	}
}

// TestFaultInRetire: a retirement that is cut off leaves no copy that is in use and marked. The next one ends it.
func TestFaultInRetire(t *testing.T) {
	ctx := context.Background()
	for at := 1; ; at++ {
		s := newRepository(t)
		mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
		path := s.copies[1].path
		d := &door{at: at, dies: true}
		s.disk.fault = d.fault
		_, first := s.RetireCopy(ctx, "copy-2", "too old")
		s = reopen(t, s.root)
		id, err := readIdentity(path)
		if err != nil || id.Retired != nil && s.copyNamed("copy-2") != nil {
			t.Errorf("step %d, %v: the copy is in use, and marked, %v", at, first, err)
		}
		if _, err := s.RetireCopy(ctx, "copy-2", "too old"); err != nil {
			t.Errorf("step %d, again: %v", at, err)
		}
		if id, err := readIdentity(path); err != nil || id.Retired == nil || s.copyNamed("copy-2") != nil {
			t.Errorf("step %d: not retired, %v", at, err)
		}
		if at > d.count {
			return
		}
	}
}

func TestRetireCopyRefuses(t *testing.T) {
	ctx := context.Background()
	s := requiring(t)
	mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	for _, c := range s.copies[1:] {
		edit(t, filepath.Join(c.object(objectPaths(t, c)[0]), "v1/content/logs/crawl.log"), flip)
	}
	mustAudit(t, s)
	refuses := func(name, want string) {
		t.Helper()
		if _, err := s.RetireCopy(ctx, name, "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("retiring %s: %v, want %q", name, err, want)
		}
	}
	refuses("copy-9", "its copies are copy-1, copy-2, copy-3")
	refuses("copy-1", "1 packages are known to be good only there, such as "+damagedID)
	if _, err := s.RetireCopy(ctx, "copy-2", "x"); err != nil {
		t.Error(err)
	}
	refuses("copy-3", "requires 2 copies, and would have 1")
	if _, err := s.Repair(ctx, damagedID, RepairOptions{}); err != nil {
		t.Error(err)
	}
	takeAway(t, s.copies[1])
	s.rules.Require = 0
	config, _ := readConfig(s.root)
	config.Require = 0
	if err := s.disk.writeConfig(s.root, config); err != nil {
		t.Fatal(err)
	}
	refuses("copy-1", "good only there") // the other good one is away
	if _, err := s.RetireCopy(ctx, "copy-3", "lost"); err != nil {
		t.Error(err)
	}
	refuses("copy-1", "the only copy")
}

func TestMoveCopy(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	to := filepath.Join(fastDir(t), "moved")
	if _, err := s.MoveCopy(ctx, "copy-3", to); err == nil || !strings.Contains(err.Error(), "copy replace copy-3") {
		t.Errorf("to a folder that is not the copy: %v", err)
	}
	if _, err := s.MoveCopy(ctx, "copy-3", s.copies[1].path); err == nil || !strings.Contains(err.Error(),
		"not separate") {
		t.Errorf("to another copy: %v", err)
	}
	if err := os.Rename(s.copies[2].path, to); err != nil {
		t.Fatal(err)
	}
	place, err := s.MoveCopy(ctx, "copy-3", to)
	if err != nil || place.Path != to {
		t.Fatalf("moved to %+v, %v", place, err)
	}
	mustIngest(t, s, makePackage(t, otherID, crawl), IngestOptions{})
	s = reopen(t, s.root)
	if s.copies[2].path != to {
		t.Errorf("the copies are %v", s.Copies())
	}
	mustBeSound(t, s)
}

// TestReplaceCopy replaces a copy that is there, and one that is lost.
func TestReplaceCopy(t *testing.T) {
	ctx := context.Background()
	for _, lost := range []bool{false, true} {
		s := newRepository(t)
		mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
		if lost {
			takeAway(t, s.copies[0])
		}
		path := filepath.Join(fastDir(t), "new")
		replace := func(each error) (Replacement, error) {
			return s.ReplaceCopy(ctx, "copy-1", path, RepairOptions{}, func(RepairReport, error) error { return each })
		}
		stop := errors.New("stop")
		if _, err := replace(stop); !errors.Is(err, stop) {
			t.Fatalf("interrupted: %v", err)
		}
		if got := s.copyNamed("copy-1") == nil; got != lost {
			t.Errorf("lost %v: after the interruption, the copy is retired: %v", lost, got)
		}
		s = reopen(t, s.root)
		r, err := replace(nil)
		if err != nil || r.New.Name != "copy-4" || r.Retired.Because != "replaced by copy-4" || r.Filled.Failed > 0 {
			t.Errorf("lost %v: %+v, %v", lost, r, err)
		}
		s = reopen(t, s.root)
		if got := names(s.copies); !reflect.DeepEqual(got, []string{"copy-2", "copy-3", "copy-4"}) {
			t.Errorf("lost %v: the copies are %v", lost, got)
		}
		mustBeSound(t, s)
		if _, err := s.ReplaceCopy(ctx, "copy-7", path, RepairOptions{}, nil); err == nil {
			t.Error("a copy that does not exist was replaced")
		}
	}
}

func TestCopyStates(t *testing.T) {
	ctx := context.Background()
	s := requiring(t)
	mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	edit(t, filepath.Join(s.copies[0].object(objectPaths(t, s.copies[0])[0]), "v1/content/logs/crawl.log"), flip)
	back := takeAway(t, s.copies[2])
	mustIngest(t, s, makePackage(t, otherID, crawl), IngestOptions{})
	mustAudit(t, s)
	states, err := s.ListCopies(ctx)
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		name, state                            string
		packages, good, damaged, missing, owed int64
	}
	var got []row
	for _, k := range states {
		got = append(got, row{k.Name, k.State, k.Packages, k.Good, k.Damaged, k.Missing, k.Owed})
	}
	want := []row{{"copy-1", CopyPresent, 2, 1, 1, 0, 0}, {"copy-2", CopyPresent, 2, 2, 0, 0, 0},
		{"copy-3", CopyAway, 2, 1, 0, 0, 1}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("states:\n%v\nwant\n%v", got, want)
	}
	back()
	put(t, filepath.Join(s.copies[1].root(), "ocfl_layout.json"), "{}")
	checks, err := s.CheckCopies(ctx, []string{"copy-2", "copy-3"})
	if err != nil || len(checks) != 2 {
		t.Fatalf("checks: %+v, %v", checks, err)
	}
	for i, want := range []string{"ocfl_layout.json differs", "lacks 1 of 2 packages"} {
		if all := strings.Join(checks[i].Problems, "\n"); len(checks[i].Problems) != 1 || !strings.Contains(all, want) {
			t.Errorf("%s: %q, want %q", checks[i].Name, all, want)
		}
		if len(checks[i].Notes) != 1 || !strings.Contains(checks[i].Notes[0], "the same file system as copy-1") {
			t.Errorf("%s: notes %q", checks[i].Name, checks[i].Notes)
		}
	}
	if _, err := s.CheckCopies(ctx, []string{"copy-9"}); err == nil {
		t.Error("a copy that does not exist was checked")
	}
}

// TestSettingsWaitForWriters: anchors and schedule are in the same file as the list of copies. They are not set
// while a writer is at work, nor by a program that knows another list.
func TestSettingsWaitForWriters(t *testing.T) {
	s := newRepository(t)
	other := reopen(t, s.root)
	set := map[string]func(*Store, context.Context) error{
		"anchors": func(s *Store, ctx context.Context) error { return s.SetAnchors(ctx, []string{"command:true"}) },
		"schedule": func(s *Store, ctx context.Context) error {
			return s.SetSchedule(ctx, mustSchedule(t, "full every 1d"))
		},
	}
	writer, err := s.shareCopies(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	for name, change := range set {
		if err := change(other, ended); !errors.Is(err, context.Canceled) {
			t.Errorf("%s beside a writer: %v", name, err)
		}
	}
	writer.release()
	mustAdd(t, s, filepath.Join(fastDir(t), "fourth"))
	for name, change := range set {
		if err := change(other, context.Background()); !errors.Is(err, ErrCopiesChanged) {
			t.Errorf("%s with another list of copies: %v", name, err)
		}
		if err := change(s, context.Background()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if again := reopen(t, s.root); len(again.copies) != 4 || len(again.Anchors()) != 1 || len(again.Schedule()) != 1 {
		t.Errorf("%d copies, anchors %v, schedule %v", len(again.copies), again.Anchors(), again.Schedule())
	}
}
