package gzipmember

import (
	"errors"
	"fmt"
	"io"

	"quire/format/deflate"
)

// Boundary is a place between two blocks of a member's deflate data. Reading can begin there, see [Enter].
type Boundary struct {
	Bits     int64 // before it, in the file
	Inflated int64 // bytes of the member before it
}

// Boundary returns the last boundary within the bytes that the latest ReadInto returned, and whether there is any.
// Most encoders end a block after some ten thousand symbols; a block may also be as long as the member.
func (r *Reader) Boundary() (Boundary, bool) { return r.boundary, r.boundary.Bits > 0 }

// Entered reads the inflated bytes of a member from a boundary on, without those before it. It cannot compare the
// member's checksum and size: the caller needs another digest of the bytes.
type Entered struct {
	file    io.Reader
	decoder deflate.Decoder
	in      []byte // in[lo:hi] is read and not inflated
	lo, hi  int
	out     []byte // before at: inflated
	at      int
	rest    []byte // of out, not returned yet
	err     error  // returned after the rest
}

// Enter begins at a boundary of a member. The file begins with the byte that has the boundary: byte Bits/8 of the
// whole. The window has the last bytes of the member before the boundary: Window bytes, or all.
func Enter(file io.Reader, b Boundary, window []byte) (*Entered, error) {
	e := &Entered{file: file, in: make([]byte, Window), out: make([]byte, 4*Window)}
	e.at = copy(e.out, window[max(len(window)-Window, 0):])
	e.decoder.StartWithin(0, 0)
	if bits := uint(b.Bits & 7); bits > 0 {
		if _, err := io.ReadFull(file, e.in[:1]); err != nil {
			return nil, fmt.Errorf("entering a member at byte %d: %w", b.Bits/8, err)
		}
		e.decoder.StartWithin(e.in[0], bits)
	}
	return e, nil
}

// Read implements io.Reader. At the end of the deflate data it returns io.EOF; a *deflate.CorruptError means that the
// data is damaged, or the boundary or window is of other data.
func (e *Entered) Read(p []byte) (int, error) {
	for len(e.rest) == 0 {
		if e.err != nil {
			return 0, e.err
		}
		e.inflate()
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// inflate inflates some bytes, or reads more of the file.
func (e *Entered) inflate() {
	if e.at == len(e.out) {
		e.at = copy(e.out, e.out[len(e.out)-Window:])
	}
	n, used, err := e.decoder.Continue(e.out, e.at, e.in[e.lo:e.hi])
	e.lo += used
	e.rest = e.out[e.at : e.at+n]
	e.at += n
	switch {
	case err == nil:
		e.err = io.EOF
	case errors.Is(err, deflate.ErrShortOutput):
	case errors.Is(err, deflate.ErrTruncated):
		e.hi = copy(e.in, e.in[e.lo:e.hi])
		e.lo = 0
		m, err := io.ReadAtLeast(e.file, e.in[e.hi:], 1)
		e.hi += m
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		e.err = err
	default:
		e.err = err
	}
}
