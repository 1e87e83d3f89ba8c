package store

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"quire/repository/ocfl"
)

// TestReadBackNoticesWhatTheDiskDid checks that bytes changed between write and read-back prevent
// storing.
func TestReadBackNoticesWhatTheDiskDid(t *testing.T) {
	for _, name := range []string{"v1/content/data/crawl.warc.gz", "inventory.json", "v1/inventory.json.sha512"} {
		for damaged := range 3 {
			s := newRepository(t)
			done := false
			_, err := s.Ingest(context.Background(), makePackage(t, damagedID, crawl),
				IngestOptions{Progress: func(p Progress) {
					if p.Phase != ReadingBack || done {
						return
					}
					done = true
					names, err := s.copies[damaged].stagedNames()
					if err != nil || len(names) != 1 {
						t.Fatal(names, err)
					}
					path := filepath.Join(s.copies[damaged].stagedObject(names[0]), name)
					edit(t, path, func(b []byte) []byte { b[0] ^= 0x80; return b })
				}})
			if err == nil || !strings.Contains(err.Error(), "did not come back") ||
				!strings.Contains(err.Error(), s.copies[damaged].path) {
				t.Errorf("%s in %s: %v", name, s.copies[damaged].name, err)
			}
			mustBeSound(t, s)
			if storedAnything(t, s) {
				t.Error("something was stored")
			}
		}
	}
}

// TestForeignWriterBeforeTheDecision has another program write into the object while a new version
// is made. The new version is not based on its change.
func TestForeignWriterBeforeTheDecision(t *testing.T) {
	for _, c := range []struct {
		name, want string
		do         func(object string)
	}{
		{"another inventory", "changed while the package was read", func(object string) {
			edit(t, object+"/inventory.json", func(b []byte) []byte { return append(b, ' ') })
		}},
		{"a folder of the new version", "has a folder v2", func(object string) { put(t, object+"/v2/x", "x") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newRepository(t)
			r := mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
			done := false
			_, err := s.Ingest(context.Background(), makePackage(t, damagedID, content{"a": "b"}), IngestOptions{
				NewVersion: true, Progress: func(Progress) {
					if !done {
						done = true
						c.do(r.Copies[1].Path)
					}
				}})
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "copy-2") {
				t.Errorf("got %v, want %q about copy-2", err, c.want)
			}
			if card, err := s.card(context.Background(), damagedID); err != nil || card.Head != 1 {
				t.Errorf("head is %d, %v", card.Head, err)
			}
			if exists(r.Copies[0].Path+"/v2") || len(mustNames(t, s)) > 0 {
				t.Error("something was left")
			}
		})
	}
}

func mustNames(t *testing.T, s *Store) (all []string) {
	t.Helper()
	for _, c := range s.copies {
		names, err := c.stagedNames()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, names...)
	}
	return all
}

// TestForeignWriterAfterTheDecision does the same at the last moment. The foreign change is not
// overwritten; Quire's change stays pending until a person has looked at it.
func TestForeignWriterAfterTheDecision(t *testing.T) {
	s := newRepository(t)
	r := mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	foreign := r.Copies[1].Path + "/" + ocfl.InventoryFile
	original := read(t, foreign)
	renames := 0
	s.disk.fault = func(op, path string) error {
		if op == "rename" && path == s.journalPath(objectKey(damagedID)) {
			if renames++; renames == 2 { // "committed"
				edit(t, foreign, func([]byte) []byte { return []byte("{}") })
			}
		}
		return nil
	}
	_, err := s.Ingest(context.Background(), makePackage(t, damagedID, content{"a": "b"}),
		IngestOptions{NewVersion: true})
	s.disk.fault = nil
	if err == nil || !strings.Contains(err.Error(), "something else than Quire wrote there") {
		t.Errorf("got %v", err)
	}
	if got := read(t, foreign); string(got) != "{}" {
		t.Errorf("written over: %s", got)
	}
	root := s.root
	_ = s.Close()
	pending := reopen(t, root)
	if got := pending.Recovered(); len(got) != 1 || got[0].Outcome != Pending {
		t.Errorf("recovered: %v, want one that is pending", got)
	}
	_ = pending.Close()
	edit(t, foreign, func([]byte) []byte { return original })
	finished := reopen(t, root)
	if got := finished.Recovered(); len(got) != 1 || got[0].Outcome != Finished {
		t.Errorf("recovered: %v, want one that is finished", got)
	}
	mustBeSound(t, finished)
}

// TestLockIsHeldByOne has many goroutines that take the lock, and remove its file each time.
func TestLockIsHeldByOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	var holders, had atomic.Int32
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 3000 {
				l, err := tryLock(path, exclusive, "x", "")
				if err != nil {
					continue
				}
				if n := holders.Add(1); n != 1 {
					t.Errorf("%d holders", n)
				}
				had.Add(1)
				for range 50 {
					runtime.Gosched() // let the others run, if they can
				}
				holders.Add(-1)
				l.release()
			}
		})
	}
	wait.Wait()
	if had.Load() == 0 {
		t.Error("the lock was never taken")
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the lock file is still there")
	}
}
