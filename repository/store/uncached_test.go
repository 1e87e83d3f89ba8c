package store

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestFileGrows checks that a file is read to its end, if it grows beyond a small buffer after it was
// opened.
func TestFileGrows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "grows")
	text := bytes.Repeat([]byte("quire"), smallSize) // five buffers
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := openCold(path)
	if err != nil {
		t.Fatal(err)
	}
	f.size = 5 // when it was opened
	r := readBlocks(f)
	defer r.close()
	var got []byte
	for {
		b, err := r.next()
		if err != nil {
			t.Fatal(err)
		}
		if len(b) == 0 {
			break
		}
		got = append(got, b...)
	}
	if !bytes.Equal(got, text) {
		t.Errorf("%d bytes of %d", len(got), len(text))
	}
}
