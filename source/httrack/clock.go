package httrack

import (
	"strings"
	"time"

	"quire/source/internal/zone"
)

// HTTrack writes times of day on the crawler's clock, without a date or a zone. The date starts
// with the launch, and advances by a day each time the clock goes back. The zone comes from the
// Date headers in new.txt, for responses without an ETag, or from the mtime of new.txt. Without
// either, times stay on the crawler's clock and are labelled so.

const dayLong = 24 * time.Hour

// days converts the times of day of consecutive rows to dates.
type days struct {
	day  time.Time // midnight, the crawler's clock labelled UTC; zero if unknown
	last time.Duration
}

// backstep is the largest backward step of the clock that does not mean a new day: several threads
// write rows at the same moment.
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

// addVote adds a vote from the column Etag|Date of a row. The date can be Last-Modified or Date.
func addVote(v *zone.Votes, local time.Time, validator string) {
	date, ok := strings.CutPrefix(validator, "date:")
	if server, err := time.Parse(time.RFC1123, date); ok && err == nil {
		v.Add(local, server)
	}
}

// launchedLayout is the format of dates in hts-log.txt and doit.log.
const launchedLayout = "Mon, 02 Jan 2006 15:04:05"

func parseLaunched(s string) time.Time {
	t, err := time.Parse(launchedLayout, strings.TrimSpace(s))
	if err != nil {
		return time.Time{}
	}
	return t
}

// parseClock parses a time of day.
func parseClock(s string) (time.Duration, error) {
	t, err := time.Parse(time.TimeOnly, s)
	return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute +
		time.Duration(t.Second())*time.Second, err
}
