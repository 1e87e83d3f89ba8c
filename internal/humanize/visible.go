package humanize

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Visible replaces each character that is invisible, or that changes the display of others, by a Go
// escape: control characters, line ends, direction marks, bytes that are not UTF-8. Joiners stay,
// because some scripts need them.
func Visible(s string) string {
	if isPlain(s) || !strings.ContainsFunc(s, isHidden) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == unicode.ReplacementChar && s[i] != "\uFFFD"[0]:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case isHidden(r) && r != unicode.ReplacementChar:
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isPlain reports whether s is printable ASCII.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

func isHidden(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	return !unicode.IsPrint(r) && r != nonJoiner && r != joiner || r == unicode.ReplacementChar
}

// Clip shortens a long text to its first and last characters, to fit a line.
func Clip(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	end := most / 3
	return string(runes[:most-end-1]) + "…" + string(runes[len(runes)-end:])
}
