package dedup

import "hash/maphash"

// filter is a Bloom filter for millions of keys in fixed memory. It reports that a key was never
// added, or that it may have been added. It never rejects a key that was added. Among some hundreds
// of keys, about one is accepted wrongly and adds an unneeded line to the index.
type filter struct {
	bits []uint64
	seed maphash.Seed
}

// filterSize is the size of a filter in bytes: enough for three million keys.
const filterSize = 4 << 20

func newFilter() *filter { return &filter{make([]uint64, filterSize/8), maphash.MakeSeed()} }

// filterProbes is how many bits represent a key.
const filterProbes = 6

// each visits the bits of a key. It derives all positions from two hashes (Kirsch and Mitzenmacher,
// 2006).
func (f *filter) each(k key, visit func(word *uint64, bit uint64) bool) bool {
	h := maphash.Bytes(f.seed, k)
	a, b := h, h>>32|h<<32|1
	for range filterProbes {
		at := a % uint64(len(f.bits)*64)
		if !visit(&f.bits[at/64], 1<<(at%64)) {
			return false
		}
		a += b
	}
	return true
}

// add adds a key. A nil filter contains every key.
func (f *filter) add(k key) {
	if f == nil {
		return
	}
	f.each(k, func(word *uint64, bit uint64) bool {
		*word |= bit
		return true
	})
}

// may reports whether the key may have been added. For a nil filter it is always true.
func (f *filter) may(k key) bool {
	return f == nil || f.each(k, func(word *uint64, bit uint64) bool { return *word&bit != 0 })
}
