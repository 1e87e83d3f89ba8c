package holdings_test

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/holdings/rights"
)

// listed returns the overview of all packages and collections that a reader may list.
func listed(t *testing.T, h *holdings.Holdings, who holdings.Reader) *holdings.Overview {
	t.Helper()
	o := holdings.Overview{Months: map[string]int64{}}
	var newest []*holdings.Package
	for p, err := range h.Packages(t.Context(), who) {
		if err != nil {
			t.Fatal(err)
		}
		o.Packages++
		newest = append(newest, p)
		if !p.First.IsZero() {
			o.Months[p.First.Format("200601")]++
		}
		if !p.First.IsZero() && (o.First.IsZero() || p.First.Before(o.First)) {
			o.First = p.First
		}
		if p.Last.After(o.Last) {
			o.Last = p.Last
		}
	}
	slices.SortStableFunc(newest, func(a, b *holdings.Package) int { return b.Stored.Compare(a.Stored) })
	for _, p := range newest[:min(len(newest), 12)] {
		o.Newest = append(o.Newest, p.ID)
	}
	for c, err := range h.Collections(t.Context(), who) {
		if err != nil {
			t.Fatal(err)
		}
		o.Collections++
		for i := range c.Descriptions {
			c.Descriptions[i].Record.Related = nil
		}
		o.ByTitle = append(o.ByTitle, holdings.CollectionCard{ID: c.ID, Title: c.Title,
			Packages: int64(len(c.Packages)), Descriptions: c.Descriptions})
	}
	slices.SortStableFunc(o.ByTitle, func(a, b holdings.CollectionCard) int {
		return cmp.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title))
	})
	o.ByTitle = o.ByTitle[:min(len(o.ByTitle), 7)]
	return &o
}

// sameOverview compares an overview with the lists.
func sameOverview(t *testing.T, h *holdings.Holdings, who holdings.Reader) *holdings.Overview {
	t.Helper()
	got, err := h.Overview(t.Context(), who)
	if err != nil {
		t.Fatal(err)
	}
	want := listed(t, h, who)
	if len(got.ByTitle) == 0 {
		want.ByTitle = nil
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s %q:\n got %+v\nwant %+v", who.Class, who.Packages, got, want)
	}
	return got
}

// TestOverviewOfMatrix: an overview has what the lists have for each class of readers, and nothing that is hidden.
func TestOverviewOfMatrix(t *testing.T) {
	t.Parallel()
	r, o, _ := holdingstest.Matrix(t)
	h := r.Open(o)
	seen := map[int64]bool{}
	for _, who := range []holdings.Reader{public, onsite, staff, {Class: holdings.Staff, Packages: []string{}}} {
		seen[sameOverview(t, h, who).Packages] = true
	}
	if len(seen) < 2 {
		t.Error("all readers have the same packages")
	}
}

// TestOverview: an overview follows packages, collections, rules and withdrawals, keeps the newest packages, and is
// not made again while nothing changes.
func TestOverview(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	for n := range 15 {
		r.Ingest(one(fmt.Sprintf("p%02d", (n*7)%15), "access: open"))
	}
	for n := range 9 {
		r.Collect(fmt.Sprint("c", n), fmt.Sprintf("Title %c", 'z'-rune(n)), "", "p00", fmt.Sprintf("p%02d", n+1))
	}
	r.Ingest(one("shut", "access: restricted"))
	h := r.Open(holdings.Options{})
	first := sameOverview(t, h, public)
	if first.Packages != 16 || first.Collections != 9 || len(first.Newest) != 12 ||
		len(first.ByTitle) != 7 || first.ByTitle[0].ID != "c8" || first.ByTitle[0].Packages != 2 {
		t.Errorf("%+v", first)
	}
	if again, err := h.Overview(t.Context(), public); err != nil || again != first {
		t.Errorf("it was made again: %v", err)
	}
	if other, err := h.Overview(t.Context(), staff); err != nil || other == first {
		t.Errorf("another class has the same: %v", err)
	}
	r.Withdraw(rights.Withdrawal{Package: "p08"})
	if got := sameOverview(t, h, public); got.Packages != 15 || slices.Contains(got.Newest, "p08") {
		t.Errorf("withdrawn: %+v", got)
	}
	if got := sameOverview(t, h, staff); got.Packages < 15 {
		t.Errorf("%+v", got)
	}
	now := time.Now()
	time.Sleep(now.Truncate(time.Second).Add(time.Second).Sub(now)) // the catalogue has seconds
	r.Ingest(one("q", "access: open"))
	if got := sameOverview(t, h, public); got.Packages != 16 || got.Newest[0] != "q" {
		t.Errorf("one more: %+v", got)
	}
}
