package main

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode"
)

// printf prints results. What the arguments hold comes from crawls, file names and METS of others: it is shown, and never
// obeyed by the terminal. The first write that fails is kept, and ends the call with status 2.
func (t *terminal) printf(format string, args ...any) {
	shown := make([]any, len(args))
	for i, a := range args {
		shown[i] = visible(a)
	}
	t.print(fmt.Sprintf(format, shown...))
}

// print prints a text of our own.
func (t *terminal) print(text string) {
	if t.failed != nil {
		return
	}
	if _, err := fmt.Fprint(t.out, text); err != nil {
		t.failed = fmt.Errorf("printing the result: %w", err)
	}
}

// warn prints lines for the person who called, each with the name of the program before it.
func (t *terminal) warn(text string) {
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		fmt.Fprintln(t.err, "quire:", escape(line))
	}
}

// visible makes an argument safe to print. Numbers are; everything else is printed as text.
func visible(a any) any {
	switch reflect.ValueOf(a).Kind() {
	case reflect.Int, reflect.Int32, reflect.Int64:
		return a
	}
	return escape(fmt.Sprint(a))
}

// escape writes each character that does not show, or that would change how others show, as a Go escape: control characters,
// line ends, marks of direction, bytes that are not UTF-8. Joiners stay: some scripts cannot be written without.
func escape(s string) string {
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
