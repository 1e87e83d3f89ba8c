// Copyright 2014-2024 Richard Lehane. Licensed under the Apache License, Version 2.0.
// Changed for Quire: see doc.go.

package matcher

// span is the range of positions and lengths of a part of a signature, in bytes.
type span struct {
	least, most       int64 // position; most is -1 without a limit
	shortest, longest int   // length
}

// keyFrame is one segment of a signature: the searched part of it, and where it may be.
type keyFrame struct {
	from origin
	seg  span // of the whole segment, relative to its origin
	key  span // of the searched part, from the start or the end of the file
}

// keyFrameID is the index of a signature, and of a segment within it.
type keyFrameID [2]int

func (d *decoder) span() span {
	return span{least: int64(d.int()), most: int64(d.int()), shortest: d.smallInt(), longest: d.smallInt()}
}

func (d *decoder) keyFrames() [][]keyFrame {
	all := make([][]keyFrame, d.count())
	for i := range all {
		all[i] = make([]keyFrame, d.count())
		for j := range all[i] {
			all[i][j] = keyFrame{from: origin(d.byte()), seg: d.span(), key: d.span()}
		}
	}
	return all
}

func (d *decoder) keyFrameID() keyFrameID { return keyFrameID{d.smallInt(), d.smallInt()} }

func (d *decoder) keyFrameIDs() []keyFrameID {
	all := make([]keyFrameID, d.count())
	for i := range all {
		all[i] = d.keyFrameID()
	}
	return all
}

// at reports whether the searched part may be at offset o.
func (k *keyFrame) at(o int64) bool {
	return k.key.least <= o && (k.key.most == -1 || o <= k.key.most)
}

// anywhere reports whether the segment may be anywhere behind or before its neighbour.
func (k *keyFrame) anywhere() bool { return k.seg.most == -1 && k.seg.least == 0 }

// oneEnough reports whether one match of segment i suffices, because no other segment is measured
// from it.
func oneEnough(i int, segments []keyFrame) bool {
	k := &segments[i]
	if k.from == fromStart || (k.from == fromPrevious && k.anywhere()) {
		if i+1 < len(segments) {
			next := &segments[i+1]
			return next.from != fromPrevious || (next.seg.most <= -1 && next.seg.least <= 0)
		}
		return true
	}
	if i > 0 {
		previous := &segments[i-1]
		return previous.from != fromNext || (previous.seg.most <= -1 && previous.seg.least <= 0)
	}
	return true
}

// match is the offset and the length of a match, in bytes.
type match [2]int64

// related returns the matches of a segment that fit the matches of the segment before, and for each
// the index of the match that it fits.
func related(this, previous, next *keyFrame, found, before []match) (fit []match, index []int, ok bool) {
	switch this.from {
	case fromStart:
		return found, make([]int, len(found)), true
	case fromNext, fromEnd:
		if previous.from != fromNext || previous.anywhere() {
			return found, make([]int, len(found)), true
		}
		return within(found, before, previous.seg, this.from == fromEnd)
	default:
		if this.anywhere() {
			return found, make([]int, len(found)), true
		}
		return within(found, before, this.seg, next.from != fromPrevious || next.anywhere())
	}
}

// within returns the matches in found at an accepted distance behind one in before; the first alone
// if one suffices.
func within(found, before []match, accepted span, one bool) (fit []match, index []int, ok bool) {
	for _, f := range found {
		for i, b := range before {
			distance := f[0] - b[0] - b[1]
			if distance < 0 || distance < accepted.least || (accepted.most > -1 && distance > accepted.most) {
				continue
			}
			fit, index, ok = append(fit, f), append(index, i), true
			if one {
				return fit, index, ok
			}
		}
	}
	return fit, index, ok
}
