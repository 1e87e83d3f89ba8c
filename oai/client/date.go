package client

import (
	"strings"
	"time"
)

// strictLayouts are the protocol's forms (clause 3.3); the others are forms that servers also
// write.
var (
	strictLayouts = []string{"2006-01-02T15:04:05Z", "2006-01-02"}
	otherLayouts  = []string{
		time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999", "2006-01-02 15:04:05Z07:00",
		"2006-01-02T15:04Z07:00",
		"2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02T15Z07:00", "2006-01-02T15", "2006-01-02Z07:00",
		"20060102T150405Z07:00", "20060102", "2006-01", "2006",
	}
)

// readDate reads a datestamp leniently. Ok is false if the text is not a date; strict is true for
// the protocol's form. A date without a zone is UTC.
func readDate(s string) (t time.Time, strict, ok bool) {
	for _, layout := range strictLayouts {
		if len(s) != len(layout) {
			continue
		}
		if t, err := time.Parse(layout, s); err == nil && t.Year() > 0 {
			return t, true, true
		}
	}
	trimmed := strings.TrimRight(strings.TrimSpace(s), ".")
	for _, layout := range append(strictLayouts, otherLayouts...) {
		if t, err := time.Parse(layout, trimmed); err == nil && t.Year() > 0 {
			return t.UTC(), false, true
		}
	}
	return time.Time{}, false, false
}
