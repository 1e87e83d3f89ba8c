// Package edit changes parts of a document while it goes by: what a scanner finds in it is replaced or left out, and no other byte
// changes.
//
//	e := &edit.Editor{Src: in, Dst: out}
//	s := csslink.NewScanner(e) // which reads through it
//	e.Settled = s.Offset
//	for link, err := s.Next(); err == nil; link, err = s.Next() {
//		e.Replace(link.Start, link.End, text)
//	}
//	e.CopyTo(e.End()) // what is left
package edit

import "io"

// Editor copies a document and leaves out or replaces parts of it. It lies under the scanner, which reads through it, and holds
// back what the scanner may still tell something of.
type Editor struct {
	Src     io.Reader
	Dst     io.Writer
	Settled func() int64 // the offset before which nothing more is told

	pending []byte // read and not yet written: the end of buffer
	buffer  []byte
	base    int64 // offset of pending[0]
	err     error // of writing
}

// kept is how many bytes before the place of the scanner are held back: the line end before an insertion.
const kept = 2

// Read gives the scanner what comes next.
func (e *Editor) Read(p []byte) (int, error) {
	e.CopyTo(e.Settled() - kept)
	if e.err != nil {
		return 0, e.err
	}
	n, err := e.Src.Read(p)
	e.pending = append(e.buffer[:copy(e.buffer, e.pending)], p[:n]...)
	e.buffer = e.pending
	return n, err
}

// End is the offset behind what was read.
func (e *Editor) End() int64 { return e.base + int64(len(e.pending)) }

// At gives the bytes from one offset to another, both of which must be held.
func (e *Editor) At(from, to int64) []byte { return e.pending[from-e.base : to-e.base] }

// CopyTo writes what is before an offset.
func (e *Editor) CopyTo(offset int64) {
	n := min(offset, e.End()) - e.base
	if n <= 0 {
		return
	}
	e.Write(e.pending[:n])
	e.Drop(e.base + n)
}

// Drop leaves out what is before an offset.
func (e *Editor) Drop(offset int64) {
	if n := offset - e.base; n > 0 {
		e.pending, e.base = e.pending[n:], offset
	}
}

// Write writes b behind what was copied so far.
func (e *Editor) Write(b []byte) {
	if e.err == nil {
		_, e.err = e.Dst.Write(b)
	}
}

// Replace writes b in the place of a stretch. It says whether the stretch was still there.
func (e *Editor) Replace(from, to int64, b []byte) bool {
	if from < e.base {
		return false
	}
	e.CopyTo(from)
	e.Write(b)
	e.Drop(to)
	return true
}

// Base is the offset of the first byte that is still held: what stands before it was written.
func (e *Editor) Base() int64 { return e.base }

// Err is the error of writing, if there was one.
func (e *Editor) Err() error { return e.err }
