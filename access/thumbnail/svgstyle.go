package thumbnail

import (
	"math"
	"slices"
	"strings"
)

// harmless reports whether a value or a style sheet names nothing outside of the drawing. Escapes and rules of CSS
// could hide an address.
func harmless(s string) bool {
	s = strings.ToLower(s)
	if strings.ContainsAny(s, "\\@&") || strings.Contains(s, "/*") || strings.Contains(s, "image-set") ||
		strings.Contains(s, "expression") || strings.Contains(s, "javascript:") || strings.Contains(s, "src(") {
		return false
	}
	for {
		_, rest, found := strings.Cut(s, "url(")
		if !found {
			return true
		}
		if s = strings.TrimLeft(rest, " \t\r\n\"'"); !strings.HasPrefix(s, "#") {
			return false
		}
	}
}

// harmlessSheet returns the rules of a style sheet that draw, with their harmless declarations. Rules with others in
// them are left out, because their condition is unknown.
func harmlessSheet(css string) string {
	css = uncommented(css)
	var kept strings.Builder
	depth, begin, nested := 0, 0, false
	for i := range len(css) {
		switch css[i] {
		case '{':
			nested = nested || depth > 0
			depth++
		case ';':
			if depth == 0 { // of a rule such as @import
				begin = i + 1
			}
		case '}':
			if depth--; depth > 0 {
				continue
			}
			selector, declarations, _ := strings.Cut(css[begin:i], "{")
			if depth == 0 && !nested && harmless(selector) {
				kept.WriteString(selector + "{" + harmlessStyle(declarations) + "}")
			}
			depth, begin, nested = 0, i+1, false
		}
	}
	if all := kept.String(); harmless(all) {
		return all
	}
	return ""
}

// uncommented returns CSS without comments. A comment that does not end takes the rest.
func uncommented(css string) string {
	var kept strings.Builder
	for {
		before, rest, found := strings.Cut(css, "/*")
		kept.WriteString(before)
		if !found {
			return kept.String()
		}
		kept.WriteByte(' ') // as in CSS, a comment ends a word
		if _, css, found = strings.Cut(rest, "*/"); !found {
			return kept.String()
		}
	}
}

// harmlessStyle returns the declarations of a style that draw within an element.
func harmlessStyle(s string) string {
	all := strings.Split(uncommented(s), ";")
	return strings.Join(slices.DeleteFunc(all, func(one string) bool {
		name, value, _ := strings.Cut(one, ":")
		return !harmless(one) || repeats(one) || strings.Contains(strings.ToLower(name), "dasharray") &&
			!cheapDashes(value)
	}), ";")
}

// cheapDashes reports whether the dashes of a line are large enough to draw them in a short time. Lengths that depend
// on what is around count as zero.
func cheapDashes(value string) bool {
	value = strings.ToLower(strings.TrimSpace(value))
	if value == "none" || value == "inherit" {
		return true
	}
	all := strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r <= ' ' })
	sum := 0.0
	for _, one := range all {
		sum += pixels(one)
	}
	return sum >= leastDash*float64(len(all)) && !math.IsInf(sum, 0)
}

// repeats reports whether a style uses another element, or costs much for its size.
func repeats(s string) bool {
	s = strings.ToLower(s)
	return slices.ContainsFunc([]string{"filter", "mask", "marker", "clip-path", "pattern", "animation", "shadow"},
		func(word string) bool { return strings.Contains(s, word) })
}
