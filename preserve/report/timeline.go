package report

import (
	"maps"
	"slices"
	"time"

	"quire/model"
)

// mostBars limits the bars of a timeline on a narrow page.
const mostBars = 60

// timeline counts containers by the days of their first and last capture. So bars for any period
// can be drawn at the end. The number of days is bounded by the calendar.
type timeline struct{ first, last map[time.Time]int64 }

func newTimeline() *timeline {
	return &timeline{map[time.Time]int64{}, map[time.Time]int64{}}
}

func (t *timeline) add(c *model.Container) {
	if c.First == nil || c.Last == nil || c.Last.Before(*c.First) {
		return
	}
	t.first[period(*c.First, "day")]++
	t.last[period(*c.Last, "day")]++
}

// bar is one period with the number of containers with captures around or in it.
type bar struct {
	Label string
	Count int64
	High  int64 // in the drawing
	Major bool  // its name is also shown on a narrow page
}

// webBegan is the year before the first web server: no web capture can be older.
var webBegan = time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC)

// ends returns the first and the last day to draw. It also returns the numbers of containers with
// captures dated before or after these days. One wrong date, such as 1970 or 2605, would otherwise
// force all other dates into one bar. So dates before the web, or after the report (unless made is
// zero), are counted and not drawn. If there are no other dates, they are drawn.
func (t *timeline) ends(made time.Time) (begin, end time.Time, before, behind int64) {
	days := slices.AppendSeq(slices.Collect(maps.Keys(t.first)), maps.Keys(t.last))
	slices.SortFunc(days, time.Time.Compare)
	late := func(day time.Time) bool { return !made.IsZero() && day.After(made) }
	drawn := slices.DeleteFunc(slices.Clone(days), func(day time.Time) bool {
		return day.Before(webBegan) || late(day)
	})
	if len(drawn) == 0 {
		return days[0], days[len(days)-1], 0, 0
	}
	for day, n := range t.first {
		if day.Before(webBegan) {
			before += n
		}
	}
	for day, n := range t.last {
		if late(day) {
			behind += n
		}
	}
	return drawn[0], drawn[len(drawn)-1], before, behind
}

// bars divides the time from begin to end into days, months, years, decades or centuries: the
// shortest unit that fits. Periods without captures get an empty bar: a gap in a harvest should be
// visible.
func (t *timeline) bars(begin, end time.Time) (unit string, bars []bar) {
	for _, unit = range []string{"day", "month", "year", "decade", "century"} {
		var starts []time.Time
		for at := period(begin, unit); !at.After(end) && len(starts) <= mostBars; at = after(at, unit) {
			starts = append(starts, at)
		}
		if len(starts) > mostBars && unit != "century" {
			continue
		}
		for _, at := range starts {
			bars = append(bars, bar{Label: label(at, unit), Count: t.overlapping(at, after(at, unit))})
		}
		break
	}
	return unit, bars
}

// overlapping counts the containers that began before the end of the period, and did not end before
// its beginning.
func (t *timeline) overlapping(begin, end time.Time) int64 {
	var n int64
	for day, count := range t.first {
		if day.Before(end) {
			n += count
		}
	}
	for day, count := range t.last {
		if day.Before(begin) {
			n -= count
		}
	}
	return n
}

// period returns the beginning of the day, month, … that contains at, in UTC.
func period(at time.Time, unit string) time.Time {
	at = at.UTC()
	year, month, day := at.Date()
	switch unit {
	case "day":
		return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	case "month":
		return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	case "decade":
		year -= year % 10
	case "century":
		year -= year % 100
	}
	return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
}

// after returns the beginning of the next period.
func after(at time.Time, unit string) time.Time {
	switch unit {
	case "day":
		return at.AddDate(0, 0, 1)
	case "month":
		return at.AddDate(0, 1, 0)
	case "year":
		return at.AddDate(1, 0, 0)
	case "decade":
		return at.AddDate(10, 0, 0)
	}
	return at.AddDate(100, 0, 0)
}

func label(at time.Time, unit string) string {
	switch unit {
	case "day":
		return at.Format("2006-01-02")
	case "month":
		return at.Format("2006-01")
	case "year":
		return at.Format("2006")
	}
	return at.Format("2006") + "s"
}
