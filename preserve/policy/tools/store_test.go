package tools

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// fill writes bytes in pieces of different sizes.
func fill(t *testing.T, b *Bytestream, content []byte) {
	t.Helper()
	for rest := content; len(rest) > 0; {
		n := min(len(rest), 1+rand.IntN(3*blockSize)) //nolint:gosec // any sizes
		if _, err := b.Write(rest[:n]); err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
	}
	if err := b.End(true); err != nil {
		t.Fatal(err)
	}
}

// TestStore checks that bytestreams keep their bytes beside each other, in memory and in the file,
// and that blocks are used again.
func TestStore(t *testing.T) {
	s := NewStore(t.TempDir(), 64<<20)
	defer s.Close()
	for round := range 3 {
		var all []*Bytestream
		var want [][]byte
		for i, size := range []int{0, 1, blockSize - 1, blockSize, blockSize + 1, 5 << 20, 20 << 20, 100_000, 3 << 20} {
			content := bytes.Repeat([]byte{byte(i + round), byte(i), 7}, size/3+1)[:size]
			b := &Bytestream{store: s, most: 32 << 20}
			fill(t, b, content)
			all, want = append(all, b), append(want, content)
		}
		if s.file == nil {
			t.Error("28 MB are in memory")
		}
		for i, b := range all {
			for range 2 { // it can be read again
				if got, err := io.ReadAll(b.Reader()); err != nil || !bytes.Equal(got, want[i]) {
					t.Errorf("round %d, %d bytes: read %d other bytes, %v", round, len(want[i]), len(got), err)
				}
			}
			b.drop("done")
		}
	}
	if most := (30 << 20) / blockSize; s.blocks > most {
		t.Errorf("the store has %d blocks: want at most %d, for the bytes of one round", s.blocks, most)
	}
	if len(s.free) != s.blocks {
		t.Errorf("%d of %d blocks are free after all were given up", len(s.free), s.blocks)
	}
}

func TestStoreRefuses(t *testing.T) {
	s := NewStore(t.TempDir(), 4*blockSize)
	for _, c := range []struct {
		name  string
		size  int
		most  int64
		whole bool
		want  string
	}{
		{"as much as there is", 4 * blockSize, 1 << 20, true, ""},
		{"more than there is", 4*blockSize + 1, 1 << 20, true, "too many bytes wait for their tools"},
		{"more than tools read", 1001, 1000, true, "it has more than 1000 bytes"},
		{"not whole", 10, 1000, false, "its framing or coding cannot be removed to the end"},
		{"too much, and not whole", 1001, 1000, false, "it has more than 1000 bytes"},
	} {
		b := &Bytestream{store: s, most: c.most}
		if _, err := io.Copy(b, strings.NewReader(strings.Repeat("x", c.size))); err != nil {
			t.Fatal(err)
		}
		if err := b.End(c.whole); err != nil || b.why != c.want {
			t.Errorf("%s: %v, %q; want %q", c.name, err, b.why, c.want)
		}
		b.drop("")
		if len(s.free) != s.blocks {
			t.Errorf("%s: it keeps blocks", c.name)
		}
	}
}
