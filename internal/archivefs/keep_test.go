package archivefs

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
)

type closer struct{ n *int }

func (c closer) Close() error { *c.n++; return nil }

// TestKeep checks that a closer kept with a part of a Tree is closed with the whole, once.
func TestKeep(t *testing.T) {
	whole, closed := Of("x", nil, nil), 0
	part := whole.Only(func(string) bool { return true })
	part.Keep(closer{&closed})
	if err := part.Close(); err != nil || closed != 0 {
		t.Errorf("closed with a part: %d, %v", closed, err)
	}
	for range 2 {
		if err := whole.Close(); err != nil || closed != 1 {
			t.Errorf("closed %d times, %v", closed, err)
		}
	}
}

// TestOnly checks the files of a part, and that the whole Tree keeps all.
func TestOnly(t *testing.T) {
	whole := Of("x", []Part{{File: File{Path: "a"}}, {File: File{Path: "b"}}, {File: File{Path: "c"}}}, nil)
	for without, want := range map[string]string{"": "abc", "a": "bc", "b": "ac", "c": "ab", "abc": ""} {
		part := whole.Only(func(p string) bool { return !strings.Contains(without, p) })
		for tree, want := range map[*Tree]string{part: want, whole: "abc"} {
			got := ""
			for _, f := range tree.Files() {
				got += f.Path
			}
			if got != want {
				t.Errorf("without %q: %q, want %q", without, got, want)
			}
		}
	}
}

func TestDamaged(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{nil, false}, {errors.New("zip: checksum error"), true},
		{&fs.PathError{Op: "read", Err: errors.New("input/output error")}, false},
		{context.Canceled, false}, {context.DeadlineExceeded, false},
	} {
		if Damaged(c.err) != c.want {
			t.Errorf("%v: %v", c.err, Damaged(c.err))
		}
	}
}
