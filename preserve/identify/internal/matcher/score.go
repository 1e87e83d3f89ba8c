// Copyright 2015 Richard Lehane. Licensed under the Apache License, Version 2.0.
// Changed for Quire: see doc.go.

package matcher

import "fmt"

// strike is a place where a search or a frame matched.
type strike struct {
	tree    int   // index of the testTree
	offset  int64 // from the start or the end
	length  int
	reverse bool
}

// potential has the strikes of one tree that were not tested yet.
type potential struct {
	first strike
	next  int // index of the next in later; -1 if first is the next
	later []match
}

func (p *potential) left() int { return len(p.later) - p.next }

func (p *potential) pop() strike {
	p.next++
	if p.next > 0 {
		p.first.offset, p.first.length = p.later[p.next-1][0], int(p.later[p.next-1][1])
	}
	return p.first
}

// candidate is a signature of several segments of which some matched.
type candidate struct {
	potential []int     // by segment: 1 more than the tree with untested strikes; 0 if there is none
	partial   [][]match // by segment: its matches
	matched   bool
}

// scorer turns strikes into matches of signatures.
type scorer struct {
	*bytesMatcher
	src                Source
	wait               waitSet
	candidates         map[int]*candidate // by signature
	untested           map[int]*potential // by tree
	report             func(signature int, basis string)
	done               bool  // no further match counts
	planStart, planEnd *plan // nil after a match
	potentials         []keyFrameID
}

func (s *scorer) candidate(signature int) *candidate {
	c := s.candidates[signature]
	if c == nil {
		n := len(s.keyFrames[signature])
		c = &candidate{potential: make([]int, n), partial: make([][]match, n)}
		if s.candidates == nil {
			s.candidates = map[int]*candidate{}
		}
		s.candidates[signature] = c
	}
	return c
}

// complete reports whether every segment but one has matches or untested strikes.
func (s *scorer) complete(c *candidate, but int) bool {
	if c.matched {
		return false
	}
	for i, p := range c.potential {
		if i != but && c.partial[i] == nil && (p == 0 || s.untested[p-1].left() < 1) {
			return false
		}
	}
	return true
}

// next returns the next strike to test for a signature.
func (s *scorer) next(signature int) (strike, bool) {
	c := s.candidates[signature]
	if c == nil || !s.complete(c, -1) {
		return strike{}, false
	}
	fewest, least := 0, 0
	for i, p := range c.potential {
		if c.partial[i] == nil {
			return s.untested[p-1].pop(), true
		}
		if p > 0 {
			if left := s.untested[p-1].left(); left > 0 && (least == 0 || left < least) {
				fewest, least = p-1, left
			}
		}
	}
	if least == 0 {
		return strike{}, false
	}
	return s.untested[fewest].pop(), true
}

// filter keeps the segments whose signatures still count.
func (s *scorer) filter(to, from []keyFrameID) []keyFrameID {
	for _, k := range from {
		if s.wait.check(k[0]) {
			to = append(to, k)
		}
	}
	return to
}

// strike tests a strike, or keeps it for later if its signatures lack other segments.
func (s *scorer) strike(st strike) {
	s.potentials = s.filter(s.potentials[:0], s.tests[st.tree].keyFrames)
	if !s.testable(s.potentials) {
		s.keep(st, s.potentials)
		return
	}
	for more := true; more; {
		s.test(st, s.apply)
		if s.done {
			return
		}
		s.potentials = s.filter(s.potentials[:0], s.potentials)
		more = false
		for _, k := range s.potentials {
			if st, more = s.next(k[0]); more {
				break
			}
		}
	}
}

// testable reports whether a signature has one segment alone, or all other segments are there.
func (s *scorer) testable(potentials []keyFrameID) bool {
	for _, k := range potentials {
		if len(s.keyFrames[k[0]]) == 1 {
			return true
		}
		if c := s.candidates[k[0]]; c != nil && s.complete(c, k[1]) {
			return true
		}
	}
	return false
}

// keep keeps a strike for later.
func (s *scorer) keep(st strike, potentials []keyFrameID) {
	if p := s.untested[st.tree]; p != nil {
		p.later = append(p.later, match{st.offset, int64(st.length)})
	} else {
		if s.untested == nil {
			s.untested = map[int]*potential{}
		}
		s.untested[st.tree] = &potential{first: st, next: -1}
	}
	for _, k := range potentials {
		if s.keyFrames[k[0]][k[1]].at(st.offset) {
			s.candidate(k[0]).potential[k[1]] = st.tree + 1
		}
	}
}

// apply records the match of a segment. If it completes its signature, it reports the signature.
func (s *scorer) apply(k keyFrameID, m match) {
	if s.done {
		return
	}
	basis, ok := s.completes(k, m)
	if !ok {
		return
	}
	if s.wait.check(k[0]) {
		s.report(k[0], basis)
		s.planStart, s.planEnd = nil, nil
		if s.wait.put(k[0]) {
			s.done = true
			return
		}
	}
	if c := s.candidates[k[0]]; c != nil {
		c.matched = true
	}
}

func (s *scorer) completes(k keyFrameID, m match) (basis string, ok bool) {
	segments := s.keyFrames[k[0]]
	if len(segments) == 1 {
		return fmt.Sprintf("byte match at %d, %d", m[0], m[1]), true
	}
	c := s.candidate(k[0])
	c.partial[k[1]] = append(c.partial[k[1]], m)
	for _, p := range c.partial {
		if p == nil {
			return "", false
		}
	}
	return joined(c.partial, segments)
}

// joined searches matches of all segments at accepted distances.
func joined(partial [][]match, segments []keyFrame) (basis string, ok bool) {
	found := make([][]match, len(partial))
	indexes := make([][]int, len(partial))
	before := partial[0]
	found[0] = before
	for i := range segments[1:] {
		next := &keyFrame{}
		if i+2 < len(segments) {
			next = &segments[i+2]
		}
		before, indexes[i+1], ok = related(&segments[i+1], &segments[i], next, partial[i+1], before)
		if !ok {
			return "", false
		}
		found[i+1] = before
	}
	places := make([]match, len(partial))
	last := len(places) - 1
	places[last] = found[last][0]
	j := indexes[last][0]
	for i := last; i > 0; i-- {
		places[i-1] = found[i-1][j]
		if i > 1 {
			j = indexes[i-1][j]
		}
	}
	return fmt.Sprintf("byte match at %v", places), true
}

// test runs the tests around a strike, and calls found with each match of a segment.
func (s *scorer) test(st strike, found func(keyFrameID, match)) {
	off := st.offset // from the start, as in all results
	if st.reverse {
		off = s.src.Size() - st.offset - int64(st.length)
	}
	t := s.tests[st.tree]
	type result struct {
		id keyFrameID
		match
	}
	var results []result
	for _, k := range t.complete {
		if s.keyFrames[k[0]][k[1]].at(st.offset) && s.wait.check(k[0]) {
			results = append(results, result{k, match{off, int64(st.length)}})
		}
	}
	s.around(t, st, func(k keyFrameID, left, right int) {
		results = append(results, result{k, match{off - int64(left), int64(left + st.length + right)}})
	})
	for _, r := range results {
		found(r.id, r.match)
	}
}

// around runs the tests on both sides of a strike. It calls found with each segment that they
// complete, and the distances of the matches.
func (s *scorer) around(t *testTree, st strike, found func(k keyFrameID, left, right int)) {
	checkLeft, checkRight := s.needed(t, st)
	if !checkLeft && !checkRight {
		return
	}
	left, right := make([][]int, len(t.incomplete)), make([][]int, len(t.incomplete))
	if checkLeft {
		at, size := st.offset-int64(t.maxLeft), t.maxLeft
		if st.reverse {
			at = st.offset + int64(st.length)
		}
		run(t.left, s.slice(at, size, st.reverse), true, left)
	}
	if checkRight {
		at, size := st.offset+int64(st.length), t.maxRight
		if st.reverse {
			at = st.offset - int64(t.maxRight)
		}
		run(t.right, s.slice(at, size, st.reverse), false, right)
	}
	for i, f := range t.incomplete {
		if (len(left[i]) > 0) != f.left || (len(right[i]) > 0) != f.right {
			continue
		}
		segments := s.keyFrames[f.id[0]]
		if !segments[f.id[1]].at(st.offset) || !s.wait.check(f.id[0]) {
			continue
		}
		sides(left[i], right[i], oneEnough(f.id[1], segments), func(l, r int) { found(f.id, l, r) })
	}
}

// needed reports on which sides tests are needed for signatures that still count.
func (s *scorer) needed(t *testTree, st strike) (left, right bool) {
	for _, f := range t.incomplete {
		if left && right {
			break
		}
		if s.keyFrames[f.id[0]][f.id[1]].at(st.offset) && s.wait.check(f.id[0]) {
			left, right = left || f.left, right || f.right
		}
	}
	return left, right
}

// slice returns size bytes at an offset from the start, or from the end if reverse. Without all of
// them it returns those that are there.
func (s *scorer) slice(at int64, size int, reverse bool) []byte {
	if at < 0 {
		at, size = 0, size+int(at)
	}
	var b []byte
	if reverse {
		b, _ = s.src.EofSlice(at, size)
	} else {
		b, _ = s.src.Slice(at, size)
	}
	return b
}

// sides calls found with every distance on the left and on the right; with the first alone if one
// suffices. A side without a test has the distance 0.
func sides(left, right []int, one bool, found func(l, r int)) {
	if left == nil {
		left = []int{0}
	}
	if right == nil {
		right = []int{0}
	}
	for _, l := range left {
		for _, r := range right {
			found(l, r)
			if one {
				return
			}
		}
	}
}
