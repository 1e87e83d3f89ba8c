// Copyright 2019 Richard Lehane. Licensed under the Apache License, Version 2.0.
// Changed for Quire: see doc.go.

package matcher

import "io"

// filling is a Source that is read as far as siegfried would have read it.
type filling interface {
	fill(offset int)
	// stream returns the bytes that siegfried reads from the start, at most limit.
	stream(limit int) []byte
}

// identify calls report with each signature that matches, and its basis. Signatures in pivot are
// suggested by the name or the declared type.
func (m *bytesMatcher) identify(src Source, pivot []int, report func(signature int, basis string)) {
	s := &scorer{bytesMatcher: m, src: src, wait: m.priorities.waitSet(pivot), report: report}
	s.frames(m.startFrames, false)
	if s.done {
		return
	}
	run := m.start.get()
	defer m.start.put(run)
	pause := s.startPart(run)
	if s.done {
		return
	}
	if m.maxEnd != 0 {
		if f, ok := src.(filling); ok {
			f.fill(maxInt)
		}
		if s.frames(m.endFrames, true); s.done {
			return
		}
		if s.endPart(); s.done {
			return
		}
	}
	if pause >= 0 {
		s.second(run)
	}
}

// frames tests frames at the start or the end.
func (s *scorer) frames(set frameSet, reverse bool) {
	for i := range set.frames {
		f := &set.frames[i]
		var b []byte
		var err error
		var ends []int
		if reverse {
			b, err = s.src.EofSlice(0, f.reach())
		} else {
			b, err = s.src.Slice(0, f.reach())
		}
		if err != nil && err != io.EOF { //nolint:errorlint // a Source returns io.EOF itself
			return
		}
		if reverse {
			ends = f.matchR(b)
		} else {
			ends = f.match(b)
		}
		for _, end := range ends {
			s.strike(strike{set.trees[i], int64(f.least), end - f.least, reverse})
			if s.done {
				return
			}
		}
	}
}

// unlimited returns limit, or the greatest number if there is none.
func unlimited(limit int) int {
	if limit < 0 {
		return maxInt
	}
	return limit
}

// startPart searches from the start, up to where siegfried pauses. It returns this offset, or -1 if
// nothing can match behind it.
func (s *scorer) startPart(run *search) int {
	var b []byte
	if f, ok := s.src.(filling); ok {
		b = f.stream(unlimited(s.maxStart))
	} else {
		var err error
		if b, err = s.src.Slice(0, unlimited(s.maxStart)); err != nil && err != io.EOF { //nolint:errorlint // as above
			return -1
		}
	}
	run.begin(b, false)
	p := s.search(run, min(len(b), run.maxOff+1))
	if p == nil || len(b) <= run.maxOff {
		return -1
	}
	if !p.wild {
		s.search(run, len(b)) // texts that have begun
		return -1
	}
	pause, paused := run.pause(b)
	if p = s.search(run, pause); p == nil || !paused || !p.wild {
		return -1
	}
	return pause
}

// endPart searches from the end.
func (s *scorer) endPart() {
	b, err := s.src.EofSlice(0, unlimited(s.maxEnd))
	if err != nil && err != io.EOF { //nolint:errorlint // as above
		return
	}
	run := s.end.get()
	defer s.end.put(run)
	run.begin(b, true)
	s.search(run, len(b))
}

// search searches on, up to offset end. It returns the last plan, or nil if no further match counts.
func (s *scorer) search(run *search, end int) *plan {
	f, _ := s.src.(filling)
	return run.run(s.plan(run.searcher), end, func(h hit) *plan {
		if f != nil {
			f.fill(h.end)
		}
		s.strike(strike{run.choices[h.choice].tree, int64(h.start), h.end - h.start, run.reverse})
		if s.done {
			return nil
		}
		return s.plan(run.searcher)
	})
}

// second searches on behind the pause for the sequences of signatures that may still match.
func (s *scorer) second(run *search) {
	signatures := s.wait.waitingOn()
	if signatures == nil {
		for i := range s.candidates {
			signatures = append(signatures, i)
		}
	}
	segments := map[keyFrameID]bool{}
	for _, k := range s.anyStart {
		segments[k] = true
	}
	for _, i := range signatures {
		s.unlimited(i, segments)
	}
	if run.only = run.from(s.tests, segments); run.only != nil {
		s.search(run, len(run.data))
	}
}

// unlimited adds the segments of a signature that may be anywhere, if all others were found.
func (s *scorer) unlimited(signature int, to map[keyFrameID]bool) {
	c := s.candidates[signature]
	for i := range s.keyFrames[signature] {
		found := s.keyFrames[signature][i].key.most == -1
		if !found && c != nil {
			p := c.potential[i]
			found = c.partial[i] != nil || (p > 0 && s.untested[p-1].left() > 0)
		}
		if !found {
			return
		}
	}
	for i := range s.keyFrames[signature] {
		if s.keyFrames[signature][i].key.most == -1 {
			to[keyFrameID{signature, i}] = true
		}
	}
}
