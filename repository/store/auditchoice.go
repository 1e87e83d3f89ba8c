package store

import (
	"container/heap"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"quire/repository/catalogue"
)

// choice says which packages an audit reads, and in which copies. It is recorded, so that another run
// can go on with it.
type choice struct {
	Kind      catalogue.Kind `json:"kind"`
	Share     Share          `json:"share,omitempty"`        // of a sample
	Seed      uint64         `json:"seed,omitempty"`         // of a sample
	Below     uint64         `json:"below,omitempty,string"` // a sample has the packages with a lower or equal number
	OlderThan Span           `json:"olderThan,omitempty"`
	Before    time.Time      `json:"before,omitzero"`  // packages last read before it
	Copies    []string       `json:"copies,omitempty"` // only these
	Named     int            `json:"named,omitempty"`  // number of named packages
}

// place is the place to go on from.
type place struct {
	After string   `json:"after"`           // the packages up to this one are done,
	Later []string `json:"later,omitempty"` // except these: they were being stored
}

// choose returns the choice of the options.
func (a *audit) choose() (choice, error) {
	o := a.options
	c := choice{Kind: catalogue.Full, Share: o.Sample, Seed: o.Seed, OlderThan: o.OlderThan, Copies: o.Copies,
		Named: len(a.ids)}
	var ways int
	if len(a.ids) > 0 {
		c.Kind = catalogue.Named
		ways++
	}
	if o.Sample != 0 {
		c.Kind = catalogue.Sample
		ways++
	}
	if o.OlderThan != 0 {
		c.Kind = catalogue.Aged
		c.Before = a.report.Started.Add(-time.Duration(o.OlderThan))
		ways++
	}
	if ways > 1 {
		return c, errors.New("audit: packages are chosen by name, by sample or by age: give one of the three")
	}
	if c.Kind == catalogue.Sample && c.Seed == 0 {
		c.Seed = uint64(rand.Uint32()) + 1 // short enough to be typed
	}
	for _, name := range c.Copies {
		if a.store.copyNamed(name) == nil {
			return c, fmt.Errorf("audit: there is no copy %q; the copies are %s", name,
				strings.Join(a.store.copyNames(), ", "))
		}
	}
	return c, nil
}

func (s *Store) copyNames() []string {
	names := make([]string, 0, len(s.copies))
	for _, c := range s.copies {
		names = append(names, c.name)
	}
	return names
}

// has reports whether the choice has a copy.
func (c *choice) has(name string) bool { return len(c.Copies) == 0 || slices.Contains(c.Copies, name) }

// number returns the place of a package in the order of a seed. It is the same on every machine.
func number(seed uint64, id string) uint64 {
	sum := sha256.Sum256(append(binary.BigEndian.AppendUint64(nil, seed), id...))
	return binary.BigEndian.Uint64(sum[:])
}

// drawSample sets Below, so that the share of the packages has a lower or equal number, rounded up.
func (a *audit) drawSample(ctx context.Context) error {
	var all int64
	if err := a.eachCandidate(ctx, false, func(catalogue.Candidate) { all++ }); err != nil {
		return err
	}
	size := int(math.Ceil(float64(a.choice.Share)*float64(all) - 1e-9)) // 7% of 100 is 7, not 8
	if size == 0 {
		return nil
	}
	lowest := make(largest, 0, size)
	err := a.eachCandidate(ctx, false, func(k catalogue.Candidate) {
		n := number(a.choice.Seed, k.ID)
		switch {
		case len(lowest) < size:
			heap.Push(&lowest, n)
		case n < lowest[0]:
			lowest[0] = n
			heap.Fix(&lowest, 0)
		}
	})
	if err == nil && len(lowest) > 0 {
		a.choice.Below = lowest[0]
	}
	return err
}

// largest is a heap with the largest number on top: 8 bytes for each package of a sample.
type largest []uint64

func (h largest) Len() int           { return len(h) }
func (h largest) Less(i, j int) bool { return h[i] > h[j] }
func (h largest) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *largest) Push(n any) { *h = append(*h, n.(uint64)) }

// Pop implements heap.Interface.
func (h *largest) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

func (a *audit) eachCandidate(ctx context.Context, checked bool, visit func(catalogue.Candidate)) error {
	for k, err := range a.store.catalogue.Candidates(ctx, "", checked) {
		if err != nil {
			return err
		}
		visit(k)
	}
	return nil
}

// target is a package to read, in some copies.
type target struct {
	id     string
	bytes  int64
	copies []*copyFolder
}

// targets yields the packages to read after the place, sorted by id.
func (a *audit) targets(ctx context.Context) iter.Seq2[target, error] {
	if a.choice.Kind == catalogue.Named {
		return a.namedTargets(ctx)
	}
	return func(yield func(target, error) bool) {
		for k, err := range a.store.catalogue.Candidates(ctx, a.place.After, a.choice.Kind == catalogue.Aged) {
			t := target{id: k.ID, bytes: k.Bytes}
			if err == nil {
				t.copies = a.copiesFor(k)
			}
			if (err != nil || len(t.copies) > 0) && !yield(t, err) || err != nil {
				return
			}
		}
	}
}

func (a *audit) namedTargets(ctx context.Context) iter.Seq2[target, error] {
	return func(yield func(target, error) bool) {
		for _, id := range a.ids {
			card, err := a.store.card(ctx, id)
			if !yield(target{id, card.Bytes, a.there}, err) || err != nil {
				return
			}
		}
	}
}

// copiesFor returns the copies in which a package is read, or none if it is not chosen.
func (a *audit) copiesFor(k catalogue.Candidate) []*copyFolder {
	switch a.choice.Kind {
	case catalogue.Sample:
		if number(a.choice.Seed, k.ID) > a.choice.Below {
			return nil
		}
	case catalogue.Aged:
		var old []*copyFolder
		for _, c := range a.there {
			if k.Checked[c.name].Before(a.choice.Before) {
				old = append(old, c)
			}
		}
		return old
	}
	return a.there
}
