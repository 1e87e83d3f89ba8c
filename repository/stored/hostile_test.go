package stored

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// TestHeadOfAnyLength checks extreme lengths of a head, because a foreign package may state any
// length. If a head is longer than any pass reports, Quire neither reads it nor allocates memory
// for it.
func TestHeadOfAnyLength(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.warc")
	if err := os.WriteFile(path, []byte(recorded[0].text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, head := range []int64{math.MaxInt64, 1 << 50, 1 << 40} {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Open(context.Background(), f, &Place{Type: "response", Head: head, Body: 7}); !errors.Is(err,
			ErrOther) {
			t.Errorf("%d: %v", head, err)
		}
		_ = f.Close() // opened for reading only
	}
}
