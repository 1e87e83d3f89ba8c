package gzipmember

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"quire/format/fault"
)

// story tells all that can be observed of a file: members, bytes, ends, offsets, faults.
func story(t testing.TB, file io.Reader, noWhole bool, piece int) string {
	t.Helper()
	var s strings.Builder
	r := NewReader(file, Options{Report: func(f fault.Fault) { fmt.Fprintf(&s, "fault %s@%d %s\n", f.Code, f.Offset, f.Detail) }})
	r.noWhole = noWhole
	for {
		m, err := r.Next()
		if errors.Is(err, io.EOF) {
			return s.String()
		}
		if err == nil {
			var content bytes.Buffer
			_, err = io.CopyBuffer(&content, struct{ io.Reader }{r}, make([]byte, piece))
			fmt.Fprintf(&s, "member %d+%d of %d, %q, then %d, %v\n", m.Offset, m.Length, m.Inflated, content.Bytes(), r.Offset(), err)
		}
		var d *Damage
		if err != nil && !errors.As(err, &d) {
			fmt.Fprintf(&s, "error %v\n", err)
			return s.String()
		}
		if err := r.Resume(); err != nil {
			t.Fatal(err)
		}
	}
}

// sameStory compares the two ways of inflating, for a reader with little room and one with much.
func sameStory(t *testing.T, open func() io.Reader) {
	t.Helper()
	for _, piece := range []int{100, wholeMin, 128 << 10} {
		want, got := story(t, open(), true, piece), story(t, open(), false, piece)
		if got != want {
			i := 0
			for i < min(len(got), len(want)) && got[i] == want[i] {
				i++
			}
			t.Fatalf("pieces of %d: whole and streamed differ at %d:\n%.300s\nwant\n%.300s", piece, i, got[max(0, i-100):], want[max(0, i-100):])
		}
	}
}

func TestWholeIsAsStreamed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 300<<10)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	var file []byte
	for _, s := range []string{"first", "", strings.Repeat("a page ", 20_000), string(noise[:90<<10]), string(noise), strings.Repeat("x", 5<<20), string(noise[:100<<10]), "last"} {
		file = append(file, write(t, s)...)
	}
	sameStory(t, func() io.Reader { return bytes.NewReader(file) })
	sameStory(t, func() io.Reader { return struct{ io.Reader }{bytes.NewReader(file)} })
	small := bytes.Join([][]byte{write(t, "first"), write(t, strings.Repeat("second ", 90)), write(t, "third")}, nil)
	for i := range small {
		damaged := bytes.Clone(small)
		damaged[i] ^= byte(1 + r.IntN(255))
		sameStory(t, func() io.Reader { return bytes.NewReader(damaged) })
		sameStory(t, func() io.Reader { return bytes.NewReader(small[:i]) })
		sameStory(t, func() io.Reader { return io.MultiReader(bytes.NewReader(small[:i]), failing{errors.New("disk gone")}) })
	}
}

func FuzzWhole(f *testing.F) {
	a, b := write(f, "first"), write(f, strings.Repeat("second ", 50))
	f.Add(append(bytes.Clone(a), b...))
	f.Add(append(bytes.Clone(b[:len(b)-9]), a...))
	f.Add(append(append(bytes.Clone(a), "junk"...), b...))
	f.Fuzz(func(t *testing.T, file []byte) {
		sameStory(t, func() io.Reader { return bytes.NewReader(file) })
	})
}
