package protocol

import (
	"fmt"
	"time"
)

// Granularity is the granularity of datestamps (clause 2.7.1), in the form of Identify.
type Granularity string

// The two granularities.
const (
	Days    Granularity = "YYYY-MM-DD"
	Seconds Granularity = "YYYY-MM-DDThh:mm:ssZ"
)

const (
	dayLayout    = "2006-01-02"
	secondLayout = "2006-01-02T15:04:05Z"
)

// ParseDatestamp reads a datestamp, or the argument from or until, of either granularity. A day
// means its first second, in UTC. It accepts only the forms of clause 3.3: no fractions of a
// second, no zone except Z, no leap second, no year 0.
func ParseDatestamp(s string) (time.Time, Granularity, error) {
	layout, g := dayLayout, Days
	if len(s) != len(dayLayout) {
		layout, g = secondLayout, Seconds
	}
	// The length check is necessary: whatever the layout, time.Parse accepts fractions of a second,
	// and one digit instead of two.
	t, err := time.Parse(layout, s)
	if err != nil || len(s) != len(layout) || t.Year() == 0 {
		return time.Time{}, "", fmt.Errorf("%q is not a date in the protocol's form: %s or %s, in UTC", s, Days,
			Seconds)
	}
	return t, g, nil
}

// Last returns the last second of a datestamp of this granularity: 23:59:59 of a day. The argument
// until includes it.
func (g Granularity) Last(t time.Time) time.Time {
	if g == Days {
		return t.Add(24*time.Hour - time.Second)
	}
	return t
}

// Layout returns the layout of the granularity for package time.
func (g Granularity) Layout() string {
	if g == Days {
		return dayLayout
	}
	return secondLayout
}

// FormatDatestamp returns a datestamp with seconds, in UTC. It truncates fractions.
func FormatDatestamp(t time.Time) string { return t.UTC().Format(secondLayout) }

// AppendDatestamp appends the result of FormatDatestamp to dst.
func AppendDatestamp(dst []byte, t time.Time) []byte { return t.UTC().AppendFormat(dst, secondLayout) }
