package extsort

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sort"
	"testing"
)

// TestSorted checks that items come in the order of their keys, and equal keys in the order of Add:
// from memory, from some runs, and from so many that they are merged twice.
func TestSorted(t *testing.T) {
	for _, c := range []struct {
		n, memory, levels int
	}{{0, 0, 0}, {1000, 0, 0}, {1000, 4 << 10, 1}, {3000, 1 << 10, 2}, {5, 1, 1}} {
		dir := t.TempDir()
		s := New(Options{Memory: c.memory, Dir: dir})
		r := rand.New(rand.NewPCG(1, uint64(c.n)))
		var want []string
		for i := range c.n {
			key := fmt.Sprintf("%03d", r.IntN(500))
			want = append(want, key+fmt.Sprintf("=%06d", i))
			if err := s.Add([]byte(key), fmt.Appendf(nil, "=%06d", i)); err != nil {
				t.Fatal(err)
			}
		}
		slices.Sort(want)
		for range 2 {
			var got []string
			err := s.Each(func(key, value []byte) error {
				got = append(got, string(key)+string(value))
				return nil
			})
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%+v: %d items, %v: %.200q", c, len(got), err, got)
			}
		}
		if len(s.levels) != c.levels {
			t.Errorf("%+v: %d levels", c, len(s.levels))
		}
		for _, l := range s.levels {
			if len(l) >= fanIn {
				t.Errorf("%+v: %d runs are kept", c, len(l))
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	}
}

// TestCursorsAndHeads checks the order of keys that begin alike, of keys shorter than their compared
// heads, and of cursors used side by side.
func TestCursorsAndHeads(t *testing.T) {
	for _, memory := range []int{0, 300} {
		s := New(Options{Memory: memory, Dir: t.TempDir()})
		keys := []string{"https://h/b", "https://h/", "https://h/a\x00", "https://h/a", "https://h/a\x00\x00",
			"https://h/aaaaaaaaaaaaaab", "https://h/aaaaaaaaaaaaaaa", "https://h/\xff", "https://h/a", "https://g"}
		for i, key := range keys {
			if err := s.Add([]byte(key), []byte{byte('0' + i)}); err != nil {
				t.Fatal(err)
			}
		}
		sort.SliceStable(keys, func(i, j int) bool { return keys[i] < keys[j] })
		first, err := s.Cursor()
		if err != nil {
			t.Fatal(err)
		}
		second, err := s.Cursor()
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range keys {
			for _, c := range []*Cursor{first, second} {
				key, value, more, err := c.Next()
				if string(key) != want || !more || err != nil || want == "https://h/a" && i > 0 &&
					keys[i-1] == want && string(value) != "8" {
					t.Errorf("memory %d: %q=%q, %v, %v; want %q", memory, key, value, more, err, want)
				}
			}
		}
		if _, _, more, err := first.Next(); more || err != nil {
			t.Errorf("after the last: %v, %v", more, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if _, err := s.Cursor(); err == nil {
			t.Error("a closed Sorter gives a cursor")
		}
	}
}

func TestErrors(t *testing.T) {
	s := New(Options{Memory: 1, Dir: "/nonexistent"})
	bad := errors.Join(s.Add([]byte("a"), nil), s.Add([]byte("b"), nil))
	if bad == nil || s.Each(nil) == nil {
		t.Error("no folder for temporary files, and no error")
	}
	s = New(Options{Memory: 1})
	for _, k := range []string{"b", "a"} {
		// Larger than a block, and than the memory.
		if err := s.Add([]byte(k), bytes.Repeat([]byte("x"), 300<<10)); err != nil {
			t.Fatal(err)
		}
	}
	stop := errors.New("stop")
	n := 0
	if err := s.Each(func(_, v []byte) error { n += len(v); return stop }); !errors.Is(err, stop) || n != 300<<10 {
		t.Errorf("%d, %v", n, err)
	}
	if err := s.Close(); err != nil || s.Add(nil, nil) == nil {
		t.Errorf("closed: %v", err)
	}
}

func TestCounter(t *testing.T) {
	for _, memory := range []int{0, 200} {
		c := NewCounter(Options{Memory: memory})
		for i := range 1000 {
			if err := c.Add(fmt.Sprint(i%7), 1, int64(i)); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		if err := c.Each(func(name string, total Count) error {
			got = append(got, fmt.Sprint(name, total))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		want := []string{"0{143 71071}", "1{143 71214}", "2{143 71357}", "3{143 71500}", "4{143 71643}", "5{143 71786}",
			"6{142 70929}"}
		if !slices.Equal(got, want) {
			t.Errorf("memory %d: %q", memory, got)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Two visits at the same time do not disturb each other.
func TestNestedVisits(t *testing.T) {
	s := New(Options{Memory: 1 << 10, Dir: t.TempDir()})
	defer func() { _ = s.Close() }() // only temporary files
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 20_000 { // larger than the blocks of the readers
		value := fmt.Appendf(nil, "%x%x%x%x", r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64())
		if err := s.Add(fmt.Appendf(nil, "%05d", i*7919%20_000), value); err != nil {
			t.Fatal(err)
		}
	}
	outer, inner := 0, 0
	err := s.Each(func(key, _ []byte) error {
		if want := fmt.Sprintf("%05d", outer); string(key) != want {
			t.Fatalf("%s, want %s", key, want)
		}
		if outer++; outer == 10 {
			return s.Each(func([]byte, []byte) error { inner++; return nil })
		}
		return nil
	})
	if err != nil || outer != 20_000 || inner != 20_000 {
		t.Errorf("%d and %d items, %v", outer, inner, err)
	}
}
