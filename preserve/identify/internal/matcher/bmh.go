// Copyright 2014-2024 Richard Lehane. Licensed under the Apache License, Version 2.0.
// Changed for Quire: see doc.go.

package matcher

import "bytes"

// searched is a sequence with the tables of Boyer, Moore and Horspool for searching it.
type searched struct {
	seq     []byte
	advance int // after a match
	shift   [256]uint16
}

func (d *decoder) searched() searched {
	s := searched{seq: d.bytes(), advance: d.smallInt()}
	for i := range s.shift {
		s.shift[i] = uint16(d.smallInt())
	}
	return s
}

func (s *searched) length() (int, int) { return len(s.seq), len(s.seq) }

// forwards is searched from the start of the bytes to their end.
type forwards struct{ searched }

func (s *forwards) test(b []byte) ([]int, int) {
	if len(b) < len(s.seq) {
		return nil, 0
	}
	if len(s.seq) > 0 && !bytes.HasPrefix(b, s.seq) {
		return nil, int(s.shift[b[len(s.seq)-1]])
	}
	return []int{len(s.seq)}, s.advance
}

func (s *forwards) testR(b []byte) ([]int, int) { return s.simple(b, bytes.HasSuffix) }

// backwards is searched from the end of the bytes to their start.
type backwards struct{ searched }

func (s *backwards) test(b []byte) ([]int, int) { return s.simple(b, bytes.HasPrefix) }

func (s *backwards) testR(b []byte) ([]int, int) {
	if len(b) < len(s.seq) {
		return nil, 0
	}
	if len(s.seq) > 0 && !bytes.HasSuffix(b, s.seq) {
		return nil, int(s.shift[b[len(b)-len(s.seq)]])
	}
	return []int{len(s.seq)}, s.advance
}

// simple searches in the direction that the tables are not made for.
func (s *searched) simple(b []byte, matches func(b, seq []byte) bool) ([]int, int) {
	if len(b) < len(s.seq) {
		return nil, 0
	}
	if matches(b, s.seq) {
		return []int{len(s.seq)}, s.advance
	}
	return nil, 1
}
