package pages

import (
	"strconv"
	"time"
)

// month is one month of a calendar: rows of seven days, Monday first (ISO 8601).
type month struct {
	Name, URL string
	Weeks     [][]day
}

// day is a day of a month; days outside the month have no Day.
type day struct {
	Day   int
	URL   string
	Words string
	Short string
	Class string
}

// weekday is a column of a calendar.
type weekday struct{ Short, Full string }

func (s *site) weekdays() []weekday {
	all := make([]weekday, 7)
	for i := range all {
		n := strconv.Itoa(i + 1)
		all[i] = weekday{Short: s.words.T("weekday.short." + n), Full: s.words.T("weekday." + n)}
	}
	return all
}

// calendar returns the months of a year, or one month.
func (s *site) calendar(period string, days []bucket, at func(period string) string) []month {
	first, err := time.Parse("2006", period[:4])
	n := 12
	if len(period) == 6 {
		first, err = time.Parse("200601", period)
		n = 1
	}
	if err != nil {
		return nil
	}
	counts := map[string]tally{}
	months := map[string]bool{}
	for _, d := range days {
		counts[d.Period] = d.tally
		months[d.Period[:6]] = true
	}
	var all []month
	for i := range n {
		m := s.month(first.AddDate(0, i, 0), counts, at)
		if p := first.AddDate(0, i, 0).Format("200601"); n > 1 && months[p] {
			m.URL = at(p)
		}
		all = append(all, m)
	}
	return all
}

func (s *site) month(first time.Time, counts map[string]tally, at func(period string) string) month {
	m := month{Name: s.words.When(first.Format("200601"))}
	week := make([]day, (int(first.Weekday())+6)%7, 7)
	for d := first; d.Month() == first.Month(); d = d.AddDate(0, 0, 1) {
		if len(week) == 7 {
			m.Weeks, week = append(m.Weeks, week), make([]day, 0, 7)
		}
		week = append(week, s.day(d, counts[d.Format("20060102")], at))
	}
	for len(week) < 7 {
		week = append(week, day{})
	}
	m.Weeks = append(m.Weeks, week)
	return m
}

func (s *site) day(t time.Time, n tally, at func(period string) string) day {
	d := day{Day: t.Day()}
	count := n.sum()
	if count == 0 {
		return d
	}
	b := s.bar(t.Format("20060102"), n, count, n.present(), at)
	d.URL, d.Words, d.Short = b.URL, b.Words, s.words.T("versions.times", b.Short)
	switch {
	case n[locked] == count:
		d.Class = "only-locked"
	case n[good]+n[same]+n[other] == 0:
		d.Class = "no-page"
	}
	return d
}
