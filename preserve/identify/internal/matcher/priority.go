// Copyright 2014-2024 Richard Lehane. Licensed under the Apache License, Version 2.0.
// Changed for Quire: see doc.go.

package matcher

import "slices"

// priorities has, for each signature, the signatures whose matches are preferred to its own. A
// signature file has one list for each registry; this matcher reads files with one.
type priorities struct {
	preferred  [][]int // sorted; nil without priorities
	size       int     // number of signatures
	maxOffsets [2]int  // of a signature, from the start and the end
}

func (d *decoder) priorities() priorities {
	p := priorities{}
	ends := d.ints() // of each list of signatures
	if len(ends) > 1 {
		d.fail(errUnsupported)
		return p
	}
	if len(ends) == 1 {
		p.size = ends[0]
	}
	for range d.count() {
		n := d.count()
		if n == 0 {
			continue
		}
		p.preferred = make([][]int, n)
		for i := range p.preferred {
			p.preferred[i] = d.ints()
		}
	}
	for range d.count() {
		p.maxOffsets = [2]int{d.int(), d.int()}
	}
	return p
}

// awaits reports whether signatures can match beyond the start and the end of a file.
func (p *priorities) awaits() bool { return p.maxOffsets != [2]int{} }

// list returns the signatures that are preferred to signature i: nil without priorities.
func (p *priorities) list(i int) []int {
	if p.preferred == nil {
		return nil
	}
	if l := p.preferred[i]; l != nil {
		return l
	}
	return []int{}
}

// waitSet knows the signatures that still count, given the matches so far.
type waitSet struct {
	*priorities
	wait  []int // preferred to the last match; nil before the first
	last  int   // the last match
	pivot []int // suggested by the name or the declared type: these count in any case
}

func (p *priorities) waitSet(pivot []int) waitSet { return waitSet{priorities: p, pivot: pivot} }

// put records a match, and reports whether no further match counts.
func (w *waitSet) put(i int) bool {
	l := w.list(i)
	if l == nil && w.awaits() {
		return false
	}
	w.wait, w.last = l, i
	mayPivot := len(w.pivot) > 0 && !slices.Contains(w.pivot, i)
	if !mayPivot {
		w.pivot = nil
	}
	return len(l) == 0 && !mayPivot || !w.awaits()
}

// putContainer is put for containers, whose signatures have no offsets.
func (w *waitSet) putContainer(i int) bool {
	l := w.list(i)
	if l == nil {
		return false
	}
	w.wait, w.last = l, i
	mayPivot := len(w.pivot) > 0 && !slices.Contains(w.pivot, i)
	if !mayPivot {
		w.pivot = nil
	}
	return len(l) == 0 && !mayPivot
}

// check reports whether signature i still counts.
func (w *waitSet) check(i int) bool {
	if w.wait == nil {
		return true
	}
	if _, ok := slices.BinarySearch(w.wait, i); ok {
		return true
	}
	if !slices.Contains(w.pivot, i) {
		return false
	}
	_, weaker := slices.BinarySearch(w.list(i), w.last)
	return !weaker
}

// waitingOn returns the signatures that still count, or nil if all do.
func (w *waitSet) waitingOn() []int {
	if w.wait == nil {
		return nil
	}
	return append(append([]int{}, w.wait...), w.pivot...)
}

// stillCounting returns all signatures that can count from now on, after any further matches: those
// that count now, those preferred to them, and so on. Priorities may run in circles.
func (w *waitSet) stillCounting() map[int]bool {
	all := map[int]bool{}
	for next := w.waitingOn(); len(next) > 0; {
		i := next[0]
		next = next[1:]
		if !all[i] {
			all[i] = true
			next = append(next, w.list(i)...)
		}
	}
	return all
}
