package arc

import (
	"bytes"
	"fmt"
	"io"
)

// tail is how many bytes before the end of a block the reader checks that a record ends there.
const tail = 4096

// bound returns how many bytes may be returned next, at most to the end of the block, which it
// first searches for. more is false if the block has ended.
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

// memberEnds ends the block at the end of its member if another record begins after that. A member
// boundary is better evidence than a stated length.
func (rec *Record) memberEnds() bool {
	if !rec.r.atMember() {
		return false
	}
	if rec.toMember {
		rec.toMember, rec.left = false, 0 // a version block's length was corrected before
		return true
	}
	if !rec.alone || !rec.r.atSureLine() {
		return false
	}
	rec.cut, rec.cutReported = true, true
	rec.report(Length, fmt.Sprintf("the gzip member ends %d bytes before the end of the block of %d", rec.left,
		rec.BlockLength))
	rec.left = 0
	return true
}

// checkTail checks the separator after a block that has at most tail bytes left to read. If the
// separator is wrong and another record begins within those bytes, the declared length is too
// large. The block then ends where that record begins.
func (rec *Record) checkTail() {
	if rec.Version != nil {
		return // corrected when it was opened
	}
	left := int(rec.left)
	b, _ := rec.r.in.Peek(left + tail) // the error returns when the bytes are read
	s := overrunSearch{end: rec.given + rec.left, first: -1}
	if len(b) >= left {
		behind := b[left:]
		newlines, sound := follows(behind, len(b) < left+tail)
		// If a record was lost within the block, the block ends in the newline of another record.
		swallows := left > 0 && b[left-1] == '\n' && !rec.r.joined
		if sound && (newlines == "\n" || newlines == "" && !swallows) || len(behind) == 0 {
			return // the length is right, and it decides: a line in the block is content
		}
		s.believed = newlines != ""
		rec.badSeparator, rec.newlineFollows = !sound, s.believed
	}
	if s.look(b, rec.given) {
		rec.cutAt(s.first)
		rec.badSeparator, rec.newlineFollows = true, false // it may not be the first
	}
}

// follows returns the line breaks at the beginning of b, the bytes after a block. sound means that
// a record or the end follows them. Without line breaks the record must begin with a known scheme;
// otherwise "ttp://" could be the rest of an address. One other byte in place of the newline is
// accepted: a record right after it shows that the length is correct.
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

// overrunSearch searches for records that a block includes because its length is too large.
//
// If a newline follows the end of the block, the length counts as correct, and the damage may be
// after it: an ARC file can also be the content of a record. But a record that begins within the
// block and ends after it cannot be content. Then the block ends at the first record within it.
type overrunSearch struct {
	end      int64 // of the block, by its length
	believed bool
	first    int64 // offset in the block of the record that ends it, or -1
}

// look searches b, at this offset of the block, line by line. It reports whether it found the end.
func (s *overrunSearch) look(b []byte, offset int64) bool {
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

// cutAt ends the block after end bytes because a record begins there.
func (rec *Record) cutAt(end int64) {
	rec.cut, rec.left, rec.r.lost = true, end-rec.given, true
}

// atEnd returns io.EOF after a last search for records within the block.
func (rec *Record) atEnd() error {
	if rec.closed || rec.cutReported {
		return io.EOF
	}
	if rec.badSeparator {
		rec.badSeparator = false
		if err := rec.goBack(); err != nil {
			rec.err = err
			return err
		}
	}
	if rec.cut {
		rec.cutReported = true
		rec.report(Length, fmt.Sprintf("the next record begins %d bytes before the block of %d ends",
			rec.BlockLength-rec.given, rec.BlockLength))
	}
	return io.EOF
}

// goBack searches the block just read for a record, and goes back to the record's beginning. If the
// block contains no record, or the source cannot go back, reading continues after the block. The
// work is bounded: see bytesource.Source.GoBackTo.
func (rec *Record) goBack() error {
	in := rec.r.in
	if rec.r.compressed() || rec.Version != nil {
		return nil
	}
	if ok, err := in.GoBack(rec.block); !ok {
		return err
	}
	s := overrunSearch{end: rec.given, believed: rec.newlineFollows, first: -1}
	for at := int64(0); at < rec.given; {
		b, err := in.Peek(window + MaxLine)
		ended := err != nil
		if s.look(b, at) {
			if s.first > at {
				rec.r.take(int(s.first-at), nil) // still part of the block
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
