package textdiff

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// apply turns a into b.
func apply[T comparable](t *testing.T, a, b []T, edits []edit) (out []T, steps int) {
	t.Helper()
	at := 0
	for _, e := range edits {
		switch e.Op {
		case kept:
			if a[e.A] != b[e.B] || e.A != at {
				t.Fatalf("%v: %v and %v", e, a, b)
			}
			out, at = append(out, a[e.A]), at+1
		case removed:
			if e.A != at {
				t.Fatalf("%v out of order", e)
			}
			at, steps = at+1, steps+1
		case added:
			out, steps = append(out, b[e.B]), steps+1
		}
	}
	if at != len(a) {
		t.Fatalf("%d of %d were used", at, len(a))
	}
	return out, steps
}

func TestDiffIsShortest(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		steps int
	}{{"", "", 0}, {"abc", "abc", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abcabba", "cbabac", 5}, {"xaxcxabc", "abcy", 6},
		{"abc", "axc", 2}} {
		a, b := strings.Split(c.a, ""), strings.Split(c.b, "")
		edits, ok := diff(a, b, 100)
		got, steps := apply(t, a, b, edits)
		if !ok || !slices.Equal(got, b) || steps != c.steps {
			t.Errorf("%s → %s: %q in %d steps, %v", c.a, c.b, got, steps, ok)
		}
	}
}

// TestDiffLeadsThere: the edits always lead from one text to the other, even if the search exceeds
// its limit.
func TestDiffLeadsThere(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		a, b := make([]int, r.IntN(30)), make([]int, r.IntN(30))
		for i := range a {
			a[i] = r.IntN(4)
		}
		for i := range b {
			b[i] = r.IntN(4)
		}
		edits, ok := diff(a, b, r.IntN(20))
		if got, steps := apply(t, a, b, edits); !slices.Equal(got, b) || ok && steps > 20 {
			t.Fatalf("%v → %v: %v", a, b, edits)
		}
	}
}
