package store

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/prove"
)

// cutOff cuts an ingest of a new version off, after its decision, while the parts are moved into
// place. It garbles the note that is left.
func cutOff(t *testing.T, at int) *Store {
	t.Helper()
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	renames := 0
	died := false
	s.disk.fault = func(op, path string) error {
		if op == "rename" && strings.Contains(path, "/ocfl/") {
			if renames++; renames == at {
				died = true
			}
		}
		if died {
			return errInjected
		}
		return nil
	}
	_, err := s.Ingest(context.Background(), makePackage(t, damagedID, content{"a": "b"}),
		IngestOptions{NewVersion: true})
	if err == nil || !died {
		t.Fatalf("it was not cut off: %v", err)
	}
	_ = s.Close()
	garble(t, s.journalPath(objectKey(damagedID)), "{")
	return s
}

// TestUndecidedNote checks a garbled note while a copy is away. The change waits for the copy, with its
// staged files; everything else works.
func TestUndecidedNote(t *testing.T) {
	ctx := context.Background()
	s := cutOff(t, 2)
	staged := mustNames(t, s)
	back := takeAway(t, s.copies[2])
	s = reopen(t, s.root)
	if got := s.Recovered(); len(got) != 1 || got[0].Outcome != Pending || !strings.Contains(got[0].Detail, "copy-3") {
		t.Errorf("recovered: %v, want one that waits for copy-3", got)
	}
	for e, err := range s.List(ctx) {
		if err != nil || e.ID != damagedID {
			t.Errorf("list: %v, %v", e, err)
		}
	}
	out := filepath.Join(t.TempDir(), "out")
	if _, err := s.Export(ctx, damagedID, out, ExportOptions{}); err != nil {
		t.Errorf("export: %v", err)
	}
	third := makePackage(t, damagedID, content{"a": "c"})
	if _, err := s.Ingest(ctx, third, IngestOptions{NewVersion: true}); err == nil {
		t.Error("a version was stored on top of a change that is not decided")
	}
	back()
	if got := mustNames(t, s); len(got) != len(staged) {
		t.Errorf("staging has %v, want %v", got, staged)
	}
	mustIngest(t, s, makePackage(t, otherID, crawl), IngestOptions{}) // another package
	_ = s.Close()
	s = reopen(t, s.root)
	if got := s.Recovered(); len(got) != 1 || got[0].Outcome != Finished {
		t.Errorf("recovered: %v, want one that was finished from its staged note", got)
	}
	if _, err := s.Repair(ctx, damagedID, RepairOptions{}); err != nil {
		t.Error(err)
	}
	mustBeSound(t, s)
}

// TestFaultInGarbledRecovery lets the disk die at every step of the decision about a garbled note.
func TestFaultInGarbledRecovery(t *testing.T) {
	prove.Serial(t)
	ctx := context.Background()
	for _, at := range []int{1, 2, 3, 4, 5, 9, 13} {
		for again := 1; ; again += prove.Stride(17, 1) {
			s := cutOff(t, at)
			d := &door{at: again, dies: true}
			if died, err := openWith(ctx, s.root, Options{Describe: testDescribe}, &disk{fault: d.fault}); err == nil {
				_ = died.Close()
			}
			s = reopen(t, s.root)
			for _, r := range s.Recovered() {
				if r.Outcome == Pending {
					t.Errorf("%d, %d: %v", at, again, r)
				}
			}
			if _, err := s.Repair(ctx, damagedID, RepairOptions{}); err != nil {
				t.Errorf("%d, %d: %v", at, again, err)
			}
			mustBeSound(t, s)
			_ = s.Close()
			if t.Failed() {
				t.Fatalf("cut off at %d, and again at %d", at, again)
			}
			if again > d.count {
				break
			}
		}
	}
}

// TestGarbledNoteIsHonest checks that a copy without the decided version is not called good.
func TestGarbledNoteIsHonest(t *testing.T) {
	ctx := context.Background()
	for _, at := range []int{1, 2, 3, 4, 9} {
		s := reopen(t, cutOff(t, at).root)
		report := mustAudit(t, s)
		bad := map[string]bool{}
		for _, f := range report.Findings {
			bad[f.Copy] = true
		}
		_ = s.Close()
		s = reopen(t, cutOff(t, at).root)
		d, err := s.Show(ctx, damagedID)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range d.Copies {
			if bad[k.Name] && k.Status == "good" {
				t.Errorf("cut off at %d: %s is called good, and the audit finds %v", at, k.Name, report.Findings)
			}
		}
	}
}

// TestFaultInMendingRebuild lets the disk die at every step of a rebuild that mends the repository file
// and the identity of a copy.
func TestFaultInMendingRebuild(t *testing.T) {
	first := lived(t)
	want := dump(t, first)
	_ = first.Close()
	for at := 1; ; at += prove.Rounds(4, 3, 1) {
		garble(t, filepath.Join(first.root, repositoryFile), "")
		garble(t, filepath.Join(first.copies[1].path, copyFile), "{}")
		d := &door{at: at, dies: true}
		made, err := rebuild(context.Background(), first.root,
			InitOptions{Rebuild: true, Describe: testDescribe, Software: "quire test"}, &disk{fault: d.fault})
		if err == nil {
			_ = made.Close()
		}
		again := mustRebuild(t, first.root)
		if got := dump(t, again); got != want || len(again.copies) != 3 {
			t.Fatalf("step %d: %s", at, firstDifference(want, got))
		}
		_ = again.Close()
		if at > d.count {
			break
		}
	}
}

// TestReplacedCatalogue checks a catalogue without packages, while the copies have some.
func TestReplacedCatalogue(t *testing.T) {
	needsFile(t, "replaces the file")
	ctx := context.Background()
	s, other := lived(t), newRepository(t)
	if err := other.CheckEmpty(ctx); err != nil {
		t.Errorf("a new repository: %v", err)
	}
	_, _ = s.Close(), other.Close()
	edit(t, s.cataloguePath(), func([]byte) []byte { return read(t, other.cataloguePath()) })
	s = reopen(t, s.root)
	if err := s.CheckEmpty(ctx); err == nil || !strings.Contains(err.Error(), "quire init rebuild "+s.root) {
		t.Errorf("it says %v", err)
	}
}
