package pages

import (
	"context"
	"time"

	"quire/holdings"
	"quire/holdings/captures"
)

// histogram is the small histogram of the banner: the captures of a URL by year, as a drawing of our
// server.
type histogram struct {
	Bars          []yearBar
	Width, Height int // of the drawing, in its own units
	First, Last   string
	Calendar      link // of the year of the shown capture
}

// yearBar is one year of the drawing.
type yearBar struct {
	Words, URL   string
	X, Y, Height int
	Here         bool // the shown capture is of this year
}

// Sizes of the drawing, in its own units.
const (
	yearStep   = 10
	yearHeight = 40
)

// yearsWait bounds the time that the banner waits for the counts of its drawing. A hundred thousand
// captures take some milliseconds; without the counts the banner has no drawing.
const yearsWait = 250 * time.Millisecond

// yearsOf counts the captures of a URL by year. It returns nil if that takes too long or fails: the
// banner must not wait for a drawing.
func (s *site) yearsOf(q *request, query captures.Query, c *holdings.Judged) *histogram {
	ctx, cancel := context.WithTimeout(q.Context(), yearsWait)
	defer cancel()
	soon := *q
	soon.Request = q.WithContext(ctx)
	buckets, err := s.counts(&soon, query, 4)
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
	y.Width = max(6, len(y.Bars)) * yearStep
	y.First, y.Last = s.words.When(buckets[0].Period), s.words.When(buckets[len(buckets)-1].Period)
	return y
}
