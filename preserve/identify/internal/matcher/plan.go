package matcher

import (
	"encoding/binary"
	"sync"
)

// plan has the beginnings that still count in a search, for each stretch of offsets.
type plan struct {
	counts  []bool // by choice; nil if all count
	layers  []*pairs
	horizon int  // no text that counts begins at or behind this offset, apart from wild ones
	wild    bool // texts without a limit count
}

// stretches are the offsets where the bitmap changes. Few signatures begin behind the later ones.
var stretches = [...]int{1, 64, 1088, 5200, 20608, 70528, 152448}

// plan returns the plan for the choices that count; nil counts all.
func (s *searcher) plan(counts []bool) *plan {
	p := &plan{counts: counts, layers: make([]*pairs, len(stretches))}
	bits := &pairs{}
	for j := len(stretches) - 1; j >= 0; j-- { // each has the choices of the next, and perhaps more
		shared := j < len(stretches)-1
		for i := range s.choices {
			c := &s.choices[i]
			if c.sub > 0 || !p.relevant(uint32(i)) || !c.beginsIn(j) {
				continue
			}
			if shared {
				bits, shared = &pairs{}, false
				*bits = *p.layers[j+1]
			}
			bits.add(c)
		}
		p.layers[j] = bits
	}
	for i := range s.choices {
		if c := &s.choices[i]; p.relevant(uint32(i)) {
			p.horizon, p.wild = max(p.horizon, c.max+1), p.wild || c.max == -1
		}
	}
	return p
}

func (p *plan) relevant(choice uint32) bool { return p.counts == nil || p.counts[choice] }

// over reports whether no text that counts begins at offset i or later.
func (p *plan) over(i int) bool { return !p.wild && i >= p.horizon }

// layer returns the bitmap for offset i, at least 1, and the offset where the next one begins.
func (p *plan) layer(i int) (*pairs, int) {
	for j := len(stretches) - 1; j > 0; j-- {
		if i >= stretches[j] {
			if j+1 < len(stretches) {
				return p.layers[j], stretches[j+1]
			}
			return p.layers[j], maxInt
		}
	}
	return p.layers[0], stretches[1]
}

const maxInt = int(^uint(0) >> 1)

// beginsIn reports whether a choice begins in stretch j, but not in the next one.
func (c *choiceOf) beginsIn(j int) bool {
	if j == len(stretches)-1 {
		return c.max == -1 || c.max >= stretches[j]
	}
	return c.max >= stretches[j] && c.max < stretches[j+1]
}

// plans keeps the plans of a matcher by the matches so far.
type plans struct {
	mu sync.Mutex
	by map[planKey]*plan
}

// planKey has the inputs of a plan.
type planKey struct {
	searcher *searcher
	last     int    // the last match; -1 before the first
	pivot    string // the suggested signatures
}

// maxPlans bounds the plans that are kept. A file without a plan of its own is searched by the plan
// for all: this takes longer, with the same matches.
const maxPlans = 128

// plan returns the plan for the matches so far.
func (s *scorer) plan(r *searcher) *plan {
	current := &s.planStart
	if r == s.end {
		current = &s.planEnd
	}
	if *current == nil {
		*current = s.plans.get(s, r)
	}
	return *current
}

func (ps *plans) get(s *scorer, r *searcher) *plan {
	k := planKey{searcher: r, last: -1}
	if s.wait.wait != nil {
		k.last, k.pivot = s.wait.last, keyOf(s.wait.pivot)
	}
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if p := ps.by[k]; p != nil {
		return p
	}
	if ps.by == nil {
		ps.by = map[planKey]*plan{}
	}
	if len(ps.by) >= maxPlans {
		k = planKey{searcher: r, last: -1}
		if p := ps.by[k]; p != nil {
			return p
		}
	}
	var counts []bool
	if k.last >= 0 {
		counts = r.counting(s.tests, s.wait.stillCounting())
	}
	p := r.plan(counts)
	ps.by[k] = p
	return p
}

func keyOf(signatures []int) string {
	var b []byte
	for _, i := range signatures {
		b = binary.AppendUvarint(b, uint64(i))
	}
	return string(b)
}

// counting returns the choices that may complete one of the signatures, with the choices that must
// match before them.
func (s *searcher) counting(tests []*testTree, signatures map[int]bool) []bool {
	counts := make([]bool, len(s.choices))
	for i := len(s.choices) - 1; i >= 0; i-- {
		c := &s.choices[i]
		counts[i] = c.behind >= 0 && counts[c.behind]
		for _, k := range tests[c.tree].keyFrames {
			counts[i] = counts[i] || signatures[k[0]]
		}
	}
	return counts
}
