package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestCheckOutside refuses places inside a repository and its copies, also in a copy whose disk is
// not mounted.
func TestCheckOutside(t *testing.T) {
	s := newRepository(t)
	copied, top := s.copies[0].path, t.TempDir()
	if err := os.Symlink(copied, filepath.Join(top, "link")); err != nil {
		t.Fatal(err)
	}
	for path, inside := range map[string]bool{
		top: false, filepath.Join(top, "new", "x"): false, s.root + "-2": false, s.root: true,
		filepath.Join(s.root, "x"): true, copied: true, filepath.Join(copied, "ocfl", "a", "b"): true,
		filepath.Join(top, "link", "x"): true,
	} {
		var refused *OutsideError
		if err := CheckOutside(path); errors.As(err, &refused) != inside {
			t.Errorf("%s: %v", path, err)
		}
		if err := s.CheckOutside(path); errors.As(err, &refused) != inside {
			t.Errorf("%s: %v", path, err)
		}
	}
	away := filepath.Join(top, "away")
	s.copies[0].path = away
	var refused *OutsideError
	if _, err := s.Export(context.Background(), "urn:a", filepath.Join(away, "x"), ExportOptions{}); !errors.As(err,
		&refused) {
		t.Errorf("a copy that is not mounted: %v", err)
	}
}
