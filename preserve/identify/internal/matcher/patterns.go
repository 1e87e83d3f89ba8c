// Copyright 2014-2024 Richard Lehane. Licensed under the Apache License, Version 2.0.
// Changed for Quire: see doc.go.

package matcher

import "bytes"

// pattern is one part of a signature.
type pattern interface {
	// test compares the start of b. It returns the lengths of all matches, and how many bytes to
	// advance before the next test; 0 if b is too short for a match here or later.
	test(b []byte) ([]int, int)
	// testR is like test at the end of b.
	testR(b []byte) ([]int, int)
	// length returns the least and the greatest length in bytes.
	length() (int, int)
}

// The codes of patterns in a signature file. Others belong to signatures of other registries.
const (
	codeSequence byte = iota
	codeChoice
	codeList
	codeNot
	codeBMH
	codeRBMH
	codeMask
	codeAnyMask
	codeRange
	codeMachine = 12
	codeBlock   = 13
)

// pattern reads a pattern.
func (d *decoder) pattern() pattern {
	switch d.byte() {
	case codeSequence:
		return sequence(d.bytes())
	case codeChoice:
		return choice(d.patterns())
	case codeList:
		return list(d.patterns())
	case codeNot:
		return not{d.pattern()}
	case codeBMH:
		return &forwards{d.searched()}
	case codeRBMH:
		return &backwards{d.searched()}
	case codeMask:
		return mask(d.byte())
	case codeAnyMask:
		return anyMask(d.byte())
	case codeRange:
		return between{d.bytes(), d.bytes()}
	case codeMachine:
		return machine(d.frames())
	case codeBlock:
		return &block{left: d.frames(), right: d.frames(), key: d.pattern(), size: d.int(), off: d.int(), offR: d.int()}
	}
	d.fail(errUnsupported)
	return sequence(nil)
}

func (d *decoder) patterns() []pattern {
	all := make([]pattern, d.count())
	for i := range all {
		all[i] = d.pattern()
	}
	return all
}

// sequence matches itself.
type sequence []byte

func (s sequence) test(b []byte) ([]int, int) {
	if len(b) < len(s) {
		return nil, 0
	}
	if bytes.HasPrefix(b, s) {
		return []int{len(s)}, 1
	}
	return nil, 1
}

func (s sequence) testR(b []byte) ([]int, int) {
	if len(b) < len(s) {
		return nil, 0
	}
	if bytes.HasSuffix(b, s) {
		return []int{len(s)}, 1
	}
	return nil, 1
}

func (s sequence) length() (int, int) { return len(s), len(s) }

// choice matches one of several patterns.
type choice []pattern

func (c choice) test(b []byte) ([]int, int) { return c.any(b, pattern.test) }

func (c choice) testR(b []byte) ([]int, int) { return c.any(b, pattern.testR) }

func (c choice) any(b []byte, test func(pattern, []byte) ([]int, int)) ([]int, int) {
	var found []int
	var matched, missed int // bytes to advance
	for _, p := range c {
		lengths, advance := test(p, b)
		if len(lengths) > 0 {
			found = append(found, lengths...)
			if matched == 0 || (advance > 0 && advance < matched) {
				matched = advance
			}
		} else if missed == 0 || (advance > 0 && advance < missed) {
			missed = advance
		}
	}
	if len(found) > 0 {
		return found, matched
	}
	return nil, missed
}

func (c choice) length() (least, most int) {
	for i, p := range c {
		low, high := p.length()
		if i == 0 || low < least {
			least = low
		}
		most = max(most, high)
	}
	return least, most
}

// list matches patterns that follow one another.
type list []pattern

func (l list) test(b []byte) ([]int, int) {
	if len(l) == 0 {
		return nil, 0
	}
	totals := []int{0}
	for _, p := range l {
		if totals = extend(totals, func(t int) []int {
			lengths,
				_ := p.test(b[t:])
			return lengths
		}); len(totals) == 0 {
			return nil, 1
		}
	}
	return totals, 1
}

func (l list) testR(b []byte) ([]int, int) {
	if len(l) == 0 {
		return nil, 0
	}
	totals := []int{0}
	for i := len(l) - 1; i >= 0; i-- {
		p := l[i]
		if totals = extend(totals, func(t int) []int {
			lengths, _ := p.testR(b[:len(b)-t])
			return lengths
		}); len(totals) == 0 {
			return nil, 1
		}
	}
	return totals, 1
}

// extend returns every total plus every length of a match behind it.
func extend(totals []int, test func(int) []int) []int {
	var longer []int
	for _, t := range totals {
		for _, l := range test(t) {
			longer = append(longer, t+l)
		}
	}
	return longer
}

func (l list) length() (least, most int) {
	for _, p := range l {
		low, high := p.length()
		least, most = least+low, most+high
	}
	return least, most
}

// not matches where its pattern does not.
type not struct{ pattern }

func (n not) test(b []byte) ([]int, int) { return n.none(b, n.pattern.test) }

func (n not) testR(b []byte) ([]int, int) { return n.none(b, n.pattern.testR) }

func (n not) none(b []byte, test func([]byte) ([]int, int)) ([]int, int) {
	least, _ := n.length()
	if len(b) < least {
		return nil, 0
	}
	if lengths, _ := test(b); len(lengths) == 0 {
		return []int{least}, 1
	}
	return nil, 1
}

func (n not) length() (int, int) {
	least, _ := n.pattern.length()
	return least, least
}

// mask matches a byte with all of its bits.
type mask byte

func (m mask) test(b []byte) ([]int, int) {
	return oneByte(b, func() bool { return byte(m)&b[0] == byte(m) })
}

func (m mask) testR(b []byte) ([]int, int) {
	return oneByte(b, func() bool { return byte(m)&b[len(b)-1] == byte(m) })
}

func (m mask) length() (int, int) { return 1, 1 }

// anyMask matches a byte with one of its bits.
type anyMask byte

func (m anyMask) test(b []byte) ([]int, int) {
	return oneByte(b, func() bool { return byte(m)&b[0] != 0 })
}

func (m anyMask) testR(b []byte) ([]int, int) {
	return oneByte(b, func() bool { return byte(m)&b[len(b)-1] != 0 })
}

func (m anyMask) length() (int, int) { return 1, 1 }

func oneByte(b []byte, matches func() bool) ([]int, int) {
	switch {
	case len(b) == 0:
		return nil, 0
	case matches():
		return []int{1}, 1
	}
	return nil, 1
}

// between matches bytes from one value to another.
type between struct{ from, to []byte }

func (r between) test(b []byte) ([]int, int) {
	if len(b) < len(r.from) || len(b) < len(r.to) {
		return nil, 0
	}
	return r.within(b[:len(r.from)], b[:len(r.to)])
}

func (r between) testR(b []byte) ([]int, int) {
	if len(b) < len(r.from) || len(b) < len(r.to) {
		return nil, 0
	}
	return r.within(b[len(b)-len(r.from):], b[len(b)-len(r.to):])
}

func (r between) within(from, to []byte) ([]int, int) {
	if bytes.Compare(r.from, from) < 1 && bytes.Compare(r.to, to) > -1 {
		return []int{len(r.from)}, 1
	}
	return nil, 1
}

func (r between) length() (int, int) { return len(r.from), len(r.from) }
