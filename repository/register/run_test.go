package register

import (
	"crypto/sha256"
	"slices"
	"testing"
)

func lineNumber(n int) Digest { return Salt{1}.Line([]byte{byte(n), byte(n >> 8)}) }

// TestRun compares the root over lines with the one of tlog.
func TestRun(t *testing.T) {
	var r Run
	may := &peer{}
	for n := range 300 {
		stays := &peer{}
		for i := range n {
			line := lineNumber(i)
			stays.add(t, line[:])
		}
		last := may.root(t, int64(n))
		stays.add(t, last[:])
		if r.Root() != Digest(stays.root(t, int64(n)+1)) || r.Lines() != uint64(2*n) {
			t.Fatalf("the root of %d lines is wrong", 2*n)
		}
		line, other := lineNumber(n), lineNumber(-n)
		r.Add(line)
		r.May.Add(other)
		may.add(t, other[:])
	}
	if (&LineTree{}).root() != sha256.Sum256(nil) {
		t.Error("the root of no lines is wrong")
	}
}

// TestOmit leaves each part of a file out, once in one piece and once in two: the root stays the same.
func TestOmit(t *testing.T) {
	const all = 37
	var want Run
	for n := range all {
		want.May.Add(lineNumber(n))
	}
	for from := range all {
		for end := from; end <= all; end++ {
			middle := (from + end) / 2
			gap := LinesFrom(uint64(from))
			for n := from; n < middle; n++ {
				gap.Add(lineNumber(n))
			}
			second := LinesFrom(uint64(middle))
			for n := middle; n < end; n++ {
				second.Add(lineNumber(n))
			}
			if err := gap.Omit(second.Len(), second.Hashes()); err != nil {
				t.Fatal(err)
			}
			var r Run
			for n := range from {
				r.May.Add(lineNumber(n))
			}
			if err := r.May.Omit(gap.Len(), gap.Hashes()); err != nil {
				t.Fatalf("%d to %d: %v", from, end, err)
			}
			for n := end; n < all; n++ {
				r.May.Add(lineNumber(n))
			}
			if r.Root() != want.Root() || r.Lines() != all {
				t.Fatalf("without the lines %d to %d, the root is another", from, end)
			}
			if len(gap.Hashes()) > 11 {
				t.Errorf("%d hashes for the lines %d to %d", len(gap.Hashes()), from, end)
			}
		}
	}
}

// TestOmitRefuses requires that hashes fit the number of lines.
func TestOmitRefuses(t *testing.T) {
	hash := make([]byte, 32)
	for _, c := range []struct {
		n      uint64
		hashes [][]byte
	}{
		{0, [][]byte{hash}}, {1, nil}, {1, [][]byte{hash, hash}}, {3, [][]byte{hash}}, {1, [][]byte{hash[:31]}},
		{1 << 60, [][]byte{hash}},
	} {
		if err := new(LineTree).Omit(c.n, c.hashes); err == nil {
			t.Errorf("%d lines by %d hashes", c.n, len(c.hashes))
		}
	}
}

// TestNothingHides requires that a line that stays does not have the root of a line that may be left out.
func TestNothingHides(t *testing.T) {
	var problem, good Run
	for n := range 5 {
		problem.Add(lineNumber(n))
		good.May.Add(lineNumber(n))
	}
	if problem.Root() == good.Root() || slices.Equal(problem.stays.nodes, problem.May.nodes) {
		t.Error("both have one root")
	}
}
