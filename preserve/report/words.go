package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"quire/model"
)

// Visible writes each character that does not show, or that would change how others show, as a Go escape: control
// characters, line ends, marks of direction, bytes that are not UTF-8. Joiners stay: some scripts cannot be written without.
func Visible(s string) string {
	if !strings.ContainsFunc(s, isHidden) {
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

func isHidden(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	return !unicode.IsPrint(r) && r != nonJoiner && r != joiner || r == unicode.ReplacementChar
}

// Size writes a size for people, in decimal units.
func Size(n int64) string {
	if n < 10_000 {
		return Number(n, "byte", "bytes")
	}
	value, unit := float64(n)/1000, "kB"
	for _, next := range []string{"MB", "GB", "TB", "PB"} {
		if value < 1000 {
			break
		}
		value, unit = value/1000, next
	}
	return fmt.Sprintf("%.1f %s", value, unit)
}

// Number writes a count and the thing counted, in the plural when it is not one.
func Number(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(n) + " " + many
}

// grouped writes a number with a thin mark between the thousands.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// outcomeOf says the verdict in words; an empty one is that of a container nobody judged.
func outcomeOf(o model.Outcome) string {
	switch o {
	case model.NotContainer:
		return "not a container"
	case "":
		return "not judged"
	}
	return string(o)
}

// kindOf says what the file is: its format, versions and compression.
func kindOf(c *model.Container) string {
	if c.Format == "" {
		return "neither ARC nor WARC"
	}
	return strings.TrimSpace(c.Format+" "+strings.Join(c.Versions, ", ")) + ", " + compressionOf(c.Compression)
}

// briefKindOf is kindOf for a narrow column.
func briefKindOf(c *model.Container) string {
	kind, _, _ := strings.Cut(kindOf(c), ", one member per record")
	return kind
}

func compressionOf(compression string) string {
	switch compression {
	case "none", "":
		return "not compressed"
	case "gzip":
		return "gzip, one member per record"
	case "gzip-whole":
		return "gzip, all records in one member"
	}
	return compression
}

// named gives something to show for a name that is empty.
func named(name string) string {
	if name == "" {
		return "(without a name)"
	}
	return name
}

// clip keeps the first and the last characters of a long text, for where only a line has room.
func clip(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	end := most / 3
	return string(runes[:most-end-1]) + "…" + string(runes[len(runes)-end:])
}
