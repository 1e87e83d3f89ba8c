package crawllog

import (
	"slices"
	"time"

	"quire/model"
)

// Clock finds out by how much the times at the beginning of the lines are off. Heritrix wrote local
// time there, with a Z behind it, until about 2007; when a fetch began, in column 9, always was
// UTC. A line is written when the fetch is over, so that the two lie apart by the fetch's duration
// and little more. The offset is judged by day, since summer time begins within a crawl.
type Clock struct {
	days map[string]*sample
}

// sample is the differences of a day, or every so many of them.
type sample struct {
	seen  int64
	every int64
	apart []time.Duration
}

// maxSample bounds what is kept of a day. When it is full, every second difference goes, and half
// as many come.
const maxSample = 1024

// Add takes a line into account.
func (c *Clock) Add(f *model.Fetch) {
	if f.Time.IsZero() {
		return
	}
	if c.days == nil {
		c.days = map[string]*sample{}
	}
	day := f.Time.Format(time.DateOnly)
	s := c.days[day]
	if s == nil {
		s = &sample{every: 1}
		c.days[day] = s
	}
	if s.seen++; s.seen%s.every != 0 {
		return
	}
	s.apart = append(s.apart, f.Logged.Sub(f.Time.Add(f.Duration)))
	if len(s.apart) == maxSample {
		for i := range maxSample / 2 {
			s.apart[i] = s.apart[2*i]
		}
		s.apart, s.every = s.apart[:maxSample/2], 2*s.every
	}
}

// Zones lie a quarter of an hour apart. A crawler that is slow to write its log is late by any time
// at all.
const (
	quarter = 15 * time.Minute
	leeway  = time.Minute
)

// Offset is by how much the times of the lines of that day are ahead of UTC: 0 when they tell the
// truth, or when nothing is known. day is that of the fetch, in UTC.
func (c *Clock) Offset(day time.Time) time.Duration {
	s := c.days[day.UTC().Format(time.DateOnly)]
	if s == nil {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s.apart))
	median := sorted[len(sorted)/2]
	zone := median.Round(quarter)
	if zone == 0 || (median-zone).Abs() > leeway {
		return 0
	}
	return zone
}
