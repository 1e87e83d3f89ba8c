package textdiff

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

// Class is the fate of a line between two texts.
type Class string

// The classes of lines.
const (
	Kept    Class = "kept"
	Removed Class = "removed"
	Added   Class = "added"
	Gap     Class = "gap" // unchanged lines that are not shown
)

// Line is a line of a comparison.
type Line struct {
	Class  Class
	Pieces []Piece
	Hidden int // number of lines in a gap
}

// Piece is a part of a line; a marked piece is missing from the corresponding line on the other
// side.
type Piece struct {
	Text   string
	Marked bool
}

// Difference is the result of a comparison.
type Difference struct {
	Added, Removed int  // lines
	Whole          bool // the texts differ so much that they count as replaced
	Lines          []Line
	More           bool // lines were left out
}

// Compare returns the difference from one text to another. Time and memory are bounded.
func Compare(a, b []string) (d Difference) {
	edits, ok := diff(a, b, mostSteps)
	for _, e := range edits {
		switch e.Op {
		case added:
			d.Added++
		case removed:
			d.Removed++
		}
	}
	if d.Added+d.Removed == 0 {
		return d
	}
	d.Whole, d.Lines = !ok, linesOf(edits, a, b)
	if d.More = len(d.Lines) > mostShown; d.More {
		d.Lines = d.Lines[:mostShown]
	}
	return d
}

// linesOf converts the edits to lines, with gaps for unchanged parts.
func linesOf(edits []edit, a, b []string) (lines []Line) {
	for i := 0; i < len(edits); {
		n := i
		for n < len(edits) && (edits[n].Op == kept) == (edits[i].Op == kept) {
			n++
		}
		if edits[i].Op == kept {
			lines = keptLines(lines, edits[i:n], a, i == 0, n == len(edits))
		} else {
			lines = changedLines(lines, edits[i:n], a, b)
		}
		i = n
	}
	return lines
}

func keptLines(lines []Line, edits []edit, a []string, first, last bool) []Line {
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
			lines = append(lines, Line{Class: Kept, Pieces: []Piece{{Text: a[e.A]}}})
		case i == head:
			lines = append(lines, Line{Class: Gap, Hidden: len(edits) - head - tail})
		}
	}
	return lines
}

// changedLines converts a run of removed and added lines. It pairs the first removed line with the
// first added one, and so on, and marks the words that differ.
func changedLines(lines []Line, edits []edit, a, b []string) []Line {
	var gone, come []Line
	for _, e := range edits {
		if e.Op == removed {
			gone = append(gone, Line{Class: Removed, Pieces: []Piece{{Text: a[e.A]}}})
		} else {
			come = append(come, Line{Class: Added, Pieces: []Piece{{Text: b[e.B]}}})
		}
	}
	for i := range min(len(gone), len(come)) {
		gone[i].Pieces, come[i].Pieces = markWords(gone[i].Pieces[0].Text, come[i].Pieces[0].Text)
	}
	return slices.Concat(lines, gone, come)
}

// markWords marks the words that differ between two lines. It returns nothing if the lines have
// little in common.
func markWords(a, b string) (before, after []Piece) {
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
		return []Piece{{Text: a}}, []Piece{{Text: b}}
	}
	return before, after
}

func addPiece(all []Piece, text string, marked bool) []Piece {
	if n := len(all); n > 0 && all[n-1].Marked == marked {
		all[n-1].Text += text
		return all
	}
	return append(all, Piece{text, marked})
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
