// Package sourcetest has helpers for the tests of source readers: they write, open and read files.
package sourcetest

import (
	"os"
	"path/filepath"
	"testing"

	"quire/internal/archivefs"
	"quire/source"
)

// Write writes files into a new folder of that name, and returns its path.
func Write(t testing.TB, name string, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	for p, content := range files {
		p = filepath.Join(dir, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Folder writes files and opens them as a source of that name.
func Folder(t testing.TB, name string, files map[string]string) *archivefs.Tree {
	t.Helper()
	return Open(t, Write(t, name, files))
}

// Open opens a source, and closes it at the end of the test.
func Open(t testing.TB, path string) *archivefs.Tree {
	t.Helper()
	tr, err := archivefs.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	})
	return tr
}

// Find returns the claims of a reader in a source.
func Find(t testing.TB, r source.Reader, tr *archivefs.Tree) []source.Claim {
	t.Helper()
	claims, err := r.Find(t.Context(), tr)
	if err != nil {
		t.Fatal(err)
	}
	return claims
}

// Only reads the one harvest that a reader claims in a source.
func Only(t testing.TB, r source.Reader, tr *archivefs.Tree) source.Harvest {
	t.Helper()
	claims := Find(t, r, tr)
	if len(claims) != 1 {
		t.Fatalf("%d harvests were found, want 1: %v", len(claims), claims)
	}
	h, err := claims[0].Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return h
}
