package wget

import (
	"time"

	"quire/source/internal/zone"
)

// clock converts the times of a log to UTC. Versions until 1.10 write only times of day; then the
// mtime of the log gives the day of its last line.
type clock struct {
	zone  zone.Zone
	shift int  // days from the log's dates, in year 1, to the real dates
	known bool // the day is known
}

// clockOf uses the log and its file: modified is the file's mtime, or zero if unknown.
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
	if len(found) == 1 { // +12 hours equals -12 hours a day later
		c.zone, c.shift, c.known = found[0], shifts[0], true
	}
	return c
}

// dayOf returns the number of a day.
func dayOf(t time.Time) int { return int(t.Truncate(24*time.Hour).Unix() / (24 * 60 * 60)) }

// utc returns a log time in UTC, and whether it is known.
func (c *clock) utc(t time.Time) (time.Time, bool) {
	if t.IsZero() || !c.known || c.zone.Why == "" {
		return time.Time{}, false
	}
	return t.AddDate(0, 0, c.shift).Add(-c.zone.Ahead), true
}

// local returns a time on the crawler's clock, with its day if known, else zero.
func (c *clock) local(t time.Time) time.Time {
	if t.IsZero() || !c.known {
		return time.Time{}
	}
	return t.AddDate(0, 0, c.shift)
}
