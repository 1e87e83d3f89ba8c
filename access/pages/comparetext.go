package pages

import (
	"slices"
	"strings"
	"unicode"
)

// Limits of the search for differences, and of the unchanged text shown.
const (
	mostSteps     = 1500
	mostWordSteps = 200
	around        = 2   // unchanged lines shown around changes
	mostShown     = 800 // lines
)

// diffLine is a line of the comparison: added, removed, kept, or a gap.
type diffLine struct {
	Class string
	Words []piece
}

// piece is a part of a line; a marked piece is missing from the corresponding line on the other
// side.
type piece struct {
	Text   string
	Marked bool
}

func (s *site) compareText(c *comparison, a, b *half) {
	edits, ok := diff(a.lines, b.lines, mostSteps)
	var more, less int64
	for _, e := range edits {
		switch e.Op {
		case added:
			more++
		case removed:
			less++
		}
	}
	switch {
	case len(a.lines)+len(b.lines) == 0:
		c.TextWords = s.words.T("compare.notext")
		return
	case more+less == 0:
		c.TextWords = s.words.T("compare.text.same")
		return
	}
	c.TextWords = s.words.T("compare.text.differs", s.words.N("compare.lines.added", more),
		s.words.N("compare.lines.removed", less))
	if !ok {
		c.TextWords = s.words.T("compare.text.other")
	}
	c.Lines = s.diffLines(edits, a.lines, b.lines)
	if a.more || b.more || len(c.Lines) > mostShown {
		c.Lines = c.Lines[:min(len(c.Lines), mostShown)]
		c.Cut = s.words.T("compare.cut")
	}
}

// diffLines converts the edits to lines, with gaps for unchanged parts.
func (s *site) diffLines(edits []edit, a, b []string) (lines []diffLine) {
	for i := 0; i < len(edits); {
		n := i
		for n < len(edits) && (edits[n].Op == kept) == (edits[i].Op == kept) {
			n++
		}
		if edits[i].Op == kept {
			lines = s.keptLines(lines, edits[i:n], a, i == 0, n == len(edits))
		} else {
			lines = changedLines(lines, edits[i:n], a, b)
		}
		i = n
	}
	return lines
}

func (s *site) keptLines(lines []diffLine, edits []edit, a []string, first, last bool) []diffLine {
	head, tail := around, around
	if first {
		head = 0
	}
	if last {
		tail = 0
	}
	for i, e := range edits {
		switch {
		case i < head || i >= len(edits)-tail || len(edits) <= head+tail+1:
			lines = append(lines, diffLine{"kept", []piece{{Text: a[e.A]}}})
		case i == head:
			lines = append(lines, diffLine{"gap",
				[]piece{{Text: s.words.N("compare.gap", int64(len(edits)-head-tail))}}})
		}
	}
	return lines
}

// changedLines converts a run of removed and added lines. It pairs the first removed line with the
// first added one, and so on, and marks the words that differ.
func changedLines(lines []diffLine, edits []edit, a, b []string) []diffLine {
	var gone, come []diffLine
	for _, e := range edits {
		if e.Op == removed {
			gone = append(gone, diffLine{"removed", []piece{{Text: a[e.A]}}})
		} else {
			come = append(come, diffLine{"added", []piece{{Text: b[e.B]}}})
		}
	}
	for i := range min(len(gone), len(come)) {
		gone[i].Words, come[i].Words = markWords(gone[i].Words[0].Text, come[i].Words[0].Text)
	}
	return slices.Concat(lines, gone, come)
}

// markWords marks the words that differ between two lines. It returns nothing if the lines have
// little in common.
func markWords(a, b string) (before, after []piece) {
	x, y := wordsOf(a), wordsOf(b)
	edits, ok := diff(x, y, mostWordSteps)
	stayed := 0
	for _, e := range edits {
		if e.Op == kept && strings.TrimSpace(x[e.A]) != "" {
			stayed++
		}
		if e.Op != added {
			before = addPiece(before, x[e.A], e.Op == removed)
		}
		if e.Op != removed {
			after = addPiece(after, y[e.B], e.Op == added)
		}
	}
	if !ok || stayed*5 < min(len(x), len(y)) {
		return []piece{{Text: a}}, []piece{{Text: b}}
	}
	return before, after
}

func addPiece(all []piece, text string, marked bool) []piece {
	if n := len(all); n > 0 && all[n-1].Marked == marked {
		all[n-1].Text += text
		return all
	}
	return append(all, piece{text, marked})
}

// wordsOf splits a line into words and separators.
func wordsOf(s string) (words []string) {
	for s != "" {
		inWord := isWord([]rune(s[:min(len(s), 4)])[0])
		n := strings.IndexFunc(s, func(r rune) bool { return isWord(r) != inWord })
		if n < 0 {
			n = len(s)
		}
		words, s = append(words, s[:n]), s[n:]
	}
	return words
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }
