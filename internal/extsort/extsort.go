// Package extsort sorts more than fits in memory. It keeps items in a buffer of a fixed size,
// writes sorted runs to temporary files, and merges them. A crawl has a hundred million lines, and
// as many records to compare them with.
//
// Values with equal keys come in the order in which they were added.
package extsort

import (
	"bytes"
	"cmp"
	"container/heap"
	"errors"
	"slices"
)

// Options are the options of a Sorter. The zero value is valid.
type Options struct {
	Memory int    // bytes of keys and values in memory; default DefaultMemory
	Dir    string // folder for temporary files; "" is the system's
}

// DefaultMemory is the default memory of a Sorter, in bytes.
const DefaultMemory = 8 << 20

// perItem is the memory for an item in addition to its bytes.
const perItem = 16

// fanIn is how many runs are merged at once. Each needs a buffer and an open file.
const fanIn = 32

// Sorter sorts items. It is not safe for concurrent use.
type Sorter struct {
	options Options
	arena   []byte
	items   []item
	levels  [][]*run // runs by the number of their merges
	err     error
}

// item is a key and its value, adjacent in the arena.
type item struct{ at, key, end uint32 }

// New returns an empty Sorter. The caller must close it.
func New(o Options) *Sorter {
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	o.Memory = min(o.Memory, 1<<31)
	return &Sorter{options: o}
}

// Add adds a key and a value; both are copied. It must not be called after Each.
func (s *Sorter) Add(key, value []byte) error {
	if s.err != nil {
		return s.err
	}
	if need := len(key) + len(value) + perItem; len(s.items) > 0 &&
		len(s.arena)+len(s.items)*perItem+need > s.options.Memory {
		if s.err = s.spill(); s.err != nil {
			return s.err
		}
	}
	at := uint32(len(s.arena))
	s.grow(len(key) + len(value))
	s.arena = append(append(s.arena, key...), value...)
	s.items = append(s.items, item{at, at + uint32(len(key)), uint32(len(s.arena))})
	return nil
}

// grow makes room in the arena, and not for more than it may hold.
func (s *Sorter) grow(n int) {
	if need := len(s.arena) + n; need > cap(s.arena) {
		s.arena = append(make([]byte, 0, max(need, min(2*cap(s.arena), s.options.Memory))), s.arena...)
	}
}

// sort sorts the items in memory. Their places in the arena have the order in which they were added.
func (s *Sorter) sort() {
	slices.SortFunc(s.items, func(a, b item) int {
		if c := bytes.Compare(s.arena[a.at:a.key], s.arena[b.at:b.key]); c != 0 {
			return c
		}
		return cmp.Compare(a.at, b.at)
	})
}

// spill writes the items in memory as a run, and merges runs if there are many.
func (s *Sorter) spill() error {
	s.sort()
	r, err := newRun(s.options.Dir)
	if err != nil {
		return err
	}
	for _, i := range s.items {
		if err := r.add(s.arena[i.at:i.key], s.arena[i.key:i.end]); err != nil {
			return errors.Join(err, r.close())
		}
	}
	s.arena, s.items = s.arena[:0], s.items[:0]
	return errors.Join(r.flush(), s.keep(r, 0))
}

// keep adds a run to its level. A full level is merged into one run of the next.
func (s *Sorter) keep(r *run, level int) error {
	if level == len(s.levels) {
		s.levels = append(s.levels, nil)
	}
	s.levels[level] = append(s.levels[level], r)
	if len(s.levels[level]) < fanIn {
		return nil
	}
	full := s.levels[level]
	merged, err := newRun(s.options.Dir)
	if err != nil {
		return err
	}
	if err := errors.Join(merge(full, merged.add), merged.flush()); err != nil {
		return errors.Join(err, merged.close())
	}
	s.levels[level] = nil
	for _, r := range full {
		err = errors.Join(err, r.close())
	}
	return errors.Join(err, s.keep(merged, level+1))
}

// Each visits all items in the order of the keys. Key and value are valid only during the visit.
// The first error of visit ends it. Each can be called several times.
func (s *Sorter) Each(visit func(key, value []byte) error) error {
	if s.err != nil {
		return s.err
	}
	if len(s.levels) == 0 { // everything is in memory
		s.sort()
		for _, i := range s.items {
			if err := visit(s.arena[i.at:i.key], s.arena[i.key:i.end]); err != nil {
				return err
			}
		}
		return nil
	}
	if len(s.items) > 0 {
		if s.err = s.spill(); s.err != nil {
			return s.err
		}
		s.arena, s.items = nil, nil
	}
	return merge(s.runs(), visit)
}

// runs lists the runs, the oldest (most often merged) first.
func (s *Sorter) runs() (all []*run) {
	for _, level := range slices.Backward(s.levels) {
		all = append(all, level...)
	}
	return all
}

// Close frees memory and disk space.
func (s *Sorter) Close() error {
	var err error
	for _, r := range s.runs() {
		err = errors.Join(err, r.close())
	}
	s.arena, s.items, s.levels, s.err = nil, nil, nil, errors.Join(s.err, errors.New("extsort: closed"))
	return err
}

// merge visits the items of the runs in the order of the keys; equal keys in the order of the runs.
func merge(runs []*run, visit func(key, value []byte) error) error {
	var h heads
	for order, r := range runs {
		c, err := r.cursor(order)
		if err != nil {
			return err
		}
		if c.done {
			continue
		}
		h = append(h, c)
	}
	heap.Init(&h)
	for len(h) > 0 {
		c := h[0]
		if err := visit(c.key, c.value); err != nil {
			return err
		}
		if err := c.next(); err != nil {
			return err
		}
		if c.done {
			heap.Pop(&h)
			continue
		}
		heap.Fix(&h, 0)
	}
	return nil
}

// heads is a heap of the runs that have more items, with the smallest key on top.
type heads []*cursor

func (h heads) Len() int { return len(h) }

func (h heads) Less(i, j int) bool {
	if c := bytes.Compare(h[i].key, h[j].key); c != 0 {
		return c < 0
	}
	return h[i].order < h[j].order
}

func (h heads) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *heads) Push(x any) { *h = append(*h, x.(*cursor)) }

// Pop implements heap.Interface.
func (h *heads) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
