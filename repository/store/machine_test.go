package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"quire/internal/prove"
)

// TestMissingCopy checks that an unmounted disk stops writing, but nothing else.
func TestMissingCopy(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	r := mustIngest(t, s, makePackage(t, "urn:test:before", crawl), IngestOptions{})
	away := s.copies[0].path + "-away"
	if err := os.Rename(s.copies[0].path, away); err != nil {
		t.Fatal(err)
	}
	s = reopen(t, s.root)
	if _, err := s.Ingest(ctx, makePackage(t, "urn:test:after", crawl), IngestOptions{}); err == nil ||
		!strings.Contains(err.Error(), "copy-1 is missing") || !strings.Contains(err.Error(), "nothing was written") {
		t.Errorf("ingest: %v", err)
	}
	if rep, err := s.Repair(ctx, r.ID, RepairOptions{}); err != nil || len(rep.Repaired) > 0 || len(rep.Away) != 1 {
		t.Errorf("repair: %+v, %v", rep, err)
	}
	if _, err := s.Export(ctx, r.ID, filepath.Join(t.TempDir(), "out"), ExportOptions{}); err != nil {
		t.Errorf("export: %v", err)
	}
	if d, err := s.Show(ctx, r.ID); err != nil || d.Places[0].Present || !d.Places[1].Present {
		t.Errorf("show: %+v, %v", d.Places, err)
	}
	if err := os.Rename(away, s.copies[0].path); err != nil {
		t.Fatal(err)
	}
	mustBeSound(t, s)
}

// TestCopyComesBack checks recovery of a committed change while the disk of one copy is missing; it
// is finished when the disk is back.
func TestCopyComesBack(t *testing.T) {
	prove.Serial(t)
	ctx := context.Background()
	for at := 1; ; at += prove.Stride(3, 1) {
		s := newRepository(t)
		d := &door{at: at, dies: true}
		s.disk.fault = d.fault
		_, err := s.Ingest(ctx, makePackage(t, faultID, crawl), IngestOptions{})
		if err == nil {
			break // the disk never died
		}
		_ = s.Close()
		away := s.copies[1].path + "-away"
		if err := os.Rename(s.copies[1].path, away); err != nil {
			t.Fatal(err)
		}
		without := reopen(t, s.root)
		for _, r := range without.Recovered() {
			if r.Outcome == Finished {
				t.Errorf("step %d: finished without a copy: %v", at, r)
			}
		}
		_ = without.Close()
		if err := os.Rename(away, s.copies[1].path); err != nil {
			t.Fatal(err)
		}
		mustBeSound(t, reopen(t, s.root))
		if t.Failed() {
			t.Fatalf("step %d: %v", at, err)
		}
	}
}

func TestInitRefuses(t *testing.T) {
	ctx := context.Background()
	full := t.TempDir()
	put(t, full+"/file", "x")
	root := filepath.Join(t.TempDir(), "repo")
	for _, c := range []struct {
		name   string
		repo   string
		copies []string
		want   string
	}{
		{"a folder with something in it", full, nil, "not empty"},
		{"a copy with something in it", root, []string{full}, "not empty"},
		{"the same copy twice", root, []string{root + "/a", root + "/a"}, "not separate"},
		{"a copy inside a copy", root, []string{root + "/a", root + "/a/b"}, "not separate"},
		{"the repository inside its copy", root, []string{filepath.Dir(root)}, "cannot lie in its own copy"},
		{"a file in place of a folder", full + "/file/repo", nil, "file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Init(ctx, c.repo, InitOptions{Describe: testDescribe, Copies: c.copies})
			if err == nil {
				_ = s.Close()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if exists(root) {
				t.Errorf("left %s", root)
			}
		})
	}
	if _, err := Open(ctx, full, Options{Describe: testDescribe}); !errors.Is(err, ErrNotRepository) {
		t.Errorf("opening a folder: %v", err)
	}
}

// TestInitTwiceAtOnce checks that one process creates the repository, and the others leave it
// alone.
func TestInitTwiceAtOnce(t *testing.T) {
	root := filepath.Join(fastDir(t), "repo")
	var wait sync.WaitGroup
	var made atomic.Int32
	for range 6 {
		wait.Go(func() {
			if s, err := Init(context.Background(), root, InitOptions{Describe: testDescribe}); err == nil {
				made.Add(1)
				_ = s.Close()
			}
		})
	}
	wait.Wait()
	if made.Load() != 1 {
		t.Errorf("%d made it", made.Load())
	}
	s := reopen(t, root)
	mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	mustBeSound(t, s)
}

// TestInitAfterKill checks that the leftovers of a killed init are reported.
func TestInitAfterKill(t *testing.T) {
	root := filepath.Join(fastDir(t), "repo")
	d := &door{at: 20, dies: true}
	if _, err := initWith(context.Background(), root, InitOptions{Describe: testDescribe},
		&disk{fault: d.fault}); err == nil {
		t.Fatal("it was not cut off")
	}
	if _, err := Init(context.Background(), root, InitOptions{Describe: testDescribe}); err == nil ||
		!strings.Contains(err.Error(), "was cut off") {
		t.Errorf("got %v", err)
	}
}

// TestFaultInInit checks that a failed init leaves no files.
func TestFaultInInit(t *testing.T) {
	for at := 1; ; at++ {
		root := filepath.Join(fastDir(t), "repo")
		d := &door{at: at}
		s, err := initWith(context.Background(), root, InitOptions{Describe: testDescribe}, &disk{fault: d.fault})
		if err == nil {
			s.disk.fault = nil
			mustBeSound(t, s)
			_ = s.Close()
			break
		}
		if left, err := os.ReadDir(root); err == nil && len(left) > 0 {
			t.Errorf("step %d: left %v", at, left)
		}
	}
}
