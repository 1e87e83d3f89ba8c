// Package zone concludes the time zone of a crawler whose log has none: from times that the log and
// others give of one moment.
package zone

import "time"

// Zone is by how much the crawler's clock is ahead of UTC.
type Zone struct {
	Ahead time.Duration
	Why   string // "" when unknown
}

const (
	quarter = 15 * time.Minute // zones lie so far apart
	leeway  = time.Minute      // between a server's clock and the crawler's
	east    = 14 * time.Hour   // the farthest zones there are
	west    = -12 * time.Hour
)

// apart gives how far a zone would have to be ahead for both to be one moment, and whether there is
// such a zone.
func apart(local, utc time.Time) (time.Duration, bool) {
	if local.IsZero() || utc.IsZero() {
		return 0, false
	}
	d := local.Sub(utc.UTC())
	near := d.Round(quarter)
	return near, west <= near && near <= east && (d-near).Abs() <= leeway
}

// Between compares two times of one moment: one on the crawler's clock, labelled UTC, one of which
// the zone is known.
func Between(local, utc time.Time, why string) Zone {
	if near, ok := apart(local, utc); ok {
		return Zone{near, why}
	}
	return Zone{}
}

// Votes counts what many pairs say, of which some may not be of one moment: only what is near a
// quarter of an hour counts, and only a majority decides.
type Votes struct {
	Least int // votes that a zone needs; 0 is one
	votes map[time.Duration]int
	all   int
}

// Add takes a pair into account.
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

// Zone is what the majority says.
func (v *Votes) Zone(why string) Zone {
	for ahead, n := range v.votes {
		if 2*n > v.all && n >= v.Least {
			return Zone{ahead, why}
		}
	}
	return Zone{}
}
