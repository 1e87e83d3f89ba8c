package httrack

import (
	"strings"
	"time"
)

// HTTrack writes times of day on the crawler's clock: without a date, without a zone. The date is that of the launch, and a day
// later each time the clock goes back. The zone is concluded from the Date headers that new.txt keeps of answers without an
// ETag, or from when new.txt was last written; where neither tells, times stay on the crawler's clock and are given as such.

const (
	dayLong = 24 * time.Hour
	quarter = 15 * time.Minute // zones lie so far apart
	leeway  = time.Minute      // between a server's clock and the crawler's
	farZone = 14 * time.Hour
)

// days turns the times of day of consecutive rows into dates.
type days struct {
	day  time.Time // midnight, the crawler's clock labelled UTC; zero when unknown
	last time.Duration
}

// backstep is how far the clock of a log goes back without a night between: rows of one moment are written by several threads.
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

// zone is by how much the crawler's clock is ahead of UTC.
type zone struct {
	Ahead time.Duration
	Why   string // "" when unknown
}

// zoneVotes counts what the rows say. A date can be Last-Modified as well as Date, so that only what is near a quarter of an
// hour counts, and only a majority decides.
type zoneVotes struct {
	votes map[time.Duration]int
	all   int
}

func (v *zoneVotes) add(local time.Time, validator string) {
	date, ok := strings.CutPrefix(validator, "date:")
	server, err := time.Parse(time.RFC1123, date)
	if !ok || err != nil || local.IsZero() {
		return
	}
	apart := local.Sub(server.UTC())
	near := apart.Round(quarter)
	if near.Abs() > farZone || (apart-near).Abs() > leeway {
		return
	}
	if v.votes == nil {
		v.votes = map[time.Duration]int{}
	}
	v.votes[near]++
	v.all++
}

func (v *zoneVotes) zone() zone {
	for ahead, n := range v.votes {
		if 2*n > v.all {
			return zone{ahead, "the Date headers in the column Etag|Date of hts-cache/new.txt, against its first column"}
		}
	}
	return zone{}
}

// zoneOfFile compares the time in the last row with when the file was written.
func zoneOfFile(last, written time.Time) zone {
	if last.IsZero() || written.IsZero() {
		return zone{}
	}
	apart := last.Sub(written.UTC())
	near := apart.Round(quarter)
	if near.Abs() > farZone || (apart-near).Abs() > leeway {
		return zone{}
	}
	return zone{near, "the time at which hts-cache/new.txt was written, against its last row"}
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
	return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute + time.Duration(t.Second())*time.Second, err
}
