package arc

import (
	"bytes"
	"fmt"
	"io"
)

// tail is how long before the end of a block it is looked at whether a record ends there, in bytes.
const tail = 4096

// bound settles how much may be handed out next: not past the end of the block, which it looks for
// first. more is false when the block has ended.
func (rec *Record) bound(limit int64) (n int64, more bool) {
	if rec.r.compressed() && rec.memberEnds() {
		return 0, false
	}
	if rec.toMember {
		return limit, true
	}
	if rec.left > tail && !rec.tailed {
		return min(limit, rec.left-tail), true
	}
	if !rec.tailed {
		rec.tailed = true
		rec.checkTail()
	}
	return min(limit, rec.left), rec.left > 0
}

// memberEnds ends the block where its member does, when another record begins behind it: the
// boundary of a member says more than a length that was typed.
func (rec *Record) memberEnds() bool {
	if !rec.r.atMember() {
		return false
	}
	if rec.toMember {
		rec.toMember, rec.left = false, 0 // a version block has a length that was settled
		return true
	}
	if !rec.alone || !rec.r.atSureLine() {
		return false
	}
	rec.cut, rec.toldCut = true, true
	rec.tell(Length, fmt.Sprintf("the member ends %d bytes before the block of %d does", rec.left, rec.BlockLength))
	rec.left = 0
	return true
}

// checkTail looks whether the block, of which at most tail bytes are left, is followed by what
// follows a block. When not, and another record begins within those bytes, the length is too large
// and the block is cut there.
func (rec *Record) checkTail() {
	if rec.Version != nil {
		return // its length was settled when it was opened
	}
	left := int(rec.left)
	b, _ := rec.r.in.Peek(left + tail) // an error comes again when the bytes are taken
	s := swallowed{end: rec.given + rec.left, first: -1}
	if len(b) >= left {
		behind := b[left:]
		newlines, sound := follows(behind, len(b) < left+tail)
		if sound && newlines == "\n" || len(behind) == 0 {
			return
		}
		s.believed = newlines != ""
		rec.astray, rec.believed = !sound, s.believed
	}
	if s.look(b, rec.given) {
		rec.cutAt(s.first)
		rec.astray, rec.believed = true, false // it may not be the first
	}
}

// follows gives the line breaks that b, what stands behind a block, begins with, and says whether a
// record follows them, or nothing. Where there are none, the record must begin with one of the
// usual schemes, or "ttp://" would do for the rest of an address. One other byte in the place of
// the newline passes for it: the length is right, for a record follows just there.
func follows(b []byte, ended bool) (newlines string, sound bool) {
	rest := bytes.TrimLeft(b, "\r\n")
	newlines = string(b[:min(len(b)-len(rest), 4)])
	switch {
	case len(rest) == 0:
		return newlines, ended
	case newlines == "" && schemeAt(rest) == "" && schemeAt(rest[1:]) != "" && lineIs(rest[1:], (*parsed).sure):
		return "\n", true
	case newlines == "" && schemeAt(rest) == "":
		return newlines, false
	}
	return newlines, lineIs(rest, (*parsed).sure)
}

// swallowed is a search for the records that a block took with it because its length is too large.
//
// Where a newline stands at the end of the block, its length is believed, and what follows may be
// what is damaged: an ARC file can be the content of a record, too. But one that begins within the
// block and ends behind it cannot be, and then the first in the block is where it ends.
type swallowed struct {
	end      int64 // of the block, by its length
	believed bool
	first    int64 // offset in the block at which it ends because a record follows, -1 when none does
}

// look goes through b, which stands at an offset of the block, line by line. It says whether the
// end was found.
func (s *swallowed) look(b []byte, offset int64) bool {
	for at := 0; offset+int64(at) < s.end; {
		lf := bytes.IndexByte(b[at:], '\n')
		if lf < 0 {
			return false
		}
		line := b[at : at+lf]
		if start, length := recordIn(line); start >= 0 && offset+int64(at+start) < s.end {
			if s.first < 0 {
				s.first = offset + int64(at+start)
				if start == 0 && at > 0 {
					s.first-- // the newline before it is the separator
				}
			}
			if !s.believed || offset+int64(at+lf)+1+length > s.end {
				return true
			}
		}
		at += lf + 1
	}
	return false
}

// cutAt ends the block after so many bytes of it, because a record begins there.
func (rec *Record) cutAt(end int64) {
	rec.cut, rec.left = true, end-rec.given
}

// atEnd is io.EOF, after a last look for records that went by as a part of the block.
func (rec *Record) atEnd() error {
	if rec.closed || rec.toldCut {
		return io.EOF
	}
	if rec.astray {
		rec.astray = false
		if err := rec.goBack(); err != nil {
			rec.err = err
			return err
		}
	}
	if rec.cut {
		rec.toldCut = true
		rec.tell(Length, fmt.Sprintf("the next record begins %d bytes before the block of %d ends",
			rec.BlockLength-rec.given, rec.BlockLength))
	}
	return io.EOF
}

// goBack looks through the block that went by for a record, and goes back to where one begins.
// Where there is none, or no going back, reading stands behind the block again. It is bounded: see
// bytesource.Source.GoBackTo.
func (rec *Record) goBack() error {
	in := rec.r.in
	if rec.r.compressed() || rec.Version != nil {
		return nil
	}
	if ok, err := in.GoBack(rec.block); !ok {
		return err
	}
	s := swallowed{end: rec.given, believed: rec.believed, first: -1}
	for at := int64(0); at < rec.given; {
		b, err := in.Peek(window + MaxLine)
		ended := err != nil
		if s.look(b, at) {
			if s.first > at {
				rec.r.take(int(s.first-at), nil) // a part of the block still
			} else if ok, err := in.GoBack(rec.block + s.first); !ok {
				return err
			}
			rec.given = s.first
			rec.cutAt(s.first)
			return nil
		}
		step := bytes.LastIndexByte(b[:min(int64(len(b)), rec.given-at)], '\n') + 1
		if step == 0 && !ended {
			step = window
		}
		if step == 0 || ended {
			step = len(b)
		}
		taken, _ := rec.r.take(int(min(int64(step), rec.given-at)), nil)
		if at += taken; taken == 0 {
			break
		}
	}
	return nil
}
