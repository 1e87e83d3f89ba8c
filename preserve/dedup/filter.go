package dedup

import "hash/maphash"

// filter tells, of keys by the million and in a fixed room, which ones were never added. Of those
// that were it is sure; of one in some hundreds it says wrongly that it was, and the index then
// holds a line more than it needs.
type filter struct {
	bits []uint64
	seed maphash.Seed
}

// filterSize is the room of a filter in bytes: enough for three million keys.
const filterSize = 4 << 20

func newFilter() *filter { return &filter{make([]uint64, filterSize/8), maphash.MakeSeed()} }

// filterProbes is how many bits stand for a key.
const filterProbes = 6

// each visits the bits of a key. Two hashes make as many as are wanted (Kirsch and Mitzenmacher,
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

// add adds a key. A nil filter has them all.
func (f *filter) add(k key) {
	if f == nil {
		return
	}
	f.each(k, func(word *uint64, bit uint64) bool {
		*word |= bit
		return true
	})
}

// may says whether the key may have been added. Of a nil filter all were.
func (f *filter) may(k key) bool {
	return f == nil || f.each(k, func(word *uint64, bit uint64) bool { return *word&bit != 0 })
}
