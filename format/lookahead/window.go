// Package lookahead reads a stream forward through a small window and knows the exact offset of the
// next byte.
//
// The link scanners are built on it. They look at the next bytes without consuming them, and then
// consume the bytes they recognize.
//
// Its memory is the window: [Size] bytes, however long the stream is. A Window can be reused after
// Reset.
package lookahead

import "io"

// Size is the most bytes that the window holds.
const Size = 32 << 10

// Far is the farthest that At can look ahead, in bytes.
const Far = Size / 2

// Window is a stream being read. The zero value must be Reset.
type Window struct {
	in       io.Reader
	buf      []byte
	from, to int   // read but not yet consumed
	offset   int64 // of buf[from]
	err      error // why the stream ended: io.EOF or a read error
}

// Reset makes the Window read from in. The offset is the one of its first byte.
func (w *Window) Reset(in io.Reader, offset int64) {
	if w.buf == nil {
		w.buf = make([]byte, Size)
	}
	w.in, w.from, w.to, w.offset, w.err = in, 0, 0, offset, nil
}

// Offset returns the offset of the next byte.
func (w *Window) Offset() int64 { return w.offset }

// Err returns the read error; nil at a normal end.
func (w *Window) Err() error {
	if w.err == io.EOF { //nolint:errorlint // io.Reader gives io.EOF itself at the end; a wrapped one is an error of the source
		return nil
	}
	return w.err
}

// At returns the byte i places ahead (0 is the next), or -1 if the stream ends before it. i must be
// less than Far.
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

// Rest returns the bytes in the window: at least one, or none at the end of the stream. They are
// valid until the next call.
func (w *Window) Rest() []byte {
	if w.from == w.to {
		w.more()
	}
	return w.buf[w.from:w.to]
}

// Skip consumes n bytes, which At or Rest must have returned.
func (w *Window) Skip(n int) {
	w.from += n
	w.offset += int64(n)
}

// more reads once, after the bytes in the window.
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
