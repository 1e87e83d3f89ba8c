package pages

import (
	"context"
	"strings"
	"sync"
	"time"

	"quire/holdings"
	"quire/holdings/captures"
)

// histogram is the small histogram of the banner: the captures of a URL by year, as a drawing of our
// server.
type histogram struct {
	Bars          []yearBar
	Width, Height int // of the drawing, in its own units
	Few           int // number of years, if they do not fill the drawing
	First, Last   string
	Calendar      link // of the year of the shown capture
}

// yearBar is one year of the drawing.
type yearBar struct {
	Words, URL   string
	X, Y, Height int
	Here         bool // the shown capture is of this year
}

// Sizes of the drawing, in its own units; and the number of years that fill it.
const (
	yearStep   = 10
	yearHeight = 40
	manyYears  = 6
)

// yearsWait bounds the time that the banner waits for the counts of its drawing. A hundred thousand
// captures take some milliseconds; without the counts the banner has no drawing.
const yearsWait = 250 * time.Millisecond

// yearsOf counts the captures of a URL by year. It returns nil if that takes too long or fails: the
// banner must not wait for a drawing.
func (s *site) yearsOf(q *request, query captures.Query, c *holdings.Judged) *histogram {
	buckets, err := s.countedYears(q, query)
	if err != nil || len(buckets) == 0 {
		return nil
	}
	at := func(period string) string { return s.ui.VersionsIn(q.place.In.Collection, period, c.URL) }
	year := c.Timestamp[:4]
	y := &histogram{Height: yearHeight, Calendar: link{s.words.T("banner.calendar", s.words.When(year)), at(year)}}
	counts, most := map[string]int64{}, int64(1)
	for _, b := range buckets {
		counts[b.Period] = b.sum()
		most = max(most, b.sum())
	}
	for i, period := range periods("", buckets) {
		bar := yearBar{X: i * yearStep, Here: period == year}
		if n := counts[period]; n > 0 {
			bar.Height = max(barFloor, int(n*yearHeight/most))
			bar.Words, bar.URL = s.words.N("versions.bar", n, s.words.When(period)), at(period)
		}
		bar.Y = yearHeight - bar.Height
		y.Bars = append(y.Bars, bar)
	}
	y.Width = len(y.Bars) * yearStep
	if len(y.Bars) < manyYears {
		y.Few = len(y.Bars)
	}
	y.First = s.words.When(buckets[0].Period)
	if last := s.words.When(buckets[len(buckets)-1].Period); last != y.First {
		y.Last = last
	}
	return y
}

// yearCounts keeps the counts of URLs with many captures, by collection, URL and class of readers.
// A reader goes from capture to capture of one URL, so the same counts are needed again.
type yearCounts struct {
	mu    sync.Mutex
	known map[string]countsAt
}

// countsAt are counts, and the state of the holdings in which they were made.
type countsAt struct {
	stamp   any
	buckets []bucket
}

// keptFrom is the duration of counting from which counts are kept: a variable for tests.
var keptFrom = 10 * time.Millisecond

// mostKept limits the number of kept counts.
const mostKept = 200

// countedYears counts the captures of a query by year. Counts are kept only as long as no decision
// on access can have changed (holdings.Stamp).
func (s *site) countedYears(q *request, query captures.Query) ([]bucket, error) {
	ctx, cancel := context.WithTimeout(q.Context(), yearsWait)
	defer cancel()
	stamp, err := s.h.Stamp(ctx)
	if err != nil {
		return nil, err
	}
	key := strings.Join([]string{string(q.who.Class), q.place.In.Collection, query.URL}, " ")
	if q.who.Packages == nil {
		s.keptYears.mu.Lock()
		kept, ok := s.keptYears.known[key]
		s.keptYears.mu.Unlock()
		if ok && kept.stamp == stamp {
			return kept.buckets, nil
		}
	}
	soon, begun := *q, time.Now()
	soon.Request = q.WithContext(ctx)
	buckets, err := s.counts(&soon, query, 4)
	if err == nil && q.who.Packages == nil && time.Since(begun) > keptFrom {
		s.keptYears.mu.Lock()
		defer s.keptYears.mu.Unlock()
		if s.keptYears.known == nil || len(s.keptYears.known) >= mostKept {
			s.keptYears.known = map[string]countsAt{}
		}
		s.keptYears.known[key] = countsAt{stamp, buckets}
	}
	return buckets, err
}
