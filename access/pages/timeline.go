package pages

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// bucket counts the captures of a period. The period has as many digits as its precision: 2015,
// 201503, 20150314.
type bucket struct {
	Period string
	tally
}

// The bars of a timeline.
const (
	barHeight = 110 // of the highest bar, in pixels
	mostBars  = 120 // above that number of years, only the newest with captures are shown
	barFloor  = 4   // minimum height of a part, to be visible
)

// bar is one period of a timeline.
type bar struct {
	Name  string // short, below the bar
	Full  string
	Words string // for screen readers and as a tooltip
	Short string // the count, abbreviated
	URL   string // "" if the bar is empty
	Here  bool
	Count int64
	High  int
	Parts []part
	Cells []int64 // of the table, in the order of the legend
}

// part is a piece of a bar, from the top.
type part struct {
	Kind      string
	Y, Height int
}

// periods returns the parts of a period: years of the whole, months of a year, days of a month,
// hours of a day, minutes of an hour. The years run from the first to the last capture, including
// empty ones.
func periods(period string, buckets []bucket) []string {
	var all []string
	count := func(from, to int) []string {
		for i := from; i <= to; i++ {
			all = append(all, period+pad(i))
		}
		return all
	}
	switch len(period) {
	case 4:
		return count(1, 12)
	case 6:
		t, err := time.Parse("200601", period)
		if err != nil {
			return nil
		}
		return count(1, t.AddDate(0, 1, -1).Day())
	case 8:
		return count(0, 23)
	case 10:
		return count(0, 59)
	}
	return years(buckets)
}

func pad(i int) string {
	if i < 10 {
		return "0" + strconv.Itoa(i)
	}
	return strconv.Itoa(i)
}

// years returns all years from the first to the last, if a page has room for them; otherwise only
// those with captures.
func years(buckets []bucket) (all []string) {
	for _, b := range buckets {
		all = append(all, b.Period)
	}
	slices.Sort(all)
	if len(all) == 0 {
		return nil
	}
	first, err1 := strconv.Atoi(all[0])
	last, err2 := strconv.Atoi(all[len(all)-1])
	if err1 == nil && err2 == nil && last-first < mostBars {
		all = all[:0]
		for y := first; y <= last; y++ {
			all = append(all, strings.Repeat("0", max(0, 4-len(strconv.Itoa(y))))+strconv.Itoa(y))
		}
		return all
	}
	return all[max(0, len(all)-mostBars):]
}

// bars returns the bars for the parts of a period.
func (s *site) bars(period string, buckets []bucket, legend []string, at func(period string) string) []bar {
	counts := map[string]tally{}
	var most int64 = 1
	for _, b := range buckets {
		counts[b.Period] = b.tally
		most = max(most, b.sum())
	}
	var bars []bar
	for _, p := range periods(period, buckets) {
		bars = append(bars, s.bar(p, counts[p], most, legend, at))
	}
	return bars
}

func (s *site) bar(period string, t tally, most int64, legend []string, at func(period string) string) bar {
	b := bar{Name: s.shortPeriod(period), Full: s.words.When(period), Count: t.sum()}
	if len(period) > 8 {
		b.Full = s.words.T("date.minute", s.words.When(period[:8]), b.Name)
	}
	var words []string
	for _, k := range legend {
		b.Cells = append(b.Cells, t[k])
		if t[k] > 0 {
			words = append(words, s.words.T("versions.part", s.words.Number(t[k]), s.words.T("kind."+k)))
		}
	}
	b.Words = s.words.N("versions.bar", b.Count, b.Full)
	if b.Count == 0 {
		return b
	}
	b.Words += ": " + s.words.List(words)
	b.URL, b.Short = at(period), s.words.Short(b.Count)
	// From the bottom upwards: the most useful kind first.
	for _, k := range legend {
		if t[k] > 0 {
			h := max(barFloor, int(t[k]*barHeight/most))
			b.Parts = append(b.Parts, part{Kind: k, Height: h})
			b.High += h
		}
	}
	y := b.High
	for i := range b.Parts {
		y -= b.Parts[i].Height
		b.Parts[i].Y = y
	}
	b.High++ // the line below the bar
	return b
}

// shortPeriod returns the name of a period below its bar.
func (s *site) shortPeriod(p string) string {
	switch len(p) {
	case 6:
		return s.words.T("month.short." + p[4:])
	case 8:
		return strings.TrimPrefix(p[6:], "0")
	case 10:
		return p[8:] + ":00"
	case 12:
		return p[8:10] + ":" + p[10:]
	}
	return p
}
