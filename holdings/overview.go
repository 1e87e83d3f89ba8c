package holdings

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"
)

// Overview sums the packages and collections that are not hidden from a reader. Its size does not grow with their
// number.
type Overview struct {
	Packages    int64
	First, Last time.Time // of the captures of all packages; zero if unknown
	// Months counts the packages by the month of their first capture: 201503. Those without a known one
	// are left out.
	Months      map[string]int64
	Newest      []string // ids of the packages that were stored last, the last one first
	Collections int64
	ByTitle     []CollectionCard // the first collections
}

// CollectionCard is a collection in an overview.
type CollectionCard struct {
	ID, Title    string
	Packages     int64         // as in [Collection]
	Descriptions []Description // by its curators, without related items
}

// Numbers of names in an overview.
const (
	newestInOverview      = 12
	collectionsInOverview = 7
)

// overviews keeps the overview of each class of readers while nothing changes that decisions depend on.
type overviews struct {
	mu    sync.Mutex
	stamp any
	of    map[Class]*Overview
}

// Overview returns the overview for a reader. It looks at each package once after each change, for each class of
// readers; and at each call for readers that count as their class in some packages only.
func (h *Holdings) Overview(ctx context.Context, who Reader) (*Overview, error) {
	stamp, err := h.decisions(ctx) // before any of them
	if err != nil {
		return nil, err
	}
	if who.Packages != nil {
		return h.overview(ctx, &who)
	}
	k := &h.overviews
	k.mu.Lock() // also while one is made: the others wait for it
	defer k.mu.Unlock()
	if k.stamp != stamp {
		k.stamp, k.of = stamp, map[Class]*Overview{}
	}
	if known := k.of[who.Class]; known != nil {
		return known, nil
	}
	made, err := h.overview(ctx, &who)
	if err == nil {
		k.of[who.Class] = made
	}
	return made, err
}

func (h *Holdings) overview(ctx context.Context, who *Reader) (*Overview, error) {
	h.mu.RLock()
	order := h.order
	h.mu.RUnlock()
	o, j := &Overview{Months: map[string]int64{}}, h.judging()
	newest := first[*pkg]{most: newestInOverview, compare: func(a, b *pkg) int {
		return cmp.Or(cmp.Compare(b.stored, a.stored), strings.Compare(a.id, b.id))
	}}
	titled := first[*pkg]{most: collectionsInOverview, compare: func(a, b *pkg) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.title), strings.ToLower(b.title)), strings.Compare(a.id, b.id))
	}}
	for n, id := range order {
		if n%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p, d := j.whole(who, id)
		switch {
		case p == nil || d.Hidden || p.isCollection && p.collection == nil:
		case p.isCollection:
			o.Collections++
			titled.add(p)
		default:
			o.Packages++
			newest.add(p)
			spread(&o.First, &o.Last, p)
			if p.first.known() {
				o.Months[p.first.Time().Format("200601")]++
			}
		}
	}
	for _, p := range newest.all {
		o.Newest = append(o.Newest, p.id)
	}
	for _, p := range titled.all {
		o.ByTitle = append(o.ByTitle, j.collectionCard(who, p))
	}
	return o, nil
}

func spread(first, last *time.Time, p *pkg) {
	if at := p.first.Time(); !at.IsZero() && (first.IsZero() || at.Before(*first)) {
		*first = at
	}
	if at := p.last.Time(); at.After(*last) {
		*last = at
	}
}

// collectionCard returns a collection with the number of packages that are not hidden.
func (j *judging) collectionCard(who *Reader, p *pkg) CollectionCard {
	c := CollectionCard{ID: p.id, Title: p.title}
	if p.trouble() == nil {
		c.Descriptions = descriptions(p.collection)
	}
	for i := range c.Descriptions {
		c.Descriptions[i].Record.Related = nil // it names each member
	}
	for name := range p.collection.Members {
		if member, d := j.whole(who, name); member != nil && !d.Hidden {
			c.Packages++
		}
	}
	return c
}

// first keeps the first values of a sequence, as if it were sorted.
type first[T any] struct {
	most    int
	compare func(a, b T) int
	all     []T
}

func (f *first[T]) add(value T) {
	at, _ := slices.BinarySearchFunc(f.all, value, f.compare)
	if at == f.most {
		return
	}
	if f.all = slices.Insert(f.all, at, value); len(f.all) > f.most {
		f.all = f.all[:f.most]
	}
}
