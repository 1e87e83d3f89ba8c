package search

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// What matches more documents than are weighed is counted in full; those with the words in their titles come first, however deep they lie,
// but for those that are not wanted, whose reason stands in their text alone.
func TestFrequent(t *testing.T) {
	const more = candidates + 30
	h := newHouse()
	for i := range more {
		h.add(item{pkg: "p", at: "20150101000000", url: fmt.Sprintf("http://a.example/%d", i), mime: "text/plain", body: fmt.Sprintf("Number %d of the steam tug.", i)})
	}
	deep := "http://a.example/b/c/d/e/"
	h.add(item{pkg: "p", at: "20150101000000", url: deep + "f", mime: "text/html", body: page("The steam tug", "A page on the steam tug of the harbour, as there are many of them.")},
		item{pkg: "p", at: "20150101000000", url: deep + "g", mime: "text/html", body: page("The steam tug", "A page on the steam tug of the museum, as there are many of them.")})
	s := open(t, h)
	for _, c := range []struct {
		query, first string
		total        int
	}{
		{`tug -museum`, deep + "f", more + 1},
		{`"steam tug" -museum`, deep + "f", more + 1},
		{`steam tug -harbour`, deep + "g", more + 1},
		{`"steam tug"`, deep + "f", more + 2},
		{`"tug steam"`, "", 0},
	} {
		r := ask(t, s, public, Query{Text: c.query, Limit: 1})
		if r.Total != c.total || urls(r) != c.first {
			t.Errorf("%s: %d hits, %s first; not %d, %s", c.query, r.Total, urls(r), c.total, c.first)
		}
	}
	halves(t, s)
}

// halves finds the same in two ranges of numbers as in one, wherever they meet.
func halves(t *testing.T, s *Search) {
	t.Helper()
	all, err := s.numbersIn(t.Context(), s.table, "tug", 0, math.MaxInt64)
	if err != nil || !slices.IsSorted(all) {
		t.Fatal(len(all), err)
	}
	for _, at := range []int{0, 1, len(s.table.documents) / 2, len(s.table.documents) - 1} {
		middle := s.table.documents[at].id
		first, err := s.numbersIn(t.Context(), s.table, "tug", 0, middle-1)
		if err != nil {
			t.Fatal(err)
		}
		second, err := s.numbersIn(t.Context(), s.table, "tug", middle, math.MaxInt64)
		if err != nil || !slices.Equal(append(first, second...), all) {
			t.Errorf("in two, at %d: %d and %d, not %d: %v", at, len(first), len(second), len(all), err)
		}
	}
}

// An index of an earlier version is made again.
func TestEarlierVersion(t *testing.T) {
	h, dir := newHouse(item{pkg: "p", at: "20150101000000", url: "http://a.example/", mime: "text/plain", body: "A steam tug."}), t.TempDir()
	s := openIn(t, dir, h)
	if _, err := s.db.ExecContext(t.Context(), `DROP TABLE names; PRAGMA user_version = 1`); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if r := ask(t, openIn(t, dir, h), public, Query{Text: "tug"}); r.Total != 1 {
		t.Errorf("%d hits", r.Total)
	}
}
