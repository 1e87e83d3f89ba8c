package wget

import (
	"time"

	"quire/source/internal/zone"
)

// clock turns the times of a log into moments. Versions until 1.10 write times of day alone; then
// the last line's day is that on which the log was last written.
type clock struct {
	zone  zone.Zone
	shift int  // days from those of the log, which are in year 1, to what they were
	known bool // the day is
}

// clockOf begins with what the log and its file tell: modified is when that was last written, zero
// when nobody knows.
func clockOf(j *journal, modified time.Time) clock {
	c := clock{known: !j.Undated}
	if !j.Undated {
		c.zone = zone.Between(j.Last, modified, "the time at which the log was last written, against its last line")
		return c
	}
	if modified.IsZero() || j.Last.IsZero() {
		return c
	}
	var found []zone.Zone
	var shifts []int
	written := modified.UTC()
	for days := -1; days <= 1; days++ {
		shift := dayOf(written) + days - dayOf(j.Last)
		last := j.Last.AddDate(0, 0, shift)
		if z := zone.Between(last, written,
			"the time at which the log was last written, against its last line, which has no day"); z.Why != "" {
			found, shifts = append(found, z), append(shifts, shift)
		}
	}
	if len(found) == 1 { // 12 hours ahead are 12 behind, a day later
		c.zone, c.shift, c.known = found[0], shifts[0], true
	}
	return c
}

// dayOf counts days.
func dayOf(t time.Time) int { return int(t.Truncate(24*time.Hour).Unix() / (24 * 60 * 60)) }

// utc gives the moment of a time in the log, and whether it is known.
func (c *clock) utc(t time.Time) (time.Time, bool) {
	if t.IsZero() || !c.known || c.zone.Why == "" {
		return time.Time{}, false
	}
	return t.AddDate(0, 0, c.shift).Add(-c.zone.Ahead), true
}

// local gives a time on the crawler's clock, with its day where that is known; zero otherwise.
func (c *clock) local(t time.Time) time.Time {
	if t.IsZero() || !c.known {
		return time.Time{}
	}
	return t.AddDate(0, 0, c.shift)
}
