package identify

import (
	"fmt"
	"slices"
)

// Window keeps the beginning and the end of a payload that streams by. It is an io.Writer, is
// reused by Reset, and holds at most as many bytes as it was made for.
type Window struct {
	buf   []byte // the head; then the tail, written round and round
	limit int
	head  int // bytes of the limit that are for the head
	size  int64
}

// NewWindow makes a window of at most limit bytes; 0 is DefaultMaxBytes. Memory is taken as the
// payloads need it.
func NewWindow(limit int) *Window {
	if limit <= 0 {
		limit = DefaultMaxBytes
	}
	return &Window{limit: limit, head: limit - limit/tailShare}
}

// Reset forgets the payload.
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

// turn is where the next byte of the tail goes, counted from the tail's place.
func (w *Window) turn() int {
	ring := w.limit - w.head
	if ring == 0 {
		return 0
	}
	return int((w.size - int64(w.head)) % int64(ring))
}

// Payload gives what was kept, valid until Reset; nothing may be written in between.
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

// String says what part of the payload the window holds.
func (p Payload) String() string {
	switch {
	case p.whole():
		return fmt.Sprintf("all %d bytes", p.Size)
	case len(p.Tail) == 0:
		return fmt.Sprintf("the first %d of %d bytes", len(p.Head), p.Size)
	default:
		return fmt.Sprintf("the first %d and the last %d of %d bytes", len(p.Head), len(p.Tail), p.Size)
	}
}
