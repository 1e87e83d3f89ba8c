package search

import (
	"fmt"
	"testing"
)

func TestPeriods(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ value, want string }{
		{"2015", "20150101000000 20151231235959"}, {"2015-03", "20150301000000 20150331235959"},
		{"2015-3-1", "20150301000000 20150301235959"}, {"20150301", "20150301000000 20150301235959"},
		{"2015-03-01..2015-04-15", "20150301000000 20150415235959"},
		{"2015-03-01/2015-04", "20150301000000 20150431235959"},
		{"2015..", "20150101000000 99991231235959"}, {"..2015-03", "1 20150331235959"},
		{"", ""}, {"..", ""}, {"x", ""}, {"2015-13", ""}, {"2015-00-01", ""}, {"2015-01-32", ""},
		{"201", ""}, {"2016..2015", ""},
		{"2015-03-01-02", ""}, {"2015-003", ""}, {"-2015", ""}, {"+015", ""}, {"20150301000000", ""}, {"201503-01", ""},
	} {
		p, ok := periodOf(c.value)
		got := ""
		if ok {
			got = fmt.Sprint(p.from, " ", p.to)
		}
		if got != c.want || ok == (p == period{}) {
			t.Errorf("%q: %q, not %q", c.value, got, c.want)
		}
	}
}

// TestDays: the last day of a month is one that it has.
func TestDays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ value, first, last string }{
		{"2015-02", "2015-02-01", "2015-02-28"}, {"2016-02", "2016-02-01", "2016-02-29"},
		{"1900-02", "1900-02-01", "1900-02-28"}, {"2015-04", "2015-04-01", "2015-04-30"},
		{"2015-12", "2015-12-01", "2015-12-31"}, {"2015-02-31..", "2015-02-28", ""}, {"..2015-06-31", "", "2015-06-30"},
		{"2015-03-09", "2015-03-09", "2015-03-09"}, {"2015", "2015-01-01", "2015-12-31"}, {"x", "", ""},
		{"0001", "0001-01-01", "0001-12-31"},
	} {
		if first, last := Days(c.value); first != c.first || last != c.last {
			t.Errorf("%s: %s to %s, not %s to %s", c.value, first, last, c.first, c.last)
		}
	}
}

// tugs has a page of three versions, another page, and two PDFs that cannot be read.
func tugs() *house {
	h := newHouse()
	for i, at := range []string{"20150228235959", "20150301000000", "20150415235959"} {
		h.add(item{pkg: "p", at: at, url: "http://a.example/", mime: "text/plain", body: fmt.Sprint("Tug number ", i)})
	}
	return h.and(item{pkg: "p", at: "20150416000000", url: "http://a.example/tug", mime: "text/plain", body: "A tug."},
		item{pkg: "p", at: "20150310000000", url: "http://a.example/tug.pdf", mime: "application/pdf", body: "%PDF-1"},
		item{pkg: "p", at: "20160310000000", url: "http://a.example/b/tug.pdf", mime: "application/pdf",
			body: "%PDF-2"})
}

func (h *house) and(items ...item) *house {
	h.add(items...)
	return h
}

// TestDates: a range has its first and its last second. Several ranges are alternatives; from and to are one.
func TestDates(t *testing.T) {
	s := openEngine(t, tugs())
	for _, c := range []struct {
		query string
		total int
	}{
		{"tug date:2015-03-01..2015-04-15", 3}, {"tug date:2015-03", 2}, {"tug from:2015-03-01 to:2015-04-15", 3},
		{"tug since:2015-04-16", 2}, {"tug until:2015-02", 1}, {"tug date:2016 date:2015-02", 2},
		{"tug -date:2015-03", 4},
		{"tug date:2015-03 year:2016", 0}, {"tug date:2015-02-28", 1}, {"tug from:alice", 0}, {"tug date:x", 6},
		{"tug from:2016 to:2015", 6}, {"tug -from:2016", 6},
	} {
		r := ask(t, s, public, Query{Text: c.query, Level: Bytestreams})
		if r.Total != c.total {
			t.Errorf("%s: %d hits, not %d (%v)", c.query, r.Total, c.total, r.Notes)
		}
	}
	r := ask(t, s, public, Query{Text: "tug", Level: Bytestreams, Filters: []Filter{{Field: Date, Value: "never"}}})
	if r.Total != 0 {
		t.Errorf("an unreadable date finds %d", r.Total)
	}
}

// TestLevelsAgree: at each level, the count of the other one is its number of hits. A search for files alone is at
// the level of bytestreams.
func TestLevelsAgree(t *testing.T) {
	s := openEngine(t, tugs())
	for _, c := range []struct {
		query             string
		pages, bytestream int
		level             Level
	}{
		{"tug", 2, 6, Pages}, {"tug number", 1, 3, Pages}, {"tug date:2016", 0, 1, Pages}, {"nothing", 0, 0, Pages},
		{"tug type:pdf", 0, 2, Bytestreams}, {"type:pdf", 0, 2, Bytestreams}, {"tug type:text", 2, 4, Pages},
		{"tug -type:pdf", 2, 4, Pages}, {"tug type:pdf type:text", 2, 6, Pages},
	} {
		for _, level := range []Level{Pages, Bytestreams} {
			r := ask(t, s, public, Query{Text: c.query, Level: level})
			pages, files := r.Total, r.Elsewhere
			if r.Level == Bytestreams {
				pages, files = files, pages
			}
			if level == Bytestreams && r.Level != level || level == Pages && r.Level != c.level {
				t.Errorf("%s at %s: level %s", c.query, level, r.Level)
			}
			if pages != c.pages || files != c.bytestream {
				t.Errorf("%s at %s: %d pages, %d bytestreams; not %d, %d", c.query, level, pages, files, c.pages,
					c.bytestream)
			}
		}
	}
}
