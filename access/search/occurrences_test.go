package search

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"
)

// TestCollect: a list in any order gives the documents, the sums of their counts, and the frequency of each column.
func TestCollect(t *testing.T) {
	t.Parallel()
	const documents = 1000
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 40 {
		var list []occurrence
		sums := map[int32][len(weights)]int{}
		for range r.IntN(documents) {
			d := int32(r.IntN(documents)) //nolint:gosec // it is small
			if _, there := sums[d]; there && round%2 == 0 {
				continue
			}
			one := [len(weights)]int{r.IntN(3), r.IntN(200), r.IntN(400), r.IntN(2), r.IntN(2)}
			sum := sums[d]
			for c, n := range one {
				sum[c] = min(sum[c]+min(n, most(c)), most(c))
			}
			sums[d] = sum
			list = append(list, occurrence{d, packed(&one)})
		}
		if round%4 == 0 {
			slices.SortFunc(list, func(a, b occurrence) int { return int(a.document - b.document) })
		}
		o := collect(documents, list)
		other := newSet(documents)
		var both []int32
		for d := range int32(documents) {
			if d%3 > 0 {
				other.add(d)
				both = append(both, d)
			}
		}
		var have [len(weights)]uint32
		for d, sum := range sums {
			for c, n := range sum {
				if n > 0 {
					have[c]++
				}
			}
			if d%3 == 0 {
				delete(sums, d)
			}
		}
		o.each(other, func(position int, d int32, c counts) {
			got := [len(weights)]int{c.of(0), c.of(1), c.of(2), c.of(3), c.of(4)}
			if both[position] != d || got != sums[d] {
				t.Errorf("document %d at %d: %v, not %v", d, position, got, sums[d])
			}
			delete(sums, d)
		})
		if len(sums) > 0 || have != o.have {
			t.Errorf("round %d: %d documents are missing; %v, not %v", round, len(sums), o.have, have)
		}
	}
}

// TestFrequents: the cache keeps frequent terms of the present table alone, within its limit, and those used last.
func TestFrequents(t *testing.T) {
	t.Parallel()
	const documents = 1 << 22
	all := func(n int) *occurrences { return &occurrences{in: newSet(documents), all: make([]counts, n)} }
	var f frequents
	f.put(documents, "rare", all(documents/frequentPart-1))
	for i := range 10 {
		f.put(documents, fmt.Sprint(i), all(2<<20))
		if i > 0 && f.get("0") == nil {
			t.Errorf("the word that is used most went after %d others", i)
		}
		if f.size > mostFrequent {
			t.Errorf("%d bytes", f.size)
		}
	}
	if f.get("rare") != nil || f.get("1") != nil || f.get("9") == nil || len(f.order) != len(f.kept) {
		t.Errorf("kept: %v", f.order)
	}
}

// TestCachesOfNonsense: words without hits, and questions without answers, cost memory, too.
func TestCachesOfNonsense(t *testing.T) {
	t.Parallel()
	for _, documents := range []int{0, 60, 1 << 12} {
		var f frequents
		for i := range 20_000 {
			f.put(documents, fmt.Sprint(i), &occurrences{in: newSet(documents)})
		}
		if len(f.kept) > 0 {
			t.Errorf("%d documents: %d words without hits are kept", documents, len(f.kept))
		}
		for i := range 20_000 {
			f.put(documents, fmt.Sprint(i),
				&occurrences{in: newSet(documents), all: make([]counts, max(1, documents/32))})
		}
		if len(f.kept) > mostTerms || len(f.order) != len(f.kept) {
			t.Errorf("%d documents: %d words are kept", documents, len(f.kept))
		}
	}
	var a answers
	for i := range 2 * mostKept / (1000 / bytesOfHit) {
		if _, err := a.of(fmt.Sprintf("%1000d", i), func() (*matched, error) { return &matched{}, nil }); err != nil {
			t.Fatal(err)
		}
	}
	if len(a.kept) > mostKept/(1000/bytesOfHit) {
		t.Errorf("%d questions without an answer are kept", len(a.kept))
	}
}

// TestSingles: pages that are groups of their own give the same answer as when they are grouped like all others.
func TestSingles(t *testing.T) {
	t.Parallel()
	h := many(300)
	for i := range 60 { // versions, some of them in several years, and files
		url := fmt.Sprintf("http://site9.example/%d", i/4)
		mime := []string{"text/html", "text/html", "text/plain", "text/css"}[i%4]
		h.add(item{pkg: "p7", at: fmt.Sprintf("%d0102030405", 2010+i%7), url: url, mime: mime,
			body: page("Ka", fmt.Sprintf("ka lu %d", i/3))})
	}
	s := openIn(t, t.TempDir(), h)
	questions := []Query{{Text: "ka"}, {Text: "ka -lu"}, {Text: "lu", Order: Newest},
		{Text: "ka", Filters: []Filter{{Field: Year, Value: "2012"}}}, {Text: "ka OR lu", Limit: 3, From: 7},
		{Text: "ka", Level: Bytestreams}, {Text: "", Order: Oldest, Limit: 50},
		{Text: "ka", Filters: []Filter{{Field: Host, Value: "site9.example", Not: true}, {Field: Year, Value: "2011"}}}}
	var with []*Result
	for _, q := range questions {
		with = append(with, ask(t, s, public, q))
	}
	now, err := s.current(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	other := *now
	other.memories = &memories{}
	other.documents = slices.Clone(now.documents)
	alone := 0
	for d := range int32(other.documents.len()) { //nolint:gosec // it is small
		alone += int(other.documents[int(d)*documentSize+aloneAt])
		other.documents[int(d)*documentSize+aloneAt] = 0
	}
	if alone < 200 || alone > 310 {
		t.Errorf("%d pages are alone", alone)
	}
	s.mu.Lock()
	s.table = &other // the file stays mapped as long as the table that was read from it
	defer runtime.KeepAlive(now)
	s.mu.Unlock()
	for i, q := range questions {
		want := ask(t, s, public, q)
		want.Took, with[i].Took = 0, 0
		if want.Total == 0 || !reflect.DeepEqual(with[i], want) {
			t.Errorf("%+v: %d hits %s, not %d %s", q, with[i].Total, urls(with[i]), want.Total, urls(want))
		}
	}
}
