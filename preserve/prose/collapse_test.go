package prose

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestCollapseWords: the fast functions agree with the standard library on random text.
func TestCollapseWords(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{" ", "\t", "\n", "\v", "\f", "\r", "a", "bc", "\u00a0", "\u2003", "é", "\u200b", "\u00ad",
		"\ufeff", "\u200f", "\u2010",
		"\xff", "\xc2", "漢", "\x00", "\x1c", "\u0085", "word", "."}
	ascii := 0
	var to []byte
	for range 20_000 {
		var b strings.Builder
		for range random.IntN(8) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		s := b.String()
		want := collapse(strings.ToValidUTF8(s, "\uFFFD"))
		before := len(to)
		var words int
		to, words = appendCollapsed(to, []byte(s))
		text := string(to[before:])
		if text != want || words != len(strings.Fields(want)) {
			t.Fatalf("%q: %q with %d words, want %q with %d", s, text, words, want, len(strings.Fields(want)))
		}
		if n := wordCount([]byte(s)); n != len(strings.Fields(s)) {
			t.Fatalf("%q: %d words, want %d", s, n, len(strings.Fields(s)))
		}
		if strings.IndexFunc(s, func(r rune) bool { return r > 127 }) < 0 {
			ascii++
		}
	}
	if ascii < 100 {
		t.Errorf("only %d texts in ASCII", ascii)
	}
}
