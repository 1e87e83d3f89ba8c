package blockbuffer

import (
	"bytes"
	"io"
	"testing"
)

// A block is read back unchanged, from memory or from disk, and also after Cut.
func TestBlock(t *testing.T) {
	h := Buffer{Dir: t.TempDir()}
	defer func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, size := range []int{0, 10, maxMemory, maxMemory + 1, 3 * maxMemory, 5} {
		h.Cut(0)
		want := bytes.Repeat([]byte("quire"), size/5+1)[:size]
		for rest := want; len(rest) > 0; {
			n := min(len(rest), 1<<20+7)
			if _, err := h.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		for _, cut := range []int{size, size / 2} {
			h.Cut(int64(cut))
			for range 2 {
				if got, err := io.ReadAll(h.Reader()); err != nil || !bytes.Equal(got, want[:cut]) ||
					h.Size() != int64(cut) {
					t.Errorf("%d of %d: %d bytes, %v", cut, size, len(got), err)
				}
			}
		}
	}
}
