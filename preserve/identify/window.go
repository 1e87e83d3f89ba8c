package identify

import (
	"fmt"
	"slices"
)

// Window keeps the beginning and the end of a streamed payload. It is an io.Writer, can be reused
// after Reset, and holds at most the given number of bytes.
type Window struct {
	buf   []byte // the head; then the tail as a ring buffer
	limit int
	head  int // size of the head in bytes
	size  int64
}

// NewWindow returns a window of at most limit bytes; 0 is DefaultMaxBytes. Memory is allocated as
// payloads need it.
func NewWindow(limit int) *Window {
	if limit <= 0 {
		limit = DefaultMaxBytes
	}
	return &Window{limit: limit, head: limit - limit/tailShare}
}

// Reset drops the payload.
func (w *Window) Reset() { w.buf, w.size = w.buf[:0], 0 }

// Write never fails.
func (w *Window) Write(p []byte) (int, error) {
	n := len(p)
	if room := w.limit - len(w.buf); room > 0 {
		part := p[:min(len(p), room)]
		w.buf = append(w.buf, part...)
		w.size += int64(len(part))
		p = p[len(part):]
	}
	ring := w.limit - w.head
	if len(p) > ring {
		w.size += int64(len(p) - ring)
		p = p[len(p)-ring:]
	}
	for len(p) > 0 {
		done := copy(w.buf[w.head+w.turn():], p)
		w.size += int64(done)
		p = p[done:]
	}
	return n, nil
}

// turn returns the position of the next byte within the tail.
func (w *Window) turn() int {
	ring := w.limit - w.head
	if ring == 0 {
		return 0
	}
	return int((w.size - int64(w.head)) % int64(ring))
}

// Payload returns the kept bytes, valid until the next Write or Reset.
func (w *Window) Payload(name, mime string) Payload {
	p := Payload{Name: name, MIME: mime, Head: w.buf, Size: w.size}
	if w.size > int64(w.limit) {
		p.Head, p.Tail = w.buf[:w.head], w.buf[w.head:]
		turn := w.turn() // three reversals put the oldest byte first, in place
		slices.Reverse(p.Tail[:turn])
		slices.Reverse(p.Tail[turn:])
		slices.Reverse(p.Tail)
	}
	return p
}

// String describes the part of the payload in the window.
func (p Payload) String() string {
	switch {
	case p.complete():
		return fmt.Sprintf("all %d bytes", p.Size)
	case len(p.Tail) == 0:
		return fmt.Sprintf("the first %d of %d bytes", len(p.Head), p.Size)
	default:
		return fmt.Sprintf("the first %d and the last %d of %d bytes", len(p.Head), len(p.Tail), p.Size)
	}
}
