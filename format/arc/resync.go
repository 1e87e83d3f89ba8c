package arc

import (
	"bytes"
	"fmt"

	"quire/format/fault"
	"quire/format/inflate"
)

// window is how far the search for a URL-record line looks ahead, in bytes. longLine is the length
// of the longest line that it finds.
const (
	window   = 32 << 10
	longLine = 8 << 10
)

// gap counts the bytes between two records.
type gap struct {
	start    inflate.Position
	newlines int64
	garbage  int64 // bytes skipped, including newlines
}

func (g *gap) total() int64 { return g.newlines + g.garbage }

func (g *gap) add(at inflate.Position, newlines, garbage int64) {
	if g.total() == 0 {
		g.start = at
	}
	g.newlines += newlines
	g.garbage += garbage
}

// reportGap reports the bytes before a record. leads means that these bytes are only newlines, and
// are the first bytes in the record's own member. The grammar allows one such newline (doc = nl
// URL-record nl network_doc).
func (r *Reader) reportGap(g *gap, leads bool) {
	if !leads {
		r.skipped += g.total()
	}
	r.lost = r.lost || g.garbage > 0
	switch {
	case r.unended != nil && g.garbage > 0:
		r.unended.longer = true
		r.unended.report(Length,
			fmt.Sprintf("the block is longer than %d, or other data follows: %d bytes belong to no record",
				r.unended.BlockLength, g.total()))
	case r.unended != nil:
		r.unended.report(Newline, "no newline after the block")
	case g.garbage > 0:
		r.add(fault.Fault{Code: Garbage, Offset: g.start.File,
			Detail: fmt.Sprintf("%d bytes belong to no record", g.total())})
	case g.newlines > 1 || g.newlines == 1 && !leads:
		r.add(fault.Fault{Code: Newline, Offset: g.start.File,
			Detail: fmt.Sprintf("%d bytes of empty lines before the record", g.newlines)})
	}
}

// skipNewlines skips CR and LF within the current member and returns their number.
func (r *Reader) skipNewlines() (n int64) {
	for {
		b, _ := r.in.Peek(1) // the error returns with the position
		if len(b) == 0 || b[0] != '\n' && b[0] != '\r' {
			return n
		}
		taken, stop := r.discard(1)
		n += taken
		if stop {
			return n
		}
	}
}

// skipToLine skips at least one byte, up to the next URL-record line, the next member (where a
// record should begin), the end or damage. The caller has already tried the current position. It
// returns the number of bytes skipped.
func (r *Reader) skipToLine() (n int64) {
	for {
		b, err := r.in.Peek(window)
		if len(b) == 0 {
			return n // the error returns with the position
		}
		step, found := nextLine(b, n == 0)
		if !found && err != nil {
			step = len(b)
		}
		taken, stop := r.discard(step)
		n += taken
		if stop || found {
			return n
		}
	}
}

// nextLine returns the position in b of a URL-record line. If b contains no such line, it returns
// the number of bytes that cannot be the beginning of one. If skip is set, nextLine finds no line
// that starts at the first byte.
func nextLine(b []byte, skip bool) (at int, found bool) {
	for {
		lf := bytes.IndexByte(b[at:], '\n')
		if lf < 0 {
			break
		}
		if start, _ := recordIn(b[at : at+lf]); start > 0 || start == 0 && !(skip && at == 0) {
			return at + start, true
		}
		at += lf + 1
	}
	if at == 0 {
		at = max(len(b)-longLine, 1) // the rest of b may begin a line
	}
	return at, false
}

// atSureLine reports whether a complete and unmistakable URL-record line comes next.
func (r *Reader) atSureLine() bool {
	line, whole := r.peekLine()
	return whole && lineIs(line, (*parsed).sure)
}

// discard consumes n peeked bytes that belong to no record, but stops where a member begins.
func (r *Reader) discard(n int) (taken int64, stop bool) { return r.take(n, r.Between) }

// take consumes n peeked bytes and passes them to show, but stops where a member begins. show may
// be nil.
func (r *Reader) take(n int, show func([]byte)) (taken int64, stop bool) {
	for taken < int64(n) {
		b, err := r.in.Chunk(int64(n) - taken)
		if show != nil && len(b) > 0 {
			show(b)
		}
		taken += int64(len(b))
		if err != nil {
			return taken, true
		}
		if r.compressed() && r.atMember() {
			return taken, true
		}
	}
	return taken, false
}

// atMember reports whether the next byte is the first of a member. At the end and at damage it is
// false.
func (r *Reader) atMember() bool {
	at, err := r.in.Position()
	return err == nil && at.Within == 0
}

// peekLine returns the next line with its LF. whole is false if there is no LF within MaxLine
// bytes.
func (r *Reader) peekLine() (line []byte, whole bool) {
	for size := 256; ; size *= 16 {
		size = min(size, MaxLine)
		b, err := r.in.Peek(size)
		if at := bytes.IndexByte(b, '\n'); at >= 0 {
			return b[:at+1], true
		}
		if err != nil || size == MaxLine {
			return b, false
		}
	}
}

// Sniff reports whether b, the first inflated bytes of a file, looks like an ARC file. It accepts a
// version block, or a URL-record line in a file without one.
func Sniff(b []byte) bool {
	b = bytes.TrimLeft(b, "\r\n")
	line, _, whole := bytes.Cut(b[:min(len(b), MaxLine)], []byte{'\n'})
	if isFiledesc(string(line[:min(len(line), 16)])) {
		return true
	}
	if !whole || !hasScheme(line) {
		return false
	}
	p, ok := parseHeader(string(line))
	return ok && p.sure()
}
