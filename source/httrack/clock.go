package httrack

import (
	"strings"
	"time"

	"quire/source/internal/zone"
)

// HTTrack writes times of day on the crawler's clock: without a date, without a zone. The date is
// that of the launch, and a day later each time the clock goes back. The zone is concluded from the
// Date headers that new.txt keeps of answers without an ETag, or from when new.txt was last
// written; where neither tells, times stay on the crawler's clock and are given as such.

const dayLong = 24 * time.Hour

// days turns the times of day of consecutive rows into dates.
type days struct {
	day  time.Time // midnight, the crawler's clock labelled UTC; zero when unknown
	last time.Duration
}

// backstep is how far the clock of a log goes back without a night between: rows of one moment are
// written by several threads.
const backstep = time.Hour

func startAt(launched time.Time) days {
	if launched.IsZero() {
		return days{}
	}
	midnight := launched.Truncate(dayLong)
	return days{day: midnight, last: launched.Sub(midnight)}
}

func (d *days) at(clock time.Duration) time.Time {
	if d.day.IsZero() {
		return time.Time{}
	}
	if clock+backstep < d.last {
		d.day = d.day.Add(dayLong)
	}
	d.last = clock
	return d.day.Add(clock)
}

// voted takes the column Etag|Date of a row into account. A date can be Last-Modified as well as
// Date.
func voted(v *zone.Votes, local time.Time, validator string) {
	date, ok := strings.CutPrefix(validator, "date:")
	if server, err := time.Parse(time.RFC1123, date); ok && err == nil {
		v.Add(local, server)
	}
}

// launchedLayout is how HTTrack writes dates in hts-log.txt and doit.log.
const launchedLayout = "Mon, 02 Jan 2006 15:04:05"

func parseLaunched(s string) time.Time {
	t, err := time.Parse(launchedLayout, strings.TrimSpace(s))
	if err != nil {
		return time.Time{}
	}
	return t
}

// parseClock reads a time of day.
func parseClock(s string) (time.Duration, error) {
	t, err := time.Parse(time.TimeOnly, s)
	return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute +
		time.Duration(t.Second())*time.Second, err
}
