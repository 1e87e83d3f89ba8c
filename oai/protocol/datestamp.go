package protocol

import (
	"fmt"
	"time"
)

// Granularity is how fine datestamps are (clause 2.7.1), written as Identify tells it.
type Granularity string

// The two.
const (
	Days    Granularity = "YYYY-MM-DD"
	Seconds Granularity = "YYYY-MM-DDThh:mm:ssZ"
)

const (
	dayLayout    = "2006-01-02"
	secondLayout = "2006-01-02T15:04:05Z"
)

// ParseDatestamp reads a datestamp, or the argument from or until, of either granularity: a day
// gives its first second, in UTC. It takes what clause 3.3 allows and no more: no fractions of a
// second, no other zone than Z, no leap second, no year 0.
func ParseDatestamp(s string) (time.Time, Granularity, error) {
	layout, g := dayLayout, Days
	if len(s) != len(dayLayout) {
		layout, g = secondLayout, Seconds
	}
	// time.Parse would take a fraction behind the seconds, and one digit where two are due,
	// whatever the layout says: so the length.
	t, err := time.Parse(layout, s)
	if err != nil || len(s) != len(layout) || t.Year() == 0 {
		return time.Time{}, "", fmt.Errorf("%q is not a date as the protocol has it: %s or %s, in UTC", s, Days,
			Seconds)
	}
	return t, g, nil
}

// Last gives the last second that a datestamp of this granularity means: of a day, 23:59:59. The
// argument until includes it.
func (g Granularity) Last(t time.Time) time.Time {
	if g == Days {
		return t.Add(24*time.Hour - time.Second)
	}
	return t
}

// Layout is the granularity as package time has it.
func (g Granularity) Layout() string {
	if g == Days {
		return dayLayout
	}
	return secondLayout
}

// FormatDatestamp writes a datestamp with its seconds, in UTC. What is finer is cut off.
func FormatDatestamp(t time.Time) string { return t.UTC().Format(secondLayout) }

// AppendDatestamp appends to dst what FormatDatestamp gives.
func AppendDatestamp(dst []byte, t time.Time) []byte { return t.UTC().AppendFormat(dst, secondLayout) }
