// Copyright 2014-2024 Richard Lehane. Licensed under the Apache License, Version 2.0.
// Changed for Quire: see doc.go.

package matcher

// bytesMatcher matches signatures of bytes.
type bytesMatcher struct {
	keyFrames              [][]keyFrame
	tests                  []*testTree
	startFrames, endFrames frameSet
	start, end             *searcher
	anyStart, anyEnd       []keyFrameID // segments without a fixed place, in signatures with no other
	maxStart, maxEnd       int          // bytes to read from the start and the end; -1 without a limit
	priorities             priorities
	plans                  plans
}

func (d *decoder) bytesMatcher() *bytesMatcher {
	if !d.bool() {
		return nil
	}
	return &bytesMatcher{
		keyFrames:   d.keyFrames(),
		tests:       d.testTrees(),
		startFrames: d.frameSet(),
		endFrames:   d.frameSet(),
		start:       d.searcher(),
		end:         d.searcher(),
		anyStart:    d.keyFrameIDs(),
		anyEnd:      d.keyFrameIDs(),
		maxStart:    d.int(),
		maxEnd:      d.int(),
		priorities:  d.priorities(),
	}
}

// frameSet has frames that are tested one by one.
type frameSet struct {
	frames []frame
	trees  []int // index of the testTree of each frame
}

func (d *decoder) frameSet() frameSet { return frameSet{d.frames(), d.ints()} }

// seq is a list of choices that must occur in this order. Each choice has a maximum offset, or -1.
type seq struct {
	max     []int
	choices [][][]byte
}

// seqSet has the sequences that one automaton searches.
type seqSet struct {
	seqs  []seq
	trees []int // index of the testTree of the first choice of each sequence
}

func (d *decoder) searcher() *searcher {
	s := &seqSet{seqs: make([]seq, d.count())}
	for i := range s.seqs {
		q := &s.seqs[i]
		q.max = d.ints()
		q.choices = make([][][]byte, d.count())
		for j := range q.choices {
			q.choices[j] = make([][]byte, d.count())
			for k := range q.choices[j] {
				q.choices[j][k] = d.bytes()
			}
		}
	}
	s.trees = d.ints()
	if len(s.trees) != len(s.seqs) {
		d.fail(errTruncated)
		return &searcher{}
	}
	r, err := newSearcher(s)
	if err != nil {
		d.fail(err)
		return &searcher{}
	}
	return r
}
