package inflate

import (
	"quire/format/fault"
	"quire/format/gzipmember"
)

// slab is a section of the inflated stream, with its faults. One side fills it, then the other
// reads it.
//
// It begins with a copy of the last bytes of the slab before. So a look across the border of two
// slabs is one slice, and deflate data finds the bytes it refers to.
type slab struct {
	buf    []byte
	lead   int // buf[leadSize-lead:leadSize] repeats the end of the slab before
	end    int // the section is buf[leadSize:end]
	pieces []piece
	err    error // the error after it; nil if the stream continues
}

// piece is the output of one step of inflating; it never crosses members.
type piece struct {
	end    int           // of its bytes in the slab; it begins at the end of the previous piece
	begins bool          // its member begins with it,
	member int64         // at this offset of the file,
	found  bool          // which a search found
	ended  int64         // its member ends with it, before this offset of the file; 0 when not
	faults []fault.Fault // reported when the reader reaches it
}

// Sizes of a slab. Small slabs cost many exchanges between the two sides. Large ones leave the
// processor's cache before the other side reads them.
const (
	leadSize  = gzipmember.Window
	slabSize  = 128 << 10
	maxPieces = 1 << 10 // bounds the list for a file of tiny members
)

func newSlab() *slab {
	return &slab{buf: make([]byte, leadSize+slabSize), end: leadSize}
}

// follow empties the slab and makes it the successor of last, which may be the same slab.
func (s *slab) follow(last *slab) {
	tail := last.buf[leadSize-last.lead : last.end]
	tail = tail[max(len(tail)-leadSize, 0):]
	copy(s.buf[leadSize-len(tail):], tail)
	clear(s.pieces) // faults may hold long texts
	s.lead, s.end, s.pieces, s.err = len(tail), leadSize, s.pieces[:0], nil
}

// full reports whether the slab has no more room.
func (s *slab) full() bool { return s.end == len(s.buf) || len(s.pieces) >= maxPieces }
