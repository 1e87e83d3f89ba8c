package warc

import (
	"bytes"
	"io"

	"quire/format/inflate"
	"quire/format/recordsource"
)

// tail is how many bytes before the end of a block the reader checks that a record ends there.
const tail = 16 << 10

// bound returns how much of limit can be read before the end of the block; 0 at the end, with
// blockErr set.
func (rec *Record) bound(limit int64) int64 {
	left := rec.ContentLength - rec.BlockRead
	switch {
	case left == 0:
		rec.blockErr = rec.atEnd()
		return 0
	case rec.tailed || !rec.unguarded():
	case left > tail:
		return min(limit, left-tail)
	default:
		rec.tailed = true
		rec.checkTail(int(left))
	}
	if rec.ended {
		left = rec.end - rec.BlockRead
		if left == 0 {
			rec.blockErr = rec.atEnd()
		}
	}
	return min(limit, left)
}

// unguarded reports whether only Content-Length gives the block's end. A record in its own member
// is guarded by the member's end.
func (rec *Record) unguarded() bool {
	return rec.r.in.Compression() == inflate.None || rec.r.warned >= 0
}

// checkTail checks the separator after a block that has left bytes to read. If the separator is
// wrong and a record begins within those bytes, Content-Length is too large. The block then ends
// where that record begins, and includes no other record.
func (rec *Record) checkTail(left int) {
	b, _ := rec.r.in.Peek(left + startMax) // the error returns with the bytes
	if len(b) >= left && followsBlock(b[left:]) && !endsHeader(b, left) {
		return
	}
	rec.badSeparator = len(b) >= left
	if at := nextRecord(b, 0, min(left, len(b))); at >= 0 {
		rec.ended, rec.end, rec.badSeparator = true, rec.BlockRead+int64(at), true
	}
}

// followsBlock reports whether b can follow a block: two CRLF; or other or no line breaks, and then
// a record or the end of the file. Two CRLF are enough, whatever follows them. They are rarely
// accidental, and the next record may be damaged.
func followsBlock(b []byte) bool {
	rest := bytes.TrimLeft(b, "\r\n")
	return len(rest) == 0 || isVersionLine(rest) || len(b)-len(rest) == len(separator) && bytes.HasPrefix(b, separator)
}

// endsHeader reports whether a record that begins before position at of b has a header that reaches
// at. Then the line breaks there belong to the header.
func endsHeader(b []byte, at int) bool {
	for from := 0; from < at; from += nextMagic(b[from:]) {
		if !startsRecord(b[from:], false) {
			continue
		}
		if end, whole := headerEnd(b[from:], 0); whole && from+end >= at {
			return true
		}
	}
	return false
}

var separator = []byte("\r\n\r\n")

// nextRecord returns a position in b, between from and before, where one record ends and another
// begins. This position is at the separator or, if the separator is missing, at the version line.
// nextRecord returns -1 if it finds no such position.
func nextRecord(b []byte, from, before int) int {
	for at := from; at < before; {
		if startsRecord(b[at:], false) {
			if start := at - len(separator); start >= from && bytes.Equal(b[start:at], separator) {
				return start
			}
			return at
		}
		at += nextMagic(b[at:])
	}
	return -1
}

// atEnd ends a block after the stated number of bytes. If no record follows properly, the length
// may be wrong by more than checkTail examines. Then the block may include the records after it.
func (rec *Record) atEnd() error {
	if rec.badSeparator {
		rec.badSeparator = false
		if err := rec.goBack(); err != nil {
			return err
		}
	}
	if !rec.ended {
		return io.EOF
	}
	rec.fault(FaultTruncated, "the next record begins %d bytes before the block of %d ends",
		rec.ContentLength-rec.BlockRead, rec.ContentLength)
	return io.ErrUnexpectedEOF
}

// goBack searches the block just read for a record, and goes back to the record's beginning. If the
// block contains no record, or the source cannot go back, reading continues after the block. The
// work is bounded: see bytesource.Source.GoBackTo.
func (rec *Record) goBack() error {
	start := rec.InflatedOffset + int64(len(rec.raw))
	if ok, err := rec.r.in.GoBack(start); !ok {
		return err
	}
	at, err := rec.search(rec.BlockRead)
	if at >= 0 {
		rec.ended, rec.BlockRead = true, at
	}
	return err
}

// searchWindow is how much of a finished block is searched at once.
const searchWindow = 64 << 10

// search reads up to a place where a record ends and another follows, at most length bytes. It
// returns the bytes before that place, or -1.
func (rec *Record) search(length int64) (int64, error) {
	in := rec.r.in
	for at := int64(0); at < length; {
		b, err := in.Peek(int(min(length-at, searchWindow)) + startMax)
		if !recordsource.OfContent(err) {
			return -1, err
		}
		look := int(min(length-at, int64(max(len(b)-startMax, 1))))
		step, found := nextRecord(b, 0, look), true
		if step < 0 {
			step, found = look, false
			if at+int64(look) < length { // the separator must be visible before a record that begins after these bytes
				step = max(look-len(separator), 1)
			}
		}
		n, err := in.Discard(step)
		if at += int64(n); err != nil {
			if recordsource.OfContent(err) { // the end returns with the next record
				err = nil
			}
			return -1, err
		}
		if found {
			return at, nil
		}
	}
	return -1, nil
}
