// Package zone derives the time zone of a crawler's log, which has none. It weighs all evidence:
// pairs of a time in the log and a UTC time of the same moment, from sources of different strength.
// If the sources disagree, or are too weak, the zone has a leeway, and a doubt that states why. It
// never chooses silently.
package zone

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Zone is the time by which the crawler's clock is ahead of UTC, as far as the evidence reaches.
type Zone struct {
	Ahead time.Duration // the best estimate
	Days  int           // from the dates in the log to the real dates, if the log has no dates
	// Leeway is the possible error of Ahead, either way; 0 means that the zone is known.
	Leeway time.Duration
	Why    string // the evidence; "" when there is none at all
	// Doubt states why the zone is not known, although there is evidence: it is weak, or disagrees.
	Doubt    string
	Disagree bool // the sources name different zones
}

// Known reports whether the evidence is strong enough, and agrees.
func (z Zone) Known() bool { return z.Why != "" && z.Leeway == 0 }

// UTC converts a time of the log, labelled UTC.
func (z Zone) UTC(local time.Time) time.Time { return local.AddDate(0, 0, z.Days).Add(-z.Ahead) }

// The limits of zones.
const (
	quarter = 15 * time.Minute // zones differ by multiples of this
	leeway  = time.Minute      // between a server's clock and the crawler's
	east    = 14 * time.Hour   // the most distant zones
	west    = -12 * time.Hour
)

// Enough is the weight of evidence that makes a zone known. Evidence with less weight than
// Disputes is too little to dispute other evidence: it can be a coincidence.
const (
	Enough   = 3
	Disputes = 2
)

// Evidence is the pairs of one kind of source.
type Evidence struct {
	Kind   string // "the Date headers in the log, against its times"
	Weight int    // of each pair; Enough if a pair cannot agree by chance; 0 means 1
	// The second time of a pair may be earlier or later than the moment in the log by this much; 0
	// means a minute. The clock of a server may be wrong by more than the files of one machine.
	Before, After time.Duration
	Undated       bool // the log has times of day only: its days are in year 1

	pairs map[int64]bool // UTC seconds
	votes map[offset]int
	all   int
}

// offset is a possible zone, with the days from the dates in the log to the real ones.
type offset struct {
	days  int
	ahead time.Duration
}

// Add adds a pair: a time in the log, labelled UTC, and the UTC time from another source. The two
// may belong to different moments, as the mtime of a file can be a server's Last-Modified. So a
// pair counts only if its difference is that of an existing zone. Pairs with the same UTC time
// count once: many files can have one time for a reason of their own.
func (e *Evidence) Add(local, utc time.Time) {
	if local.IsZero() || utc.IsZero() || e.pairs[utc.Unix()] {
		return
	}
	found := e.offsets(local, utc.UTC())
	if len(found) == 0 {
		return
	}
	if e.votes == nil {
		e.votes, e.pairs = map[offset]int{}, map[int64]bool{}
	}
	e.pairs[utc.Unix()] = true
	e.all++
	for _, o := range found {
		e.votes[o]++
	}
}

// offsets returns the zones that a pair can mean: one, or none. Without days in the log, the
// zones at the date line can be meant both.
func (e *Evidence) offsets(local, utc time.Time) (found []offset) {
	shift := 0
	if e.Undated {
		shift = day(utc) - day(local)
	}
	for days := shift - 1; days <= shift+1; days++ {
		if !e.Undated && days != 0 {
			continue
		}
		d := local.AddDate(0, 0, days).Sub(utc)
		near := d.Round(quarter)
		late := near - d // of the second time
		if late <= cmp.Or(e.After, leeway) && -late <= cmp.Or(e.Before, leeway) && Exists(near, utc) {
			found = append(found, offset{days, near})
		}
	}
	return found
}

// day returns the number of a day.
func day(t time.Time) int { return int(t.Truncate(24*time.Hour).Unix() / (24 * 60 * 60)) }

// majority returns the zone of most pairs, and its weight.
func (e *Evidence) majority() (o offset, weight int, ok bool) {
	var leading []offset
	for one, n := range e.votes {
		if 2*n > e.all {
			leading, weight = append(leading, one), min(n*max(e.Weight, 1), Enough)
		}
	}
	if len(leading) != 1 {
		return offset{}, 0, false
	}
	return leading[0], weight, true
}

// Weigh concludes a zone from all evidence. It is known if the sources for it have enough weight,
// and no source disputes it. Otherwise the leeway covers the zones that the sources name, or, if
// none has enough weight, all zones.
func Weigh(all ...*Evidence) Zone {
	weights, kinds := map[offset]int{}, map[offset][]string{}
	for _, e := range all {
		if o, weight, ok := e.majority(); ok {
			weights[o] += weight
			kinds[o] = append(kinds[o], e.Kind)
		}
	}
	if len(weights) == 0 {
		return Zone{}
	}
	found := slices.SortedFunc(maps.Keys(weights), func(a, b offset) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a.days, b.days), cmp.Compare(a.ahead, b.ahead))
	})
	best := found[0]
	z := Zone{Ahead: best.ahead, Days: best.days, Why: strings.Join(kinds[best], ", and ")}
	says := []string{fmt.Sprintf("%s: %s", z.Why, best)}
	for _, o := range found[1:] {
		if weights[o] >= Disputes {
			z.Leeway, z.Disagree = max(z.Leeway, o.from(best)), true
			says = append(says, fmt.Sprintf("%s: %s", strings.Join(kinds[o], ", and "), o))
		}
	}
	if z.Disagree {
		z.Doubt = "the sources disagree: " + strings.Join(says, "; ")
	}
	if weights[best] < Enough {
		z.Leeway = max(z.Leeway, best.ahead-west, east-best.ahead)
		z.Doubt = cmp.Or(z.Doubt, "this alone is weak evidence: "+says[0])
	}
	return z
}

// from returns the difference between two offsets.
func (o offset) from(other offset) time.Duration {
	return (time.Duration(o.days-other.days)*24*time.Hour - (o.ahead - other.ahead)).Abs()
}

// String returns the offset as ISO 8601 writes it: "+05:30".
func (o offset) String() string { return Format(o.ahead) }

// Format writes an offset from UTC as ISO 8601 does: "+05:30".
func Format(ahead time.Duration) string {
	return time.Time{}.In(time.FixedZone("", int(ahead/time.Second))).Format("-07:00")
}

// Between compares two times of one moment: one on the crawler's clock, labelled UTC, and one in a
// known zone. It serves sources in which both times are of one event.
func Between(local, utc time.Time, why string) Zone {
	e := Evidence{Kind: why, Weight: Enough}
	e.Add(local, utc)
	return Weigh(&e)
}
