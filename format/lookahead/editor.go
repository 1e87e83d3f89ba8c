package lookahead

import "io"

// Editor copies a stream and leaves out or replaces parts of it. It lies under a scanner, which
// reads through it, and holds back what the scanner may still tell something of:
//
//	e := lookahead.NewEditor(dst, src, 0)
//	s := htmllink.NewScanner(e, htmllink.Options{})
//	e.Settled = s.Offset
//	for each link { e.Replace(link.Start, link.End, []byte("other")) } // in the order of their places
//	e.CopyTo(e.End())
//
// Its memory is what the scanner holds back.
type Editor struct {
	// Settled is the offset before which nothing will be replaced any more.
	Settled func() int64

	src     io.Reader
	dst     io.Writer
	kept    int64
	pending []byte // read and not yet written: the end of buffer
	buffer  []byte
	base    int64 // offset of pending[0]
	err     error // of writing
}

// NewEditor makes an Editor, which holds back so many bytes before the place of the scanner.
// Settled must be set before it is read.
func NewEditor(dst io.Writer, src io.Reader, kept int) *Editor {
	return &Editor{src: src, dst: dst, kept: int64(kept)}
}

// Reset makes the Editor copy another stream. What it held is forgotten.
func (e *Editor) Reset(dst io.Writer, src io.Reader) {
	e.src, e.dst, e.pending, e.base, e.err = src, dst, nil, 0, nil
}

// Read gives the scanner what comes next.
func (e *Editor) Read(p []byte) (int, error) {
	e.CopyTo(e.Settled() - e.kept)
	if e.err != nil {
		return 0, e.err
	}
	n, err := e.src.Read(p)
	e.pending = append(e.buffer[:copy(e.buffer, e.pending)], p[:n]...)
	e.buffer = e.pending
	return n, err
}

// Base is the offset before which all is written.
func (e *Editor) Base() int64 { return e.base }

// End is the offset behind what was read.
func (e *Editor) End() int64 { return e.base + int64(len(e.pending)) }

// Err is the error that writing met.
func (e *Editor) Err() error { return e.err }

// At gives the bytes from one offset to another, both of which must be held: between Base and End.
// They are valid until the next Read.
func (e *Editor) At(from, to int64) []byte { return e.pending[from-e.base : to-e.base] }

// CopyTo writes what is before an offset.
func (e *Editor) CopyTo(offset int64) {
	n := min(offset, e.End()) - e.base
	if n <= 0 {
		return
	}
	e.write(e.pending[:n])
	e.Drop(e.base + n)
}

// Drop leaves out what is before an offset.
func (e *Editor) Drop(offset int64) {
	if n := offset - e.base; n > 0 {
		e.pending, e.base = e.pending[n:], offset
	}
}

func (e *Editor) write(b []byte) {
	if e.err == nil {
		_, e.err = e.dst.Write(b)
	}
}

// Replace writes b in the place of a stretch. It says whether the stretch was still there.
func (e *Editor) Replace(from, to int64, b []byte) bool {
	if from < e.base {
		return false
	}
	e.CopyTo(from)
	e.write(b)
	e.Drop(to)
	return true
}
