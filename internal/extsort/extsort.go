// Package extsort sorts more than fits in memory. It keeps items in a buffer of a fixed size,
// writes sorted runs to temporary files, and merges them. A crawl has a hundred million lines, and
// as many records to compare them with.
//
// Values with equal keys come in the order in which they were added.
package extsort

import (
	"bytes"
	"cmp"
	"encoding/binary"
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
const perItem = 24

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
type item struct {
	at, key, end uint32
	head         uint64 // eight bytes of the key, behind the beginning that all keys share
}

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
	s.items = append(s.items, item{at: at, key: at + uint32(len(key)), end: uint32(len(s.arena))})
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
	common := s.common()
	for n := range s.items {
		i := &s.items[n]
		i.head = head(s.arena[int(i.at)+common : i.key])
	}
	slices.SortFunc(s.items, func(a, b item) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		if c := bytes.Compare(s.arena[a.at:a.key], s.arena[b.at:b.key]); c != 0 {
			return c
		}
		return cmp.Compare(a.at, b.at)
	})
}

// common returns how many bytes all keys begin with in common.
func (s *Sorter) common() int {
	if len(s.items) == 0 {
		return 0
	}
	first := s.arena[s.items[0].at:s.items[0].key]
	for _, i := range s.items[1:] {
		key := s.arena[i.at:i.key]
		n := min(len(first), len(key))
		if !bytes.Equal(first[:n], key[:n]) {
			for n = 0; first[n] == key[n]; n++ {
			}
		}
		first = first[:n]
	}
	return len(first)
}

// head returns the first eight bytes of a key, as a number that sorts like them.
func head(key []byte) uint64 {
	if len(key) >= 8 {
		return binary.BigEndian.Uint64(key)
	}
	var padded [8]byte
	copy(padded[:], key)
	return binary.BigEndian.Uint64(padded[:])
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
	c, err := s.Cursor()
	if err != nil {
		return err
	}
	return c.each(visit)
}

// Cursor returns a cursor before the first item, for a caller that reads the items of Each step
// by step. Cursors are independent of each other.
func (s *Sorter) Cursor() (*Cursor, error) {
	if s.err != nil {
		return nil, s.err
	}
	if len(s.levels) == 0 { // everything is in memory
		s.sort()
		return &Cursor{arena: s.arena, items: s.items}, nil
	}
	if len(s.items) > 0 {
		if s.err = s.spill(); s.err != nil {
			return nil, s.err
		}
		s.arena, s.items = nil, nil
	}
	return mergeOf(s.runs())
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
