package crawllog

import (
	"slices"
	"time"

	"quire/model"
)

// Clock finds the error of the times at the beginning of the lines. Until about 2007, Heritrix
// wrote local time there, with a Z after it. The start of a fetch, in column 9, always was UTC.
// Heritrix writes a line at the end of the fetch, so the two differ by little more than the fetch's
// duration. The offset is computed per day, because summer time can begin within a crawl.
type Clock struct {
	days map[string]*sample
}

// sample has the time differences of a day, or one of every few.
type sample struct {
	seen  int64
	every int64
	apart []time.Duration
}

// maxSample bounds the differences kept for a day. When it is full, every second one is dropped,
// and only half as many are added from then on.
const maxSample = 1024

// Add adds a line to the samples.
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

// Time zones are multiples of a quarter of an hour. A slow crawler can write its log with any
// delay.
const (
	quarter = 15 * time.Minute
	leeway  = time.Minute
)

// Offset returns the time by which the log times of a day are ahead of UTC. It returns 0 if they
// are correct or if the offset is unknown. day is the day of the fetch, in UTC.
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
