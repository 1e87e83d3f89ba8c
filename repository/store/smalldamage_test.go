package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/prove"
)

// garblings are the ways in which a small file is damaged.
var garblings = map[string]string{
	"empty": "", "zeros": "\x00\x00\x00\x00\x00", "half": `{"format": 1, "rep`, "other": "{}",
}

func garble(t *testing.T, path, text string) {
	t.Helper()
	remove(t, path)
	put(t, path, text)
}

// TestGarbledRepositoryFile checks that the message names the command that mends it, and that the
// command does.
func TestGarbledRepositoryFile(t *testing.T) {
	prove.Serial(t)
	for name, text := range garblings {
		t.Run(name, func(t *testing.T) {
			s := lived(t)
			want := dump(t, s)
			_ = s.Close()
			garble(t, filepath.Join(s.root, repositoryFile), text)
			mustAskForRebuild(t, s.root)
			again := mustRebuild(t, s.root)
			if got := dump(t, again); got != want || again.ID() != s.ID() || len(again.copies) != 3 {
				t.Errorf("rebuilt %s with %v: %s", again.ID(), again.Copies(), firstDifference(want, got))
			}
			mustBeSound(t, again)
		})
	}
}

func mustAskForRebuild(t *testing.T, root string) {
	t.Helper()
	s, err := Open(context.Background(), root, Options{Describe: testDescribe})
	if err == nil {
		_ = s.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "quire init rebuild "+root) {
		t.Errorf("it says %v, want the command quire init rebuild %s", err, root)
	}
}

// TestRebuildDoesNotForgetACopy checks a garbled quire-repository.json while a copy lies elsewhere: a
// rebuild does not continue with fewer copies.
func TestRebuildDoesNotForgetACopy(t *testing.T) {
	s := lived(t)
	elsewhere := filepath.Join(fastDir(t), "elsewhere")
	_ = s.Close()
	if err := os.Rename(s.copies[2].path, elsewhere); err != nil {
		t.Fatal(err)
	}
	garble(t, filepath.Join(s.root, repositoryFile), "")
	_, err := Init(context.Background(), s.root,
		InitOptions{Rebuild: true, Describe: testDescribe, Catalogue: defaultCatalogue})
	if err == nil || !strings.Contains(err.Error(), "copy-3") || !strings.Contains(err.Error(), "--copy") {
		t.Errorf("rebuilt without copy-3: %v", err)
	}
	again := mustRebuild(t, s.root, s.copies[0].path, s.copies[1].path, elsewhere)
	mustBeSound(t, again)
}

// TestGarbledCopyFile checks the identity of one copy: the others state the repository and the
// names, and the objects in the folder match.
func TestGarbledCopyFile(t *testing.T) {
	prove.Serial(t)
	for name, text := range garblings {
		t.Run(name, func(t *testing.T) {
			s := lived(t)
			want := dump(t, s)
			_ = s.Close()
			garble(t, filepath.Join(s.copies[1].path, copyFile), text)
			damaged := reopen(t, s.root)
			report := mustAudit(t, damaged)
			if got := findingsIn(report, "copy-2"); len(got) != 1 ||
				!strings.Contains(report.Findings[0].Detail, "quire init rebuild "+s.root) {
				t.Errorf("the audit says %v", report.Findings)
			}
			_ = damaged.Close()
			again := mustRebuild(t, s.root)
			if len(again.copies) != 3 || again.copies[1].check(s.id) != nil {
				t.Errorf("copies: %v", again.Copies())
			}
			for _, c := range again.copies {
				id, err := readIdentity(c.path)
				if err != nil || id.Name != c.name || len(id.Names) != 3 {
					t.Errorf("%s: %+v, %v", c.name, id, err)
				}
			}
			if got := dump(t, again); !strings.Contains(got, damagedID) || len(got) < len(want)*9/10 {
				t.Errorf("rebuilt: %s", got)
			}
			mustBeSound(t, again)
		})
	}
}

// TestGarbledCopyFileOfAStranger checks that a folder with other objects does not become the copy.
func TestGarbledCopyFileOfAStranger(t *testing.T) {
	s, other := lived(t), newRepository(t)
	mustIngest(t, other, makePackage(t, "urn:test:stranger", crawl), IngestOptions{})
	_, _ = s.Close(), other.Close()
	remove(t, s.copies[1].path)
	if err := os.Rename(other.copies[1].path, s.copies[1].path); err != nil {
		t.Fatal(err)
	}
	garble(t, filepath.Join(s.copies[1].path, copyFile), "")
	made, err := Init(context.Background(), s.root, InitOptions{Rebuild: true, Describe: testDescribe})
	if err == nil {
		_ = made.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "copy-2") {
		t.Errorf("a stranger became the copy: %v", err)
	}
}

// TestGarbledNote cuts an ingest, a new version and a repair off at every step, garbles the note that
// is left, and opens the repository again. It opens, its objects are complete after a repair, and
// confirmed packages are there.
func TestGarbledNote(t *testing.T) {
	prove.Serial(t)
	ctx := context.Background()
	stride := prove.Stride(61, 1)
	for _, c := range faultCases(t) {
		if c.away {
			continue // the note is decided when all copies are there
		}
		for name, text := range garblings {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				for at := 1; ; at += stride {
					s := c.start(t, filepath.Join(fastDir(t), "repo"))
					d := &door{at: at, dies: true}
					s.disk.fault = d.fault
					changeErr := c.change(s, s.root)
					_ = s.Close()
					note := s.journalPath(objectKey(faultID))
					if exists(note) {
						garble(t, note, text)
					}
					again := reopen(t, s.root)
					for _, r := range again.Recovered() {
						if r.Outcome == Pending {
							t.Errorf("step %d: %v", at, r)
						}
					}
					_, err := again.Repair(ctx, faultID, RepairOptions{})
					if err != nil && !errors.Is(err, ErrNotFound) {
						t.Errorf("step %d: %v", at, err)
					}
					state := c.check(t, again)
					if state != 0 && state != 1 || changeErr == nil && state != 1 {
						t.Errorf("step %d: state %d after %v", at, state, changeErr)
					}
					mustBeSound(t, again)
					if err := c.change(again, s.root); err != nil {
						t.Errorf("step %d: once more: %v", at, err)
					}
					_ = again.Close()
					if t.Failed() {
						t.Fatalf("step %d (change: %v)", at, changeErr)
					}
					_ = os.RemoveAll(s.root)
					if at > d.count {
						break
					}
				}
			})
		}
	}
}

// TestDamagedCatalogue checks that a catalogue without content is never shown as a repository without
// packages.
func TestDamagedCatalogue(t *testing.T) {
	prove.Serial(t)
	for name, change := range map[string]func([]byte) []byte{
		"empty":       func([]byte) []byte { return nil },
		"header only": func(b []byte) []byte { return b[:100] },
		"half":        func(b []byte) []byte { return b[:len(b)/2/4096*4096] },
		"cut":         func(b []byte) []byte { return b[:len(b)-100] },
		"zeros":       func(b []byte) []byte { return make([]byte, len(b)) },
		"text":        func([]byte) []byte { return []byte("not a database") },
	} {
		t.Run(name, func(t *testing.T) {
			s := lived(t)
			want := dump(t, s)
			_ = s.Close()
			edit(t, s.cataloguePath(), change)
			mustAskForRebuild(t, s.root)
			if got := dump(t, mustRebuild(t, s.root)); got != want {
				t.Error(firstDifference(want, got))
			}
		})
	}
}
