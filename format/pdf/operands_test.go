package pdf

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestOperands: the fast way reads each operand as the parser of objects does, and ends at the same place.
func TestOperands(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the cases are to be the same each time
	parts := []string{"[", "]", "(", ")", "\\", "\r", "\n", " ", "a", "12", "-3.5", ".", "+", "1e9",
		"99999999999999999999", "7 0 R", "<41>", "<<", ">>", "/N", "%x\n", "(tug)", "(a\\)b)",
		"[(a) -250 (b)]", "null", "0 0"}
	whole := 0
	for range 100_000 {
		var b strings.Builder
		b.WriteString([]string{"[", "(", "/", "1", "-", "<"}[random.IntN(6)])
		for range random.IntN(8) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		fast, slow := &lexer{b: []byte(b.String())}, &lexer{b: []byte(b.String())}
		got, errFast := fast.operand()
		o, errSlow := slow.object(0)
		if (errFast == nil) != (errSlow == nil) {
			t.Fatalf("%q: %v, want %v", b.String(), errFast, errSlow)
		}
		if errFast != nil {
			continue
		}
		whole++
		if want := operandOf(o); written(&got) != written(&want) || fast.at != slow.at {
			t.Fatalf("%q: %s to %d, want %s to %d", b.String(), written(&got), fast.at, written(&want), slow.at)
		}
	}
	if whole < 10_000 {
		t.Error("only", whole)
	}
}

// written returns an operand as text.
func written(o *operand) string {
	s := fmt.Sprintf("%d %v %q %q", o.kind, o.number, o.text, o.name)
	for i := range o.parts {
		s += "; " + written(&o.parts[i])
	}
	return s
}
