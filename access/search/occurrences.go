package search

import (
	"math/bits"
	"slices"
	"sync"
)

// counts are the occurrences of a term in the columns of a document: a field of bits for each column.
type counts uint32

// fields are the places of the columns in counts. A text has a stem once, so few bits hold its count.
var fields = [len(weights)]struct{ shift, bits int }{{0, 7}, {7, 7}, {14, 8}, {22, 5}, {27, 5}}

// most returns the largest count of a column.
func most(column int) int { return 1<<fields[column].bits - 1 }

// of returns the count of a column.
func (c counts) of(column int) int {
	return int(c>>fields[column].shift) & most(column)
}

// packed returns the counts of all columns.
func packed(all *[len(weights)]int) (c counts) {
	for i, n := range all {
		c |= counts(min(n, most(i)) << fields[i].shift) //nolint:gosec // it is bounded just here
	}
	return c
}

// plus returns the sums, each at most the largest count.
func (c counts) plus(other counts) (sum counts) {
	for i := range fields {
		sum |= counts(min(c.of(i)+other.of(i), most(i)) << fields[i].shift) //nolint:gosec // it is bounded just here
	}
	return sum
}

// set is a set of documents: a bit for each.
type set []uint64

const wordBits = 64

func newSet(documents int) set { return make(set, (documents+wordBits-1)/wordBits) }

func (s set) add(d int32) { s[d/wordBits] |= 1 << (d % wordBits) }

// len counts the documents.
func (s set) len() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// occurrence is a document with a term.
type occurrence struct {
	document int32
	counts   counts
}

// occurrences are the documents with a term, and its counts in each.
type occurrences struct {
	in   set
	all  []counts             // by document
	have [len(weights)]uint32 // documents with the term, by column
}

// collect makes occurrences of a list in any order. If it has a document twice, its counts are added.
func collect(documents int, list []occurrence) *occurrences {
	o := &occurrences{in: newSet(documents)}
	ascending, last := true, int32(-1)
	for _, x := range list {
		ascending = ascending && x.document > last
		last = x.document
		o.in.add(x.document)
	}
	if ascending {
		o.all = make([]counts, len(list))
		for i, x := range list {
			o.all[i] = x.counts
		}
	} else {
		o.place(list)
	}
	for _, c := range o.all {
		for i := range fields {
			if c.of(i) > 0 {
				o.have[i]++
			}
		}
	}
	return o
}

// place puts the counts of a list in the order of documents.
func (o *occurrences) place(list []occurrence) {
	before := make([]int32, len(o.in)) // documents before each word of the set
	n := int32(0)
	for i, w := range o.in {
		before[i] = n
		n += int32(bits.OnesCount64(w)) //nolint:gosec // at most 64
	}
	o.all = make([]counts, n)
	for _, x := range list {
		w, bit := x.document/wordBits, x.document%wordBits
		at := before[w] + int32(bits.OnesCount64(o.in[w]&(1<<bit-1))) //nolint:gosec // at most 64
		if o.all[at] == 0 {
			o.all[at] = x.counts
		} else {
			o.all[at] = o.all[at].plus(x.counts)
		}
	}
}

// each calls visit with the position and counts of the documents that are also in another set: their position there,
// ascending.
func (o *occurrences) each(other set, visit func(position int, d int32, c counts)) {
	own, position := 0, 0
	for i, w := range o.in {
		there := other[i]
		for both := w & there; both != 0; both &= both - 1 {
			bit := bits.TrailingZeros64(both)
			below := uint64(1)<<bit - 1
			visit(position+bits.OnesCount64(there&below), int32(i*wordBits+bit), //nolint:gosec // fewer than 2^31
				o.all[own+bits.OnesCount64(w&below)])
		}
		own += bits.OnesCount64(w)
		position += bits.OnesCount64(there)
	}
}

// size is the memory of occurrences, in bytes.
func (o *occurrences) size() int { return 8*len(o.in) + 4*len(o.all) }

// frequents caches the occurrences of frequent terms of one table: the terms of which queries cost most, and that
// come again most. It goes with its table.
type frequents struct {
	mu    sync.Mutex
	kept  map[string]*occurrences
	order []string // the last used at the end
	size  int
}

const (
	// frequentPart is the part of all documents that have a frequent term.
	frequentPart = 64
	// mostFrequent limits the memory of frequent terms, in bytes.
	mostFrequent = 64 << 20
	// mostTerms limits their number: the order of use is a list.
	mostTerms = 4096
	// keptEntry is the memory of an entry beside its term and its list, in bytes.
	keptEntry = 200
)

// get returns the occurrences of a term; nil if they are not cached.
func (f *frequents) get(term string) *occurrences {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.kept[term] == nil {
		return nil
	}
	i := slices.Index(f.order, term)
	f.order = append(slices.Delete(f.order, i, i+1), term)
	return f.kept[term]
}

// put caches the occurrences of a term of a table with so many documents, if it is frequent. The terms that were not
// used for longest make room.
func (f *frequents) put(documents int, term string, o *occurrences) {
	size := costOfTerm(term, o)
	if len(o.all) < max(1, documents/frequentPart) || size > mostFrequent/4 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.kept == nil {
		f.kept = map[string]*occurrences{}
	}
	if f.kept[term] != nil {
		return
	}
	for f.size+size > mostFrequent || len(f.order) >= mostTerms {
		first := f.order[0]
		f.size -= costOfTerm(first, f.kept[first])
		delete(f.kept, first)
		f.order = f.order[1:]
	}
	f.kept[term] = o
	f.order = append(f.order, term)
	f.size += size
}

func costOfTerm(term string, o *occurrences) int { return o.size() + len(term) + keptEntry }
