package archivefs

import (
	"context"
	"errors"
	"io/fs"
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
