package textdiff

import "slices"

// op is the fate of an element between two texts.
type op int8

const (
	kept op = iota
	removed
	added
)

// edit is one step from a to b. A is the position in a of a kept or removed element, B that in b of
// a kept or added one.
type edit struct {
	Op   op
	A, B int
}

// diff finds a shortest edit path from a to b (E. W. Myers, An O(ND) Difference Algorithm and Its
// Variations, 1986), with up to most steps that are not "kept". If there is none, ok is false,
// and everything between the common beginning and end is replaced. Time is at most
// (len(a)+len(b))·most, memory most².
func diff[T comparable](a, b []T, most int) (edits []edit, ok bool) {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		edits = append(edits, edit{kept, head, head})
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	middle, ok := between(a[head:len(a)-tail], b[head:len(b)-tail], most)
	for _, e := range middle {
		edits = append(edits, edit{e.Op, e.A + head, e.B + head})
	}
	for i := tail; i > 0; i-- {
		edits = append(edits, edit{kept, len(a) - i, len(b) - i})
	}
	return edits, ok
}

func between[T comparable](a, b []T, most int) ([]edit, bool) {
	// ends[k+d] is the furthest position in a of a path of d steps on diagonal k = x−y.
	var traces [][]int32
	for d := 0; d <= min(most, len(a)+len(b)); d++ {
		ends := make([]int32, 2*d+1)
		for k := -d; k <= d; k += 2 {
			x := step(traces, d, k)
			for x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			ends[k+d] = int32(x)
			if x >= len(a) && x-k >= len(b) {
				return walk(append(traces, ends), len(a), len(b)), true
			}
		}
		traces = append(traces, ends)
	}
	return replaced(len(a), len(b)), false
}

// step returns the start of the path of d steps on diagonal k, computed from the paths of d−1
// steps. A step goes down (a line is added) or to the right (a line is removed).
func step(traces [][]int32, d, k int) int {
	if d == 0 {
		return 0
	}
	if fromAbove(traces[d-1], d, k) {
		return int(traces[d-1][k+1+d-1])
	}
	return int(traces[d-1][k-1+d-1]) + 1
}

func fromAbove(before []int32, d, k int) bool {
	return k == -d || k != d && before[k-1+d-1] < before[k+1+d-1]
}

// walk builds the path from its end.
func walk(traces [][]int32, x, y int) []edit {
	var edits []edit
	for d := len(traces) - 1; d > 0; d-- {
		k := x - y
		above := fromAbove(traces[d-1], d, k)
		from := step(traces, d, k) // where the step led
		for x > from {
			x, y = x-1, y-1
			edits = append(edits, edit{kept, x, y})
		}
		if above {
			y--
			edits = append(edits, edit{added, x, y})
		} else {
			x--
			edits = append(edits, edit{removed, x, y})
		}
	}
	for x > 0 && y > 0 {
		x, y = x-1, y-1
		edits = append(edits, edit{kept, x, y})
	}
	slices.Reverse(edits)
	return edits
}

func replaced(a, b int) (edits []edit) {
	for i := range a {
		edits = append(edits, edit{removed, i, 0})
	}
	for i := range b {
		edits = append(edits, edit{added, a, i})
	}
	return edits
}
