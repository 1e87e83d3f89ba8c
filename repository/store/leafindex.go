package store

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"quire/repository/register"
)

// leafIndex finds the leaves of an object in the main register. It reads the register once, and later only the
// leaves that were added since. It has 16 bytes in memory for each leaf.
type leafIndex struct {
	places  []leafPlace // the first sorted ones by key and leaf
	sorted  int
	size    int64 // leaves that were read
	bundles map[int64][]register.Entry
	runs    []runLeaf // of audit runs, in their order
}

// leafPlace is the place of a leaf that names an object.
type leafPlace struct {
	key  uint64 // the first bytes of the object's digest
	leaf int64  // its index, and in the lowest byte its kind
}

func (p leafPlace) index() int64 { return p.leaf >> 8 }

func (p leafPlace) kind() register.Kind { return register.Kind(p.leaf) }

// Sizes of the caches of a leafIndex.
const (
	bundleLeaves = 256 // of a bundle of the register
	maxBundles   = 128 // in memory
	maxUnsorted  = 1024
)

// keyOfLeaf returns the object that a leaf names.
func keyOfLeaf(leaf register.Leaf) (object register.Digest, kind register.Kind) {
	switch l := leaf.(type) {
	case register.Version:
		return l.Object, register.VersionKind
	case register.Event:
		return l.Object, register.EventKind
	case register.Tombstone:
		return l.Object, register.TombstoneKind
	}
	return object, 0
}

func placeKey(object register.Digest) uint64 { return binary.BigEndian.Uint64(object[:8]) }

func comparePlaces(a, b leafPlace) int {
	return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.leaf, b.leaf))
}

// add adds a leaf. Leaves are added in their order.
func (x *leafIndex) add(e register.Entry) {
	if object, kind := keyOfLeaf(e.Leaf); kind != 0 {
		x.places = append(x.places, leafPlace{placeKey(object), e.Index<<8 | int64(kind)})
	}
	if run, ok := e.Leaf.(register.Batch); ok {
		x.runs = append(x.runs, runLeaf{run, e.Index})
	}
	x.size = e.Index + 1
}

// refresh reads the leaves that were added since.
func (x *leafIndex) refresh(ctx context.Context, r *register.Reader) error {
	if r.Head.Size < x.size {
		return fmt.Errorf("the register has %d leaves, and had %d", r.Head.Size, x.size)
	}
	if r.Head.Size > x.size {
		for e, err := range r.Leaves(ctx, x.size) {
			if err != nil {
				return err
			}
			x.add(e)
		}
		clear(x.bundles) // the last one was partial
	}
	if len(x.places)-x.sorted > maxUnsorted || x.sorted == 0 {
		slices.SortFunc(x.places, comparePlaces)
		x.sorted = len(x.places)
	}
	return nil
}

// history returns the leaves of an object; ok is false if it has none.
func (x *leafIndex) history(ctx context.Context, r *register.Reader, object register.Digest) (*register.History, bool,
	error) {
	key := placeKey(object)
	var leaves []int64
	at, _ := slices.BinarySearchFunc(x.places[:x.sorted], leafPlace{key: key}, comparePlaces)
	for ; at < x.sorted && x.places[at].key == key; at++ {
		leaves = append(leaves, x.places[at].index())
	}
	for _, p := range x.places[x.sorted:] {
		if p.key == key {
			leaves = append(leaves, p.index())
		}
	}
	h, found := &register.History{}, false
	for _, n := range leaves {
		e, err := x.leaf(ctx, r, n)
		if err != nil {
			return nil, false, err
		}
		if named, _ := keyOfLeaf(e.Leaf); named == object {
			h.Add(e.Index, e.Leaf)
			found = true
		}
	}
	return h, found, nil
}

// first returns the first leaf of an object that has one.
func (x *leafIndex) first(object register.Digest) int64 {
	key := placeKey(object)
	at, _ := slices.BinarySearchFunc(x.places[:x.sorted], leafPlace{key: key}, comparePlaces)
	if at < x.sorted && x.places[at].key == key {
		return x.places[at].index()
	}
	for _, p := range x.places[x.sorted:] {
		if p.key == key {
			return p.index()
		}
	}
	return x.size
}

// live counts the objects that have a version among the first leaves, and no later tombstone.
func (x *leafIndex) live(first int64) (n int64) {
	slices.SortFunc(x.places, comparePlaces)
	x.sorted = len(x.places)
	stored := false
	for i, p := range x.places {
		switch {
		case p.kind() == register.VersionKind && p.index() < first:
			stored = true
		case p.kind() == register.TombstoneKind:
			stored = false
		}
		if i+1 == len(x.places) || x.places[i+1].key != p.key {
			if stored {
				n++
			}
			stored = false
		}
	}
	return n
}

// leaf reads a leaf, with its bundle. The reader verifies it.
func (x *leafIndex) leaf(ctx context.Context, r *register.Reader, n int64) (register.Entry, error) {
	first := n / bundleLeaves * bundleLeaves
	bundle, ok := x.bundles[first]
	if !ok {
		for e, err := range r.Leaves(ctx, first) {
			if err != nil {
				return e, err
			}
			e.Raw = nil // valid for this turn only
			if bundle = append(bundle, e); len(bundle) == bundleLeaves {
				break
			}
		}
		if len(x.bundles) >= maxBundles || x.bundles == nil {
			x.bundles = map[int64][]register.Entry{}
		}
		x.bundles[first] = bundle
	}
	if at := n - first; at < int64(len(bundle)) {
		return bundle[at], nil
	}
	return register.Entry{}, fmt.Errorf("the register has no leaf %d", n)
}

// history is what the register has of an object.
type history struct {
	*register.History
	salt  register.Salt
	first int64 // its first leaf
}

// historyOf returns the leaves of an object. The salt is the one of a folder by which the register has the
// object; of several ones, history.overrides decides. found is false if no folder has one. Then nothing in the
// folders can be confirmed.
func (s *Store) historyOf(ctx context.Context, object, path string) (h history, found bool, err error) {
	return s.historyBy(ctx, object, s.saltsOf(path))
}

// historyBy is historyOf with the given salts.
func (s *Store) historyBy(ctx context.Context, object string, salts []register.Salt) (h history, found bool,
	err error) {
	s.ledger.mu.Lock()
	defer s.ledger.mu.Unlock()
	r, err := register.OpenReader(s.registerPath())
	if err == nil {
		err = s.ledger.index.refresh(ctx, r)
	}
	if err != nil {
		return h, false, fmt.Errorf("the register of %s: %w; take it from the copies again: quire init rebuild %s",
			s.root, err, s.root)
	}
	for _, salt := range salts {
		there, ok, err := s.ledger.index.history(ctx, r, salt.Object(object))
		if err != nil {
			return h, false, err
		}
		other := history{there, salt, s.ledger.index.first(salt.Object(object))}
		if ok && (!found || other.overrides(h)) {
			h, found = other, true
		}
	}
	return h, found, nil
}

// overrides reports whether a history of an object under one salt counts instead of another. All versions
// count more than some, some more than none, and then the history that began later: a person chose it.
func (h history) overrides(other history) bool {
	return cmp.Or(cmp.Compare(h.rank(), other.rank()), cmp.Compare(h.first, other.first)) > 0
}

// rank is 2 with all versions up to the newest, 1 with some of them, and 0 without any.
func (h history) rank() int {
	switch {
	case h.Gone() || h.Newest() == 0:
		return 0
	case h.Whole():
		return 2
	}
	return 1
}
