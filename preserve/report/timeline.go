package report

import (
	"maps"
	"slices"
	"time"

	"quire/model"
)

// mostBars is how many bars a timeline has room for on a narrow page.
const mostBars = 60

// timeline counts containers by the days of their first and last capture, so that bars of any length of time can be drawn
// when the last container has come. There are no more days than the calendar has.
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

// bar is one period and the number of containers with captures around or in it.
type bar struct {
	Label string
	Count int64
	High  int64 // in the drawing
	Major bool  // its name is shown on a narrow page, too
}

// bars cuts the time between the first and the last capture into days, months, years, decades or centuries, whichever are
// short enough and still fit. Periods without captures have a bar of no height: a gap in a harvest is worth seeing.
func (t *timeline) bars() (unit string, bars []bar) {
	if len(t.first) == 0 {
		return "", nil
	}
	begin := slices.MinFunc(slices.Collect(maps.Keys(t.first)), time.Time.Compare)
	end := slices.MaxFunc(slices.Collect(maps.Keys(t.last)), time.Time.Compare)
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

// overlapping counts the containers that began before the period ended, and did not end before it began.
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

// period gives the beginning of the day, month, … that holds at, in UTC.
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

// after gives the beginning of the next period.
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
