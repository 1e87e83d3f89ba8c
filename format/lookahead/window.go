// Package lookahead reads a stream forward through a small window, knowing the exact offset of the
// byte that comes next.
//
// It is the floor that the scanners of links stand on: they look at what comes without taking it,
// and take what they know.
//
// Its memory is the window: [Size] bytes, however long the stream is. A Window can be used again
// after Reset.
package lookahead

import "io"

// Size is how many bytes the window holds at most.
const Size = 32 << 10

// Far is how many bytes ahead At can look at most.
const Far = Size / 2

// Window is a stream being read. The zero value must be Reset.
type Window struct {
	in       io.Reader
	buf      []byte
	from, to int   // what was read and not yet taken
	offset   int64 // of buf[from]
	err      error // why there is no more: io.EOF, or what went wrong
}

// Reset makes the Window read from in, whose first byte has the offset given.
func (w *Window) Reset(in io.Reader, offset int64) {
	if w.buf == nil {
		w.buf = make([]byte, Size)
	}
	w.in, w.from, w.to, w.offset, w.err = in, 0, 0, offset, nil
}

// Offset is the offset of the byte that comes next.
func (w *Window) Offset() int64 { return w.offset }

// Err is the error that reading met, nil when there was none but the end.
func (w *Window) Err() error {
	if w.err == io.EOF { //nolint:errorlint // io.Reader gives io.EOF itself at the end; a wrapped one is an error of the source
		return nil
	}
	return w.err
}

// At gives the byte i places ahead, the next one for 0, and -1 where the stream has ended before
// it. i is less than Far.
func (w *Window) At(i int) int {
	if i < w.to-w.from {
		return int(w.buf[w.from+i])
	}
	return w.readTo(i)
}

func (w *Window) readTo(i int) int {
	for i >= w.to-w.from {
		if !w.more() {
			return -1
		}
	}
	return int(w.buf[w.from+i])
}

// Rest gives what the window holds: at least a byte, or nothing at the end of the stream. It is
// valid until the next call.
func (w *Window) Rest() []byte {
	if w.from == w.to {
		w.more()
	}
	return w.buf[w.from:w.to]
}

// Skip takes n bytes, which At or Rest must have shown.
func (w *Window) Skip(n int) {
	w.from += n
	w.offset += int64(n)
}

// more reads once, behind what is there.
func (w *Window) more() bool {
	if w.err != nil {
		return false
	}
	if w.to == len(w.buf) || w.from == w.to {
		w.to = copy(w.buf, w.buf[w.from:w.to])
		w.from = 0
	}
	for range 100 {
		n, err := w.in.Read(w.buf[w.to:])
		w.to += n
		w.err = err
		if n > 0 {
			return true
		}
		if err != nil {
			return false
		}
	}
	w.err = io.ErrNoProgress
	return false
}
