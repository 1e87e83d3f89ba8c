package store

import (
	"os"
	"path/filepath"
	"testing"
)

// TestUnfinishedNote: a note that a killed process did not finish is removed, unless its writer is alive.
func TestUnfinishedNote(t *testing.T) {
	s := newRepository(t)
	folder := filepath.Join(s.root, journalFolder)
	dead, alive := eventsPrefix+newToken(), eventsPrefix+newToken()
	for _, key := range []string{dead, alive} {
		half := []byte(`{"package": "urn:x"`)
		if err := os.WriteFile(filepath.Join(folder, tempName(key+noteEnd)), half, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l, err := s.tryLock(alive, exclusive, "events", "the test")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != 1 || left[0].Name() != tempName(alive+noteEnd) {
		t.Errorf("while a writer is alive: %v, %v", left, err)
	}
	l.release()
	if err := s.recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("then: %v, %v", left, err)
	}
}
