package search

import "testing"

// TestPageSize: a new file has large pages. Without the order of the pragmas it silently had small ones.
func TestPageSize(t *testing.T) {
	db, _, err := openDatabase(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var size int
	if err := db.QueryRow(`PRAGMA page_size`).Scan(&size); err != nil || size != pageSize {
		t.Errorf("pages of %d bytes, want %d: %v", size, pageSize, err)
	}
}
