package warc

import (
	"bytes"
	"io"

	"quire/format/inflate"
)

// tail is how long before the end of a block it is looked at whether a record ends there, in bytes.
const tail = 16 << 10

// bound settles how much of limit may be taken without passing the end of the block; 0, with blockErr set, when it is over.
func (rec *Record) bound(limit int64) int64 {
	left := rec.ContentLength - rec.BlockRead
	switch {
	case left == 0:
		rec.blockErr = io.EOF
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
			rec.blockErr = io.ErrUnexpectedEOF
		}
	}
	return min(limit, left)
}

// unguarded says whether nothing but its Content-Length tells where the block ends. In a member of its own, the member does.
func (rec *Record) unguarded() bool {
	return rec.r.in.Compression() == inflate.None || rec.r.warned >= 0
}

// checkTail looks whether the block, of which left bytes are to come, is followed by what follows a block. When not, and a
// record begins within those bytes, Content-Length is too large: the block is cut there, so that it takes no other with it.
func (rec *Record) checkTail(left int) {
	b, _ := rec.r.in.Peek(left + startMax) // an error comes again with the bytes
	if len(b) <= left || b[left] == '\r' || b[left] == '\n' || isVersionLine(b[left:]) {
		return
	}
	at := nextRecord(b, left)
	if at < 0 {
		return
	}
	rec.ended, rec.end = true, rec.BlockRead+int64(at)
	rec.fault(FaultTruncated, "the next record begins %d bytes before the block of %d ends", left-at, rec.ContentLength)
}

// nextRecord is where in b, before left, a separator stands that a record follows; -1 when nowhere.
func nextRecord(b []byte, left int) int {
	separator := []byte("\r\n\r\n")
	for at := 0; ; at++ {
		i := bytes.Index(b[at:], separator)
		if i < 0 || at+i >= left {
			return -1
		}
		if at += i; startsRecord(b[at+len(separator):], false) {
			return at
		}
	}
}
