package relink

import "io"

// editor copies a document and leaves out or replaces parts of it. It lies under the scanner, which reads through it, and holds
// back what the scanner may still tell something of.
type editor struct {
	src     io.Reader
	dst     io.Writer
	pending []byte // read and not yet written: the end of buffer
	buffer  []byte
	base    int64 // offset of pending[0]
	settled func() int64
	err     error // of writing
}

// kept is how many bytes before the place of the scanner are held back: the line end before an insertion.
const kept = 2

// Read gives the scanner what comes next.
func (e *editor) Read(p []byte) (int, error) {
	e.copyTo(e.settled() - kept)
	if e.err != nil {
		return 0, e.err
	}
	n, err := e.src.Read(p)
	e.pending = append(e.buffer[:copy(e.buffer, e.pending)], p[:n]...)
	e.buffer = e.pending
	return n, err
}

// end is the offset behind what was read.
func (e *editor) end() int64 { return e.base + int64(len(e.pending)) }

// at gives the bytes from one offset to another, both of which must be held.
func (e *editor) at(from, to int64) []byte { return e.pending[from-e.base : to-e.base] }

// copyTo writes what is before an offset.
func (e *editor) copyTo(offset int64) {
	n := min(offset, e.end()) - e.base
	if n <= 0 {
		return
	}
	e.write(e.pending[:n])
	e.drop(e.base + n)
}

// drop leaves out what is before an offset.
func (e *editor) drop(offset int64) {
	if n := offset - e.base; n > 0 {
		e.pending, e.base = e.pending[n:], offset
	}
}

func (e *editor) write(b []byte) {
	if e.err == nil {
		_, e.err = e.dst.Write(b)
	}
}

// replace writes b in the place of a stretch. It says whether the stretch was still there.
func (e *editor) replace(from, to int64, b []byte) bool {
	if from < e.base {
		return false
	}
	e.copyTo(from)
	e.write(b)
	e.drop(to)
	return true
}
