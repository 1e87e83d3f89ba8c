package humanize

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks a line between words at width, and indents the continuation lines. It never breaks a
// longer word, because digests and addresses are copied. A width of 0 breaks nothing.
func Wrap(line string, indent, width int) string {
	if width <= 0 || utf8.RuneCountInString(line) <= width {
		return line
	}
	var b strings.Builder
	text := strings.TrimLeft(line, " ")
	first := len(line) - len(text)
	b.WriteString(line[:first])
	at := first
	begins := true // the line has only its indent
	for word := range strings.SplitSeq(text, " ") {
		long := utf8.RuneCountInString(word)
		switch {
		case begins:
		case at+1+long > width && word != "" && indent+long <= width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += long
		begins = false
	}
	return b.String()
}
