package lookahead

import "io"

// Editor copies a stream and omits or replaces parts of it. A scanner reads through the Editor,
// which holds back the bytes that the scanner may still report something about:
//
//	e := lookahead.NewEditor(dst, src, 0)
//	s := htmllink.NewScanner(e, htmllink.Options{})
//	e.Settled = s.Offset
//	for each link { e.Replace(link.Start, link.End, []byte("other")) } // in the order of their places
//	e.CopyTo(e.End())
//
// Its memory is the bytes it holds back.
type Editor struct {
	// Settled returns an offset. No byte before this offset will be replaced any more.
	Settled func() int64

	src     io.Reader
	dst     io.Writer
	kept    int64
	pending []byte // read but not yet written: the end of buffer
	buffer  []byte
	base    int64 // offset of pending[0]
	err     error // of writing
}

// NewEditor returns an Editor that holds back kept bytes before the scanner's position. Set Settled
// before the first Read.
func NewEditor(dst io.Writer, src io.Reader, kept int) *Editor {
	return &Editor{src: src, dst: dst, kept: int64(kept)}
}

// Reset makes the Editor copy another stream. It drops the bytes held back.
func (e *Editor) Reset(dst io.Writer, src io.Reader) {
	e.src, e.dst, e.pending, e.base, e.err = src, dst, nil, 0, nil
}

// Read returns the next bytes for the scanner.
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

// Base returns the offset before which everything is written.
func (e *Editor) Base() int64 { return e.base }

// End returns the offset after the bytes read.
func (e *Editor) End() int64 { return e.base + int64(len(e.pending)) }

// Err returns the write error, or nil if no write failed.
func (e *Editor) Err() error { return e.err }

// At returns the bytes between two offsets. Both offsets must be between Base and End. The bytes
// are valid until the next Read.
func (e *Editor) At(from, to int64) []byte { return e.pending[from-e.base : to-e.base] }

// CopyTo writes all bytes before an offset.
func (e *Editor) CopyTo(offset int64) {
	n := min(offset, e.End()) - e.base
	if n <= 0 {
		return
	}
	e.write(e.pending[:n])
	e.Drop(e.base + n)
}

// Drop omits all bytes before an offset.
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

// Replace writes b in place of the bytes from one offset to another. It reports whether they were
// still held.
func (e *Editor) Replace(from, to int64, b []byte) bool {
	if from < e.base {
		return false
	}
	e.CopyTo(from)
	e.write(b)
	e.Drop(to)
	return true
}
