package compound_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"quire/format/compound"
	"quire/format/compound/compoundtest"
)

func open(b []byte) (*compound.File, error) {
	return compound.Open(bytes.NewReader(b), int64(len(b)))
}

func long(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i * i >> 4)
	}
	return b
}

func TestStream(t *testing.T) {
	streams := []compoundtest.Stream{{Name: "Empty"}, {Name: "Short", Content: []byte("a few words")},
		{Name: "Längst", Content: long(100_000)}, {Name: "Two", Content: long(65)}, {Name: "Most", Content: long(4095)},
		{Name: "Least", Content: long(4096)}}
	f, err := open(compoundtest.Make(streams...))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range streams {
		got, err := f.Stream(s.Name, 1<<20)
		if err != nil || !bytes.Equal(got, s.Content) {
			t.Errorf("%s: %d bytes (%v), not %d", s.Name, len(got), err, len(s.Content))
		}
		if got, err := f.Stream(s.Name, 70); err != nil || !bytes.Equal(got, s.Content[:min(70, len(s.Content))]) {
			t.Errorf("%s, its beginning: %d bytes (%v)", s.Name, len(got), err)
		}
	}
	if !f.Has("short") || f.Has("none") || f.Has("Root Entry") {
		t.Error("what it has")
	}
	if _, err := f.Stream("none", 10); !errors.Is(err, compound.ErrMissing) {
		t.Error(err)
	}
}

// TestDamaged checks that a damaged file is reported, and that a circular chain ends.
func TestDamaged(t *testing.T) {
	whole := compoundtest.Make(compoundtest.Stream{Name: "A", Content: long(9000)},
		compoundtest.Stream{Name: "B", Content: long(100)})
	for name, c := range map[string]struct {
		b    []byte
		want error
	}{
		"nothing":       {nil, compound.ErrUnknown},
		"another":       {bytes.Repeat([]byte("x"), 600), compound.ErrUnknown},
		"a header only": {whole[:512], compound.ErrDamaged},
		"no tables":     {whole[:len(whole)-512], compound.ErrDamaged},
	} {
		if _, err := open(c.b); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	circle := bytes.Clone(whole)
	copy(circle[len(circle)-512:], make([]byte, 72)) // 18 sectors, each followed by the first
	f, err := open(circle)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := f.Stream("A", 1<<30); err != nil || len(b) != 9000 {
		t.Errorf("%d bytes, %v", len(b), err)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(compoundtest.Make(compoundtest.Stream{Name: "A", Content: long(5000)},
		compoundtest.Stream{Name: "B", Content: long(100)}))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := open(b)
		if err != nil {
			if !errors.Is(err, compound.ErrUnknown) && !errors.Is(err, compound.ErrDamaged) {
				t.Error(err)
			}
			return
		}
		for _, name := range []string{"A", "B"} {
			if s, err := c.Stream(name, 1<<20); err == nil && len(s) > len(b) && len(s) > 1<<20 {
				t.Errorf("%s: %d bytes out of %d", name, len(s), len(b))
			}
		}
	})
}

func ExampleOpen() {
	b := compoundtest.Make(compoundtest.Stream{Name: "WordDocument", Content: []byte("what Word writes")})
	f, err := compound.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := f.Stream("WordDocument", 1<<20)
	fmt.Println(string(text), err)
	// Output: what Word writes <nil>
}
