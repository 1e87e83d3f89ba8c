package search

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// period is a range of timestamps, both ends included, as numbers of 14 digits. The zero value has no
// timestamp in it.
type period struct{ from, to int64 }

// endOfDates is the latest timestamp.
const endOfDates = 9999_12_31_23_59_59

// periodOf reads a date or a range as readers write it: 2015, 2015-03, 2015-03-01, 2015-03-01..2015-04-15, 2015..
// or ..2015-03. ok is false if it is none; the period is then empty.
func periodOf(value string) (p period, ok bool) {
	first, last, isRange := strings.Cut(value, "..")
	if !isRange {
		first, last, isRange = strings.Cut(value, "/") // as ISO 8601 writes it
	}
	first, last = strings.TrimSpace(first), strings.TrimSpace(last)
	p = period{1, endOfDates}
	if !isRange {
		last = first
	}
	if first == "" && last == "" {
		return period{}, false
	}
	if first != "" {
		at, ok := dayOf(first)
		if !ok {
			return period{}, false
		}
		p.from = at.from
	}
	if last != "" {
		at, ok := dayOf(last)
		if !ok {
			return period{}, false
		}
		p.to = at.to
	}
	if p.to < p.from {
		return period{}, false
	}
	return p, true
}

// dayOf reads a year, month or day, with hyphens or without. A day that a month does not have is taken as it is:
// no timestamp has it.
func dayOf(s string) (period, bool) {
	const year, month, day = 4, 6, 8
	if parts := strings.Split(s, "-"); len(parts) > 1 {
		for i, part := range parts[1:] {
			if len(part) == 1 {
				parts[i+1] = "0" + part
			}
			if len(parts[i+1]) != 2 {
				return period{}, false
			}
		}
		if len(parts[0]) != year || len(parts) > 3 {
			return period{}, false
		}
		s = strings.Join(parts, "")
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 1 || s[0] == '+' {
		return period{}, false
	}
	switch len(s) {
	case year:
		return period{n*1e10 + 1_01_00_00_00, n*1e10 + 12_31_23_59_59}, true
	case month:
		if m := n % 100; m < 1 || m > 12 {
			return period{}, false
		}
		return period{n*1e8 + 1_00_00_00, n*1e8 + 31_23_59_59}, true
	case day:
		if m, d := n/100%100, n%100; m < 1 || m > 12 || d < 1 || d > 31 {
			return period{}, false
		}
		return period{n * 1e6, n*1e6 + 23_59_59}, true
	}
	return period{}, false
}

// within reports whether a timestamp is in one of some periods.
func within(at int64, all []period) bool {
	return slices.ContainsFunc(all, func(p period) bool { return p.from <= at && at <= p.to })
}

// bound reads from:2015-03 or to:2015-04 in a query. It returns false if that is no date: then it is text.
func (q *question) bound(w word) bool {
	if _, ok := dayOf(w.text); !ok || w.not {
		return false
	}
	if w.field == "from" || w.field == "since" {
		q.from = w.text
	} else {
		q.to = w.text
	}
	return true
}

// addBounds adds the filter of the bounds of a query.
func (q *question) addBounds() {
	if q.from == "" && q.to == "" {
		return
	}
	value := q.from + ".." + q.to
	if _, ok := periodOf(value); !ok {
		q.note("“from:" + q.from + " to:" + q.to + "” ends before it begins, and was ignored")
		return
	}
	q.filters = append(q.filters, Filter{Field: Date, Value: value})
}

// Days returns the first and the last day of a date filter, as 2015-03-01; "" for an open end. Both are days that their
// month has: a date field of a form refuses others.
func Days(value string) (first, last string) {
	p, ok := periodOf(value)
	if !ok {
		return "", ""
	}
	text := func(at int64) string {
		const second, year, month = 1e6, 1e4, 100
		y, m, d := int(at/second/year), time.Month(at/second/month%100), int(at/second%100)
		end := time.Date(y, m+1, 0, 0, 0, 0, 0, time.UTC).Day() // the day before the first of the next month
		return fmt.Sprintf("%04d-%02d-%02d", y, m, min(d, end))
	}
	if p.from > 1 {
		first = text(p.from)
	}
	if p.to < endOfDates {
		last = text(p.to)
	}
	return first, last
}
