// Package zone derives the time zone of a crawler with a log without zones. It compares times of
// the same moment, from the log and from other sources.
package zone

import "time"

// Zone is the time by which the crawler's clock is ahead of UTC.
type Zone struct {
	Ahead time.Duration
	Why   string // "" when unknown
}

const (
	quarter = 15 * time.Minute // zones differ by multiples of this
	leeway  = time.Minute      // between a server's clock and the crawler's
	east    = 14 * time.Hour   // the most distant zones
	west    = -12 * time.Hour
)

// apart returns the zone offset between a local time and a UTC time of one moment, and whether a
// zone with this offset exists.
func apart(local, utc time.Time) (time.Duration, bool) {
	if local.IsZero() || utc.IsZero() {
		return 0, false
	}
	d := local.Sub(utc.UTC())
	near := d.Round(quarter)
	return near, west <= near && near <= east && (d-near).Abs() <= leeway
}

// Between compares two times of one moment: one on the crawler's clock, labelled UTC, and one in a
// known zone.
func Between(local, utc time.Time, why string) Zone {
	if near, ok := apart(local, utc); ok {
		return Zone{near, why}
	}
	return Zone{}
}

// Votes derives a zone from many pairs of a local time and a UTC time. The two times of a pair may
// belong to different moments. So it ignores a pair unless the difference is close to a multiple of
// 15 minutes, and it accepts a zone only if most pairs agree.
type Votes struct {
	Least int // votes needed for a zone; 0 means one
	votes map[time.Duration]int
	all   int
}

// Add adds the vote of a pair.
func (v *Votes) Add(local, utc time.Time) {
	near, ok := apart(local, utc)
	if !ok {
		return
	}
	if v.votes == nil {
		v.votes = map[time.Duration]int{}
	}
	v.votes[near]++
	v.all++
}

// Zone returns the zone of the majority.
func (v *Votes) Zone(why string) Zone {
	for ahead, n := range v.votes {
		if 2*n > v.all && n >= v.Least {
			return Zone{ahead, why}
		}
	}
	return Zone{}
}
