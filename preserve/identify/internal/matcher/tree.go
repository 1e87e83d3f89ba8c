// Copyright 2014-2024 Richard Lehane. Licensed under the Apache License, Version 2.0.
// Changed for Quire: see doc.go.

package matcher

// testTree has the tests around one searched sequence.
type testTree struct {
	complete          []keyFrameID // matched by the sequence alone
	incomplete        []followUp
	maxLeft, maxRight int // bytes that the tests need on each side
	left, right       []*testNode
	keyFrames         []keyFrameID // all: the complete ones first
}

// followUp is a segment that needs tests on the left, the right, or both.
type followUp struct {
	id          keyFrameID
	left, right bool
}

// testNode is a test, with the tests that follow it.
type testNode struct {
	frame
	success []int // indexes of the followUps that it completes
	tests   []*testNode
}

func (d *decoder) testTrees() []*testTree {
	all := make([]*testTree, d.count())
	for i := range all {
		t := &testTree{complete: d.keyFrameIDs()}
		t.incomplete = make([]followUp, d.count())
		for j := range t.incomplete {
			t.incomplete[j] = followUp{id: d.keyFrameID(), left: d.bool(), right: d.bool()}
		}
		t.maxLeft, t.maxRight = d.int(), d.int()
		t.left, t.right = d.testNodes(), d.testNodes()
		t.keyFrames = append(t.keyFrames, t.complete...)
		for _, f := range t.incomplete {
			t.keyFrames = append(t.keyFrames, f.id)
		}
		all[i] = t
	}
	return all
}

func (d *decoder) testNodes() []*testNode {
	all := make([]*testNode, d.count())
	for i := range all {
		all[i] = &testNode{frame: d.frame(), success: d.ints(), tests: d.testNodes()}
	}
	return all
}

// run applies tests to b: from its start, or from its end if reverse. It adds the distances of the
// matches to those of each followUp.
func run(tests []*testNode, b []byte, reverse bool, found [][]int) {
	for _, t := range tests {
		t.run(b, 0, reverse, found)
	}
}

func (t *testNode) run(b []byte, at int, reverse bool, found [][]int) {
	if at >= len(b) {
		return
	}
	var ends []int
	if reverse {
		ends = t.matchR(b[:len(b)-at])
	} else {
		ends = t.match(b[at:])
	}
	if len(ends) == 0 {
		return
	}
	for i := range ends {
		ends[i] += at
	}
	for _, s := range t.success {
		if found[s] == nil {
			found[s] = ends // shared, with its spare capacity, as in siegfried: the same distances follow
		} else {
			found[s] = append(found[s], ends...)
		}
	}
	for _, end := range ends {
		for _, next := range t.tests {
			next.run(b, end, reverse, found)
		}
	}
}

// has reports whether the tree can complete one of the segments.
func (t *testTree) has(segments map[keyFrameID]bool) bool {
	for _, k := range t.keyFrames {
		if segments[k] {
			return true
		}
	}
	return false
}
