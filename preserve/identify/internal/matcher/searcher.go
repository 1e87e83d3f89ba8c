package matcher

import (
	"bytes"
	"slices"
	"sync"
)

// searcher searches the sequences of a set of signatures in one direction. It finds the same places
// as siegfried's automaton (github.com/richardlehane/match/dwac), in the same order.
//
// The automaton follows one state from byte to byte. The searcher tests two bytes at each offset
// against a bitmap of the beginnings that still count, and walks the trie from the few that remain.
type searcher struct {
	*trie
	choices []choiceOf
	index   [][]uint32 // of the choices of each sequence
	maxOff  int        // from here on, only sequences without a limit match
	wild    bool       // there are such sequences
	byTree  map[int]uint32
	same    [256]sameByte
	runs    sync.Pool // of *search
}

// get returns a search that is not in use.
func (s *searcher) get() *search {
	if run, ok := s.runs.Get().(*search); ok {
		return run
	}
	return &search{searcher: s}
}

// put returns a search that is not used any more.
func (s *searcher) put(run *search) {
	run.data = nil
	s.runs.Put(run)
}

// choiceOf is one choice of a sequence.
type choiceOf struct {
	seq, sub int
	tree     int // index of its testTree
	max      int // offset in bytes; -1 without a limit
	before   int // the choice that must match before; -1 for the first
	behind   int // the choice that may match afterwards; -1 for the last
	pairs    []uint16
	lone     []byte // texts of one byte
}

// newSearcher returns the searcher of s. It fails if a text is empty, or twice in one choice: the
// automaton reports these in other ways.
func newSearcher(s *seqSet) (*searcher, error) {
	r := &searcher{byTree: map[int]uint32{}}
	var texts []text
	for i, q := range s.seqs {
		var index []uint32
		for j, strings := range q.choices {
			id := len(r.choices)
			c := choiceOf{seq: i, sub: j, tree: s.trees[i] + j, max: q.max[j], before: -1, behind: -1}
			if j > 0 {
				c.before = id - 1
			}
			if j+1 < len(q.choices) {
				c.behind = id + 1
			}
			for k, b := range strings {
				if len(b) == 0 || slices.ContainsFunc(strings[:k], func(a []byte) bool { return bytes.Equal(a, b) }) {
					return nil, errUnsupported
				}
				texts = append(texts, text{b, uint32(id)})
				r.maxOff, r.wild = max(r.maxOff, c.max), r.wild || c.max == -1
				if len(b) == 1 {
					c.lone = append(c.lone, b[0])
				} else {
					c.pairs = append(c.pairs, pairOf(b[0], b[1]))
				}
			}
			if _, known := r.byTree[c.tree]; !known {
				r.byTree[c.tree] = uint32(id)
			}
			index = append(index, uint32(id))
			r.choices = append(r.choices, c)
		}
		r.index = append(r.index, index)
	}
	r.trie = newTrie(texts)
	for c := range r.same {
		r.same[c] = r.sameByte(byte(c))
	}
	return r, nil
}

// sameByte is about the beginnings of texts that repeat one byte. Contents have long runs of one
// byte, of zeros above all, and many texts begin with some zeros.
type sameByte struct {
	longest int   // number of bytes in the longest beginning
	ends    []hit // the texts of this byte alone, at offset 0
}

func (s *searcher) sameByte(c byte) (same sameByte) {
	for n := s.root[c]; n != 0; n = s.next(n, c) {
		same.longest++
		t := &s.nodes[n]
		for _, id := range s.trie.choices[t.firstChoice : t.firstChoice+uint32(t.choices)] {
			same.ends = append(same.ends, hit{id, 0, same.longest})
		}
	}
	return same
}

func pairOf(a, b byte) uint16 { return uint16(a) | uint16(b)<<8 }

// pairs is a set of two bytes each.
type pairs [1 << 10]uint64

func (p *pairs) has(x uint16) bool { return p[x>>6]&(1<<(x&63)) != 0 }

func (p *pairs) add(c *choiceOf) {
	for _, x := range c.pairs {
		p[x>>6] |= 1 << (x & 63)
	}
	for _, a := range c.lone {
		for b := range 256 {
			x := pairOf(a, byte(b))
			p[x>>6] |= 1 << (x & 63)
		}
	}
}

// pause returns the offset where siegfried's automaton pauses: behind the last limited sequence,
// in its first state. It returns len(b) and false if it reaches the end before.
//
// The automaton is in its first state where no text has begun and may continue. So pause walks the
// trie from each offset that may reach so far, once.
func (s *searcher) pause(b []byte) (int, bool) {
	reach, from := 0, 0
	for offset := s.maxOff + 1; offset <= len(b); offset++ {
		if s.root[b[offset-1]] != 0 {
			continue
		}
		for from = max(from, offset-s.longest); from < offset; from++ {
			reach = max(reach, s.reach(b, from))
		}
		if reach < offset {
			return offset, true
		}
	}
	return len(b), false
}

// reach returns the end of the longest beginning of a text at offset i of b.
func (s *searcher) reach(b []byte, i int) int {
	for n := s.root[b[i]]; n != 0; n = s.next(n, b[i]) {
		if i++; i == len(b) {
			break
		}
	}
	return i
}

// from returns, by sequence, the first choice whose tree can complete one of the segments, plus 1;
// nil if there is none.
func (s *searcher) from(tests []*testTree, segments map[keyFrameID]bool) []int {
	if len(segments) == 0 {
		return nil
	}
	var only []int
	for i, t := range tests {
		id, ok := s.byTree[i]
		if !ok || !t.has(segments) {
			continue
		}
		if only == nil {
			only = make([]int, len(s.index))
		}
		if c := &s.choices[id]; only[c.seq] == 0 {
			only[c.seq] = c.sub + 1
		}
	}
	return only
}
