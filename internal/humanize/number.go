// Package humanize formats numbers, sizes and untrusted text for people, in English. No program
// parses its output.
package humanize

import (
	"fmt"
	"strconv"
)

// Size formats a size in decimal units.
func Size(n int64) string {
	if n < 10_000 {
		return Number(n, "byte", "bytes")
	}
	value, unit := Scale(n)
	return fmt.Sprintf("%.1f %s", value, unit)
}

// Scale converts a number of bytes to the largest decimal unit, from kB to PB, that gives at least
// one.
func Scale(n int64) (value float64, unit string) {
	value, unit = float64(n)/1000, "kB"
	for _, next := range []string{"MB", "GB", "TB", "PB"} {
		if value < 1000 {
			break
		}
		value, unit = value/1000, next
	}
	return value, unit
}

// Number formats a count, in groups of thousands, with its noun, in the plural unless it is one.
func Number(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Grouped(n) + " " + many
}

// Count formats a number in plain digits, followed by its noun, whose plural ends in s. Packages
// store this text, so its form never changes.
func Count[I int | int64](n I, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Grouped formats a number with a comma between the thousands.
func Grouped(n int64) string {
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
