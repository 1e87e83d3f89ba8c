package warc

import (
	"fmt"
	"strings"
	"time"
)

// dateLayouts are the granularities of W3CDTF that WARC 1.1 allows (clause 5.4), the usual one
// first. Go's parser accepts a fraction after the seconds.
var dateLayouts = []string{
	"2006-01-02T15:04:05Z", "2006-01-02T15:04Z", "2006-01-02", "2006-01", "2006",
	// Not in the standard, but they occur: an offset, or no zone.
	time.RFC3339, "2006-01-02T15:04:05",
}

// ParseDate parses a WARC-Date and returns it in UTC.
func ParseDate(s string) (time.Time, error) {
	for _, candidate := range []string{s, strings.ToUpper(s)} { // RFC 3339, 5.6: T and Z may be lower case
		for _, layout := range dateLayouts {
			t, err := time.Parse(layout, candidate)
			t = t.UTC()
			if err == nil && t.Year() >= 0 && t.Year() <= 9999 { // an offset can exceed the four digits
				return t, nil
			}
		}
	}
	return time.Time{}, fmt.Errorf("%.40q is no W3CDTF date", s)
}

// FormatDate formats t as both WARC 1.0 and 1.1 allow: UTC, to the second.
func FormatDate(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }
