package store

import (
	"path/filepath"
	"strings"
	"testing"
)

// step is one change on disk.
type step struct{ op, path string }

// record lists the changes on disk that f makes.
func record(s *Store, f func()) []step {
	var steps []step
	d := &door{}
	s.disk.fault = func(op, path string) error {
		d.mu.Lock()
		defer d.mu.Unlock()
		steps = append(steps, step{op, path})
		return nil
	}
	f()
	s.disk.fault = nil
	return steps
}

// TestSyncedBeforeTheDecision checks the order of syncs: a kill loses no written data, but a power
// cut loses unsynced data. So before the note says "committed", every file must be synced after its
// last write, and every folder after its last new entry. The same holds before the note is removed.
func TestSyncedBeforeTheDecision(t *testing.T) {
	s := newRepository(t)
	for _, dir := range []string{
		makePackage(t, damagedID, crawl),
		makePackage(t, damagedID, content{"data/new.warc": "x", "more/deep/y.log": "y"}),
	} {
		steps := record(s, func() { mustIngest(t, s, dir, IngestOptions{NewVersion: true}) })
		note := s.journalPath(objectKey(damagedID))
		decision, notes, forgotten := 0, 0, 0
		for i, st := range steps {
			switch {
			case st.op == "rename" && st.path == note:
				decision = i
				notes++
			case st.op == "remove" && st.path == note:
				forgotten = i
			}
		}
		if notes != 2 || forgotten < decision {
			t.Fatalf("%d notes, the last at step %d, removed at %d", notes, decision, forgotten)
		}
		mustBeSynced(t, steps[:decision], "copy-")
		mustBeSynced(t, steps[:forgotten], "copy-")
	}
}

// mustBeSynced checks the paths that contain part.
func mustBeSynced(t *testing.T, steps []step, part string) {
	t.Helper()
	dirty := map[string]string{} // path → its last change since the sync
	gone := func(path string) {
		for p := range dirty {
			if p == path || strings.HasPrefix(p, path+"/") {
				delete(dirty, p)
			}
		}
	}
	for _, st := range steps {
		folder := filepath.Dir(st.path)
		switch st.op {
		case "create":
			dirty[st.path], dirty[folder] = "created", "has new "+filepath.Base(st.path)
		case "write":
			dirty[st.path] = "written"
		case "mkdir":
			dirty[folder] = "has new " + filepath.Base(st.path)
		case "rename":
			dirty[folder] = "has new " + filepath.Base(st.path)
		case "sync", "syncdir":
			delete(dirty, st.path)
		case "syncall":
			gone(st.path)
		case "remove":
			gone(st.path)
		}
	}
	for path, what := range dirty {
		if strings.Contains(path, part) {
			t.Errorf("%s %s and is not synced", path, what)
		}
	}
}
