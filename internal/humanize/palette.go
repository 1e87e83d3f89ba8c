package humanize

import "strings"

// Palette colours words for a terminal (ECMA-48, SGR). The zero value leaves words unchanged.
type Palette struct{ On bool }

const (
	bold   = "1"
	red    = "31"
	green  = "32"
	yellow = "33"
)

// outcomes maps words for a result or a state to their colours.
var outcomes = map[string]string{
	"valid": green, "success": green, "good": green, "complete": green, "clean": green, "accepted": green, "passed": green,
	"warning": yellow, "incomplete": yellow, "not-scanned": yellow,
	"invalid": red, "fail": red, "error": red, "damaged": red, "missing": red, "infected": red,
	"refused": red, "failed": red,
	"not-a-container": red, "not a container": red, "not-valid": red,
}

// Outcome colours a word by its meaning: green for success, yellow for a warning, red for an error.
// Other words stay unchanged.
func (p Palette) Outcome(word string) string { return p.paint(outcomes[word], word) }

// Line colours the first place of a word in a line, by its meaning.
func (p Palette) Line(line, word string) string {
	if !p.On || outcomes[word] == "" {
		return line
	}
	return strings.Replace(line, word, p.Outcome(word), 1)
}

// Heading makes a text bold.
func (p Palette) Heading(text string) string { return p.paint(bold, text) }

// Error colours the word that begins an error message.
func (p Palette) Error(text string) string { return p.paint(bold+";"+red, text) }

// Warning colours the word that begins a warning.
func (p Palette) Warning(text string) string { return p.paint(yellow, text) }

func (p Palette) paint(color, text string) string {
	if !p.On || color == "" || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}
