package inflate

import (
	"quire/format/fault"
	"quire/format/gzipmember"
)

// slab is a stretch of the inflated stream, with what is to be told of it. One side fills it, then
// the other reads it.
//
// It begins with a copy of the last bytes of the slab before, so that a look across the border of
// two slabs is one slice like any other, and that deflate data finds what it refers to.
type slab struct {
	buf    []byte
	lead   int // buf[leadSize-lead:leadSize] repeats the end of the slab before
	end    int // the stretch is buf[leadSize:end]
	pieces []piece
	err    error // what comes behind it; nil when the stream goes on
}

// piece is what was inflated in one go: never of two members.
type piece struct {
	end    int           // of its bytes in the slab; it begins where the one before ends
	begins bool          // its member begins with it,
	member int64         // at this offset of the file
	ended  int64         // its member ends with it, before this offset of the file; 0 when not
	faults []fault.Fault // to be told when it is reached
}

// Sizes of a slab. A small one costs much going to and fro between the two sides; large ones do not
// stay in a processor's cache until the other side reads them.
const (
	leadSize  = gzipmember.Window
	slabSize  = 128 << 10
	maxPieces = 1 << 10 // a file of the smallest members must not make the list of them large
)

func newSlab() *slab {
	return &slab{buf: make([]byte, leadSize+slabSize), end: leadSize}
}

// follow empties the slab, and makes it the one behind last, which may be the same.
func (s *slab) follow(last *slab) {
	tail := last.buf[leadSize-last.lead : last.end]
	tail = tail[max(len(tail)-leadSize, 0):]
	copy(s.buf[leadSize-len(tail):], tail)
	clear(s.pieces) // faults may hold long texts
	s.lead, s.end, s.pieces, s.err = len(tail), leadSize, s.pieces[:0], nil
}

// full says that nothing more can be put into the slab.
func (s *slab) full() bool { return s.end == len(s.buf) || len(s.pieces) >= maxPieces }
