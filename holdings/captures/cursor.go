package captures

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// cursor iterates over the lines of a stretch of a sorted file, forward or backward. A line
// includes its line break, and is valid until the next call.
type cursor struct {
	from   io.ReaderAt
	lo, hi int64 // part of the file not yet in buf
	buf    []byte
	spare  []byte // the previous buffer, for reuse
	shared bool   // buf is shared
	start  int    // boundary of unread lines in buf: forward from here, backward up to here
	back   bool
	block  int // size of the next read
	most   int

	skip int    // length of the prefix to strip from each line
	line []byte // the current one; nil at the end
	err  error
}

// firstBlock is the size of the first read: most URLs have few captures.
const firstBlock = 8 << 10

func forward(from io.ReaderAt, lo, hi int64, most int) *cursor {
	return &cursor{from: from, lo: lo, hi: hi, block: min(firstBlock, most), most: most}
}

// next moves to the next line, and reports whether there is one.
func (c *cursor) next() bool {
	if c.err != nil {
		return false
	}
	if c.back {
		return c.previous()
	}
	for {
		if i := bytes.IndexByte(c.buf[c.start:], '\n'); i >= 0 {
			c.line = c.buf[c.start+c.skip : c.start+i+1]
			c.start += i + 1
			return true
		}
		if c.lo == c.hi {
			return c.end(len(c.buf) > c.start)
		}
		n := int(min(int64(c.block), c.hi-c.lo))
		kept := len(c.buf) - c.start
		next := c.room(kept + n)
		copy(next, c.buf[c.start:])
		if !c.read(next[kept:], c.lo) {
			return false
		}
		c.lo += int64(n)
		c.buf, c.start = next, 0
	}
}

func (c *cursor) previous() bool {
	for {
		if c.start > 0 {
			if i := bytes.LastIndexByte(c.buf[:c.start-1], '\n'); i >= 0 || c.lo == c.hi {
				c.line = c.buf[i+1+c.skip : c.start]
				c.start = i + 1
				return true
			}
		} else if c.lo == c.hi {
			return c.end(false)
		}
		n := int(min(int64(c.block), c.hi-c.lo))
		next := c.room(n + c.start)
		copy(next[n:], c.buf[:c.start])
		if !c.read(next[:n], c.hi-int64(n)) {
			return false
		}
		c.hi -= int64(n)
		c.buf, c.start = next, len(next)
	}
}

// room returns a buffer other than the current one.
func (c *cursor) room(n int) []byte {
	b := c.spare
	if c.spare = c.buf; c.shared {
		c.spare, c.shared = nil, false
	}
	if cap(b) < n {
		return make([]byte, n, n+n/8)
	}
	return b[:n]
}

// read fills p from offset at. Blocks grow: a reader that continues usually reads much.
func (c *cursor) read(p []byte, at int64) bool {
	if n, err := c.from.ReadAt(p, at); n < len(p) {
		c.line, c.err = nil, fmt.Errorf("the capture index has become shorter: %w",
			errors.Join(err, io.ErrUnexpectedEOF))
		return false
	}
	c.block = min(2*c.block, c.most)
	return true
}

func (c *cursor) end(rest bool) bool {
	c.line = nil
	if rest {
		c.err = errors.New("the capture index ends in an incomplete line: rebuild it with quire index " +
			"--rebuild")
	}
	return false
}

// merge visits the lines of all cursors in order, or in reverse.
func merge(all []*cursor, back bool, visit func(line []byte) error) error {
	return mergeFrom(all, back, func(c *cursor) error { return visit(c.line) })
}

// mergeFrom visits the cursors of these lines.
func mergeFrom(all []*cursor, back bool, visit func(*cursor) error) error {
	open := all[:0]
	for _, c := range all {
		if c.next() {
			open = append(open, c)
		} else if c.err != nil {
			return c.err
		}
	}
	for len(open) > 0 {
		best := 0
		for i := 1; i < len(open); i++ {
			if order := bytes.Compare(open[i].line, open[best].line); order < 0 != back && order != 0 {
				best = i
			}
		}
		if err := visit(open[best]); err != nil {
			return err
		}
		if c := open[best]; !c.next() {
			if c.err != nil {
				return c.err
			}
			open = append(open[:best], open[best+1:]...)
		}
	}
	return nil
}
