package matcher

import "slices"

// search is one search for the sequences of a searcher.
type search struct {
	*searcher
	data    []byte
	reverse bool     // from the end of data
	at      int      // offset of the next byte
	runEnd  int      // end of the last run of one byte
	seen    []int    // by choice: the end of its first match; 0 if there is none
	touched []int    // choices in seen
	active  []uint32 // choices that may match because those before them have
	own     pairs    // the bitmap, with the active choices
	pending []hit    // sorted
	// only, in the second part of a search, has by sequence the first choice that is searched, plus 1.
	only []int
}

// hit is a match of a choice.
type hit struct {
	choice     uint32
	start, end int
}

// order is the order in which siegfried's automaton reports: by end, the longest first.
func order(a, b hit) int {
	if a.end != b.end {
		return a.end - b.end
	}
	return a.start - b.start
}

func (s *search) byte(i int) byte {
	if s.reverse {
		return s.data[len(s.data)-1-i]
	}
	return s.data[i]
}

// begin starts a search of data.
func (s *search) begin(data []byte, reverse bool) {
	s.data, s.reverse, s.only, s.at, s.runEnd = data, reverse, nil, 0, 0
	if s.seen == nil {
		s.seen = make([]int, len(s.choices))
	}
	for _, c := range s.touched {
		s.seen[c] = 0
	}
	s.touched, s.active, s.pending = s.touched[:0], s.active[:0], s.pending[:0]
}

// run searches on, up to offset end. It calls found for each match; found returns the plan for the
// rest, or nil to stop. run returns the last plan.
func (s *search) run(p *plan, end int, found func(hit) *plan) *plan {
	if s.at == 0 && end > 0 {
		s.walk(0, p)
		s.at = 1
	}
	var bits *pairs
	layerEnd := 0
	for {
		if len(s.pending) > 0 && s.pending[0].end <= s.at {
			active := len(s.active)
			next := s.report(p, found)
			if next == nil {
				return nil
			}
			if next != p || len(s.active) > active {
				p, layerEnd = next, 0
			}
			continue
		}
		if s.at >= end || (len(s.pending) == 0 && s.only == nil && p.over(s.at)) {
			return p
		}
		if s.at >= layerEnd {
			bits, layerEnd = s.bitmap(p, s.at)
		}
		to := min(end, layerEnd)
		if len(s.pending) > 0 {
			to = min(to, s.pending[0].end)
		}
		if s.at = s.skip(bits, s.at, to); s.at < to {
			s.walk(s.at, p)
			s.at++
		}
	}
}

// bitmap returns the beginnings that count at offset i, and the offset where they change.
func (s *search) bitmap(p *plan, i int) (*pairs, int) {
	if s.only != nil {
		s.own = pairs{}
		for seq, from := range s.only {
			s.addFrom(seq, from)
		}
		return &s.own, maxInt
	}
	bits, to := p.layer(i)
	copied := false
	for _, id := range s.active {
		c := &s.choices[id]
		if !p.relevant(id) || (c.max != -1 && c.max < i) {
			continue
		}
		if !copied {
			s.own, copied = *bits, true
		}
		s.own.add(c)
	}
	if copied {
		return &s.own, to
	}
	return bits, to
}

// addFrom adds the choices of a sequence that may match now, beginning with choice from - 1.
func (s *search) addFrom(seq, from int) {
	if from == 0 {
		return
	}
	for _, id := range s.index[seq][from-1:] {
		if c := &s.choices[id]; c.before < 0 || s.seen[c.before] != 0 {
			s.own.add(c)
		}
	}
}

// skip returns the first offset from i on, below to, where a text may begin; the last byte of the
// data is one. It returns to if there is none.
func (s *search) skip(bits *pairs, i, to int) int {
	last := len(s.data) - 1
	stop := min(to, last)
	if s.reverse {
		for ; i < stop; i++ {
			at := last - i
			if bits.has(pairOf(s.data[at], s.data[at-1])) {
				return i
			}
		}
	} else {
		b := s.data
		for ; i < stop; i++ {
			if bits.has(pairOf(b[i], b[i+1])) {
				return i
			}
		}
	}
	return i
}

// walk adds the texts that begin at offset i to those to report.
func (s *search) walk(i int, p *plan) {
	if s.inRun(i) {
		for _, h := range s.same[s.byte(i)].ends {
			if s.may(h.choice, i, p) {
				s.add(hit{h.choice, i, i + h.end})
			}
		}
		return
	}
	n := s.root[s.byte(i)]
	for at := i + 1; n != 0; at++ {
		t := &s.nodes[n]
		for _, id := range s.trie.choices[t.firstChoice : t.firstChoice+uint32(t.choices)] {
			if s.may(id, i, p) {
				s.add(hit{id, i, at})
			}
		}
		if at >= len(s.data) || t.children == 0 {
			return
		}
		n = s.next(n, s.byte(at))
	}
}

// inRun reports whether so many bytes from offset i on are the same that a walk ends among them.
func (s *search) inRun(i int) bool {
	c := s.byte(i)
	longest := s.same[c].longest
	if longest < 2 || i+1 >= len(s.data) || s.byte(i+1) != c {
		return false
	}
	if i >= s.runEnd {
		for s.runEnd = i; s.runEnd < len(s.data) && s.byte(s.runEnd) == c; {
			s.runEnd++
		}
	}
	return s.runEnd-i > longest
}

// may reports whether a match of a choice at offset i can count.
func (s *search) may(id uint32, i int, p *plan) bool {
	c := &s.choices[id]
	if s.only != nil {
		from := s.only[c.seq]
		return from > 0 && c.sub >= from-1
	}
	return (c.max == -1 || i <= c.max) && p.relevant(id)
}

// add inserts h behind all hits that are reported before it or together with it.
func (s *search) add(h hit) {
	at := len(s.pending)
	for at > 0 && order(s.pending[at-1], h) > 0 {
		at--
	}
	s.pending = slices.Insert(s.pending, at, h)
}

// report reports the first hit, unless the choice before it has not matched, and returns the plan.
func (s *search) report(p *plan, found func(hit) *plan) *plan {
	h := s.pending[0]
	s.pending = slices.Delete(s.pending, 0, 1)
	c := &s.choices[h.choice]
	if c.before >= 0 && (s.seen[c.before] == 0 || h.start < s.seen[c.before]) {
		return p
	}
	if s.seen[h.choice] == 0 {
		s.seen[h.choice] = h.end
		s.touched = append(s.touched, int(h.choice))
		if c.behind >= 0 {
			s.active = append(s.active, uint32(c.behind))
		}
	}
	return found(h)
}
