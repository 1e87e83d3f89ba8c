package pages

import (
	"net/url"
	"strconv"

	"quire/holdings"
)

// yearColumn is a year of the map of years on the first page: the websites by the month of their first
// capture.
type yearColumn struct {
	Name, URL    string // URL is "" if the year has no website
	Words, Short string
	Count        int64
	Months       []monthCell
}

// monthCell is a month of a year, from the top.
type monthCell struct{ Level, Y int }

// The map, in pixels, and the number of shades for months with websites.
const (
	monthStep  = 11
	monthShade = 4
)

// yearMap returns the years with a first capture, and those between them. It counts packages that are
// not hidden from the reader, as the list of websites does; it counts no captures, because these can be
// closed.
func (s *site) yearMap(all *holdings.Overview) (columns []yearColumn) {
	var buckets []bucket
	counts := map[string]int64{}
	var most int64 = 1
	for month, n := range all.Months {
		year := month[:4]
		if counts[year] == 0 {
			buckets = append(buckets, bucket{Period: year})
		}
		counts[year] += n
		most = max(most, n)
	}
	for _, year := range years(buckets) {
		c := yearColumn{Name: year, Count: counts[year]}
		for i := range 12 {
			cell := monthCell{Y: i * monthStep}
			if n := all.Months[year+pad(i+1)]; n > 0 {
				cell.Level = 1 + int((n-1)*monthShade/most)
			}
			c.Months = append(c.Months, cell)
		}
		c.Words = s.words.N("front.map.year", c.Count, year)
		if c.Count > 0 {
			c.Short, c.URL = s.words.Number(c.Count), s.sitesOf(year)
		}
		columns = append(columns, c)
	}
	return columns
}

// sitesOf returns the address of the websites that were first captured in a year; "" means all.
func (s *site) sitesOf(year string) string {
	at := string(s.ui) + "/site/"
	if year == "" {
		return at
	}
	return at + "?" + url.Values{"year": {year}}.Encode()
}

// askedYear reads the year of a list of websites; "" if there is none.
func askedYear(arguments string) string {
	v, _ := url.ParseQuery(arguments) // unreadable parts are not from our pages
	if y := yearOf(v.Get("year")); y > 0 && len(v.Get("year")) == 4 {
		return v.Get("year")
	}
	return ""
}

// firstIn returns the packages with their first capture in a year; "" means all.
func firstIn(all []listed, year string) (some []listed) {
	if year == "" {
		return all
	}
	y, err := strconv.Atoi(year)
	for i := range all {
		if err == nil && !all[i].first.IsZero() && all[i].first.Year() == y {
			some = append(some, all[i])
		}
	}
	return some
}
