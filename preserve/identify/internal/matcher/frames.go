// Copyright 2014-2024 Richard Lehane. Licensed under the Apache License, Version 2.0.
// Changed for Quire: see doc.go.

package matcher

import "bytes"

// frame is a pattern with its distance from the start, the end, or its neighbour.
type frame struct {
	least, most int // the distance in bytes; most is -1 without a limit
	from        origin
	pattern
	key    []byte // a sequence in every match; nil if there is none
	off    int    // bytes from the start of a match to the key
	offEnd int    // bytes from the end of a match to the end of the key
}

// origin is where a distance begins.
type origin uint8

const (
	fromStart    origin = iota // of the file
	fromPrevious               // from the end of the frame before
	fromNext                   // from the start of the frame behind
	fromEnd                    // of the file
)

func (d *decoder) frame() frame {
	f := frame{least: d.int(), most: d.int(), from: origin(d.byte()), pattern: d.pattern()}
	p := f.pattern
	if bl, ok := p.(*block); ok {
		f.off, f.offEnd, p = bl.off, bl.offR, bl.key
	}
	switch p := p.(type) {
	case *forwards:
		f.key = p.seq
	case *backwards:
		f.key = p.seq
	case sequence:
		f.key = p
	}
	return f
}

// absent reports whether the key is nowhere where a match from the start of b needs it. This takes
// less time than the tests at each offset, and most contents have no match.
func (f *frame) absent(b []byte) bool {
	if len(f.key) == 0 {
		return false
	}
	from := min(len(b), f.least+f.off)
	to := min(len(b), f.limit(b)+f.off+len(f.key))
	return from > to || !bytes.Contains(b[from:to], f.key)
}

// absentR is absent for matches from the end of b.
func (f *frame) absentR(b []byte) bool {
	if len(f.key) == 0 {
		return false
	}
	to := max(0, len(b)-f.least-f.offEnd)
	from := max(0, len(b)-f.limit(b)-f.offEnd-len(f.key))
	return from > to || !bytes.Contains(b[from:to], f.key)
}

func (d *decoder) frames() []frame {
	all := make([]frame, d.count())
	for i := range all {
		all[i] = d.frame()
	}
	return all
}

// reach returns the number of bytes in which the frame can match, or -1 without a limit.
func (f *frame) reach() int {
	if f.most < 0 {
		return -1
	}
	_, most := f.length()
	return most + f.most
}

func (f *frame) limit(b []byte) int {
	if f.most < 0 || f.most > len(b) {
		return len(b)
	}
	return f.most
}

// match returns the ends of all matches in b.
func (f *frame) match(b []byte) []int {
	if f.absent(b) {
		return nil
	}
	var ends []int
	most := f.limit(b)
	for at := f.least; at <= most; {
		lengths, advance := f.test(b[at:])
		for _, l := range lengths {
			ends = append(ends, at+l)
		}
		if advance < 1 {
			break
		}
		at += advance
	}
	return ends
}

// matchR is like match from the end of b; it returns distances from there.
func (f *frame) matchR(b []byte) []int {
	if f.absentR(b) {
		return nil
	}
	var ends []int
	most := f.limit(b)
	for at := f.least; at <= most; {
		lengths, advance := f.testR(b[:len(b)-at])
		for _, l := range lengths {
			ends = append(ends, at+l)
		}
		if advance < 1 {
			break
		}
		at += advance
	}
	return ends
}

// first returns the end of the first match in b, and from where to search on; -1 if there is none.
func (f *frame) first(b []byte) (end, on int) {
	if f.absent(b) {
		return -1, 0
	}
	most := f.limit(b)
	for at := f.least; at <= most; {
		lengths, advance := f.test(b[at:])
		if len(lengths) > 0 {
			return at + lengths[0], at + advance
		}
		if advance < 1 {
			break
		}
		at += advance
	}
	return -1, 0
}

// firstR is like first from the end of b.
func (f *frame) firstR(b []byte) (end, on int) {
	if f.absentR(b) {
		return -1, 0
	}
	most := f.limit(b)
	for at := f.least; at <= most; {
		lengths, advance := f.testR(b[:len(b)-at])
		if len(lengths) > 0 {
			return at + lengths[0], at + advance
		}
		if advance < 1 {
			break
		}
		at += advance
	}
	return -1, 0
}

// machine matches frames that follow one another at variable distances, by trying on.
type machine []frame

func (m machine) test(b []byte) ([]int, int) {
	offs := make([]int, len(m))
	for i := 0; ; {
		if i < 0 {
			return nil, 1
		}
		if offs[i] >= len(b) {
			i--
			continue
		}
		length, advance := m[i].first(b[offs[i]:])
		switch {
		case length < 0:
			i--
		case i == len(m)-1:
			return []int{offs[i] + length}, 1
		default:
			offs[i+1] = offs[i] + length
			offs[i] += advance
			i++
		}
	}
}

func (m machine) testR(b []byte) ([]int, int) {
	offs := make([]int, len(m))
	for i := len(m) - 1; ; {
		if i >= len(m) {
			return nil, 0
		}
		if offs[i] >= len(b) {
			i++
			continue
		}
		length, advance := m[i].firstR(b[:len(b)-offs[i]])
		switch {
		case length < 0:
			i++
		case i == 0:
			return []int{offs[i] + length}, 1
		default:
			offs[i-1] = offs[i] + length
			offs[i] += advance
			i--
		}
	}
}

func (m machine) length() (least, most int) {
	for i := range m {
		low, high := m[i].length()
		least += m[i].least + low
		most += m[i].most + high
	}
	return least, most
}

// block matches frames at fixed distances: the longest first, then its neighbours.
type block struct {
	left, right []frame
	key         pattern
	size        int // in bytes
	off, offR   int // of the key from the start and the end of the block
}

func (bl *block) test(b []byte) ([]int, int) {
	if bl.off >= len(b) {
		return nil, 0
	}
	found, jump := bl.key.test(b[bl.off:])
	if len(found) < 1 || !bl.around(b, bl.off, bl.off+found[0]) {
		return nil, jump
	}
	return []int{bl.size}, jump
}

func (bl *block) testR(b []byte) ([]int, int) {
	if bl.offR >= len(b) {
		return nil, 0
	}
	found, jump := bl.key.testR(b[:len(b)-bl.offR])
	// The left side is measured from the end here, as in siegfried.
	if len(found) < 1 || !bl.around(b, bl.offR+found[0], len(b)-bl.offR) {
		return nil, jump
	}
	return []int{bl.size}, jump
}

// around reports whether the neighbours match: those on the left before offset l, those on the right
// from offset r.
func (bl *block) around(b []byte, l, r int) bool {
	for i := len(bl.left) - 1; i >= 0; i-- {
		if l < 0 {
			return false
		}
		n, _ := bl.left[i].firstR(b[:l])
		if n < 0 {
			return false
		}
		l -= n
	}
	for i := range bl.right {
		if r > len(b)-1 {
			return false
		}
		n, _ := bl.right[i].first(b[r:])
		if n < 0 {
			return false
		}
		r += n
	}
	return true
}

func (bl *block) length() (int, int) { return bl.size, bl.size }
