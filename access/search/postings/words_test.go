package postings

import (
	"fmt"
	"testing"
)

// TestWords: all words with a prefix, from several segments and pages; no more pages than allowed.
func TestWords(t *testing.T) {
	t.Parallel()
	db := table(t, 64)
	for n := range 300 {
		if _, err := db.ExecContext(t.Context(), `INSERT INTO words (rowid, title, url, body) `+
			`VALUES (?, ?, 'c', 'b')`, n, fmt.Sprintf("w%03d x%d", n, n%7)); err != nil {
			t.Fatal(err)
		}
	}
	view(t, db, func(v *View) {
		for prefix, want := range map[string]int{"w": 300, "w1": 100, "w29": 10, "w300": 0, "": 309, "x": 7,
			"y": 0, "a": 0, "c": 1} {
			found := map[string]bool{}
			if err := v.Words(t.Context(), prefix, 10_000, func(w []byte) { found[string(w)] = true }); err != nil {
				t.Fatal(err)
			}
			if len(found) != want {
				t.Errorf("%q: %d words, not %d", prefix, len(found), want)
			}
		}
		few := 0
		if err := v.Words(t.Context(), "w", 2, func([]byte) { few++ }); err != nil || few == 0 || few > 40 {
			t.Errorf("%d words on two pages, %v", few, err)
		}
	})
}

// TestCount: gaps of one byte and of several, other columns, and a truncated end.
func TestCount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		raw  string
		want [3]int
	}{
		{"\x02\x05\x03", [3]int{3}},
		{"\x02\x81\x01\x05", [3]int{3}}, // a gap of 127 words: its second byte is no mark of a column
		{"\x81\x80\x03\x01\x02\x02\x90\x02", [3]int{1, 0, 2}},
		{"\x01\x01\x04\x01\x07\x02", [3]int{0, 1, 0}}, // an unknown column
		{"\x02\x85", [3]int{1}},
	} {
		var got [3]int
		if Count(got[:], []byte(c.raw)); got != c.want {
			t.Errorf("%q: %v, not %v", c.raw, got, c.want)
		}
	}
}
