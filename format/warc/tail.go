package warc

import (
	"bytes"
	"io"

	"quire/format/inflate"
)

// tail is how long before the end of a block it is looked at whether a record ends there, in bytes.
const tail = 16 << 10

// bound settles how much of limit may be taken without passing the end of the block; 0, with
// blockErr set, when it is over.
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

// unguarded says whether nothing but its Content-Length tells where the block ends. In a member of
// its own, the member does.
func (rec *Record) unguarded() bool {
	return rec.r.in.Compression() == inflate.None || rec.r.warned >= 0
}

// checkTail looks whether the block, of which left bytes are to come, is followed by what follows a
// block. When not, and a record begins within those bytes, Content-Length is too large: the block
// is cut there, so that it takes no other with it.
func (rec *Record) checkTail(left int) {
	b, _ := rec.r.in.Peek(left + startMax) // an error comes again with the bytes
	if len(b) >= left && followsBlock(b[left:]) && !endsHeader(b, left) {
		return
	}
	rec.astray = len(b) >= left
	if at := nextRecord(b, 0, min(left, len(b))); at >= 0 {
		rec.ended, rec.end, rec.astray = true, rec.BlockRead+int64(at), true
	}
}

// followsBlock says whether b is what may follow a block: its two CRLF; or other line breaks, or
// none, and then a record or the end of the file. Two CRLF are believed whatever comes behind them:
// they are hardly there by chance, and it may be the next record that is damaged.
func followsBlock(b []byte) bool {
	rest := bytes.TrimLeft(b, "\r\n")
	return len(rest) == 0 || isVersionLine(rest) || len(b)-len(rest) == len(separator) && bytes.HasPrefix(b, separator)
}

// endsHeader says whether the header of a record which begins before a place of b goes on to that
// place or behind it, so that the line breaks there are its own.
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

// nextRecord is where in b, from one place on and before another, a record ends that another
// follows: at the separator, or, where that was lost, at the version line. -1 when nowhere.
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

// atEnd is how a block ends of which as many bytes were read as it seems to have. Where no record
// follows it by right, its length may be wrong by more than checkTail has seen, and the records
// behind it have gone by as a part of it.
func (rec *Record) atEnd() error {
	if rec.astray {
		rec.astray = false
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

// goBack looks through the block that went by for a record, and goes back to where one begins.
// Where there is none, or no going back, reading stands behind the block again. It is bounded: see
// bytesource.Source.GoBackTo.
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

// searchWindow is how much of a block that went by is looked through at once.
const searchWindow = 64 << 10

// search goes through the next bytes up to where a record ends that another follows, and returns
// how many those were; or through all of them, and returns -1.
func (rec *Record) search(length int64) (int64, error) {
	in := rec.r.in
	for at := int64(0); at < length; {
		b, err := in.Peek(int(min(length-at, searchWindow)) + startMax)
		if !ofContent(err) {
			return -1, err
		}
		look := int(min(length-at, int64(max(len(b)-startMax, 1))))
		step, found := nextRecord(b, 0, look), true
		if step < 0 {
			step, found = look, false
			if at+int64(look) < length { // a record that begins behind these bytes is to be seen with its separator
				step = max(look-len(separator), 1)
			}
		}
		n, err := in.Discard(step)
		if at += int64(n); err != nil {
			if ofContent(err) { // an end that comes again when the next record is asked for
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
