package page

import (
	"fmt"
	"html/template"
	"net/url"
	"strings"
	"time"

	"quire/internal/humanize"
	"quire/repository/jobs"
)

// functions are those of the templates.
var functions = template.FuncMap{
	"date":    date,
	"day":     func(t time.Time) string { return shown(t, time.DateOnly) },
	"size":    humanize.Size,
	"num":     humanize.Grouped,
	"command": func(words []string) string { return strings.Join(short(words), " ") },
	"lines":   lastLines,
	"since":   since,
	"mark":    mark,
	"ended":   ended,
	"plural":  plural,
	"segment": url.PathEscape, // of an address
}

func shown(t time.Time, form string) string {
	if t.IsZero() {
		return "unknown"
	}
	return t.UTC().Format(form)
}

func date(t time.Time) string { return shown(t, "2006-01-02 15:04") }

// short returns a command without the repository, which is always this one.
func short(words []string) (all []string) {
	for i := 0; i < len(words); i++ {
		switch {
		case words[i] == "--repo":
			i++
		case words[i] == "--", strings.HasPrefix(words[i], "--repo="):
		default:
			all = append(all, words[i])
		}
	}
	return all
}

const shownLines = 8

// lastLines returns the end of a text.
func lastLines(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-shownLines):], "\n")
}

// since returns how long ago a time is, in one unit.
func since(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return span(time.Since(t)) + " ago"
}

func span(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < 2*time.Minute:
		return humanize.Number(int64(max(d, 0)/time.Second), "second", "seconds")
	case d < 2*time.Hour:
		return humanize.Number(int64(d/time.Minute), "minute", "minutes")
	case d < 2*day:
		return humanize.Number(int64(d/time.Hour), "hour", "hours")
	}
	return humanize.Number(int64(d/day), "day", "days")
}

// mark returns the class of a state, for its colour; its word says the same.
func mark(state jobs.State) string {
	switch state {
	case jobs.Failed, jobs.Lost:
		return "bad"
	case jobs.Problems:
		return "warn"
	case jobs.Done:
		return "good"
	}
	return ""
}

// plural returns a number with its noun.
func plural(n any, one, many string) string {
	switch n := n.(type) {
	case int:
		return humanize.Number(int64(n), one, many)
	case int64:
		return humanize.Number(n, one, many)
	}
	return fmt.Sprint(n, " ", many)
}

// ended explains an exit status.
func ended(status *int) string {
	if status == nil {
		return ""
	}
	switch *status {
	case 0:
		return "0: good"
	case 1:
		return "1: the content has problems"
	}
	return fmt.Sprintf("%d: the call or the machine has problems", *status)
}
