package main

import (
	"fmt"
	"reflect"
	"strings"

	"quire/internal/humanize"
	"quire/internal/secret"
	"quire/model"
)

// printf prints results. Arguments can hold text from crawls, file names and foreign METS; printf
// escapes their control characters. The first failed write is kept, and ends the call with status
// 2.
func (t *terminal) printf(format string, args ...any) {
	shown := make([]any, len(args))
	for i, a := range args {
		shown[i] = t.visible(a)
	}
	t.print(fmt.Sprintf(format, shown...))
}

// print prints text that needs no escaping.
func (t *terminal) print(text string) {
	if t.failed != nil {
		return
	}
	if _, err := fmt.Fprint(t.out, text); err != nil {
		t.failed = fmt.Errorf("printing the result: %w", err)
	}
}

// warn prints lines on standard error, each after the program name.
func (t *terminal) warn(text string) { t.say(t.errShades.Warning("quire:"), text) }

// say prints lines on standard error, with a word before each line.
func (t *terminal) say(word, text string) {
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		fmt.Fprintln(t.err, word, humanize.Visible(secret.Conceal(line)))
	}
}

// note prints a warning, unless the text is empty.
func (t *terminal) note(text string) {
	if text != "" {
		t.warn(text)
	}
}

// visible makes an argument safe to print. Numbers stay as they are. Everything else is printed as
// text. Outcomes and severities of findings are coloured.
func (t *terminal) visible(a any) any {
	switch known := a.(type) {
	case outcome:
		word := humanize.Visible(string(known))
		return coloured{word, t.shades.Outcome(word)}
	case model.Finding:
		line := humanize.Visible(known.String())
		return coloured{line, t.shades.Line(line, string(known.Severity))}
	}
	switch reflect.ValueOf(a).Kind() {
	case reflect.Int, reflect.Int32, reflect.Int64:
		return a
	}
	return humanize.Visible(fmt.Sprint(a))
}
