package identify

import (
	"errors"
	"io"
	"sync/atomic"
)

// source hands a payload to siegfried without a copy. Siegfried takes any reader that has these
// methods for one whose bytes can be had by offset (its own use is containers of records);
// everything else it would copy, at last to a file.
//
// Bytes that are not at hand, between head and tail, read like the end of the file. Several of
// siegfried's goroutines read at once.
type source struct {
	Payload
	sealed bool         // siegfried must not look for an archive's contents
	left   atomic.Int64 // bytes that may still be handed out
}

var (
	errSealed    = errors.New("not to be opened")
	errExhausted = errors.New("too much was read, again and again")
)

// readsPerByte bounds how often siegfried may read a payload over, all matchers together; honest
// payloads stay below 20. A circle of sectors in a compound file would otherwise be read for ever.
const (
	readsPerByte = 256
	readsAtLeast = 64 << 20
)

func newSource(p Payload, sealed bool) *source {
	s := &source{Payload: p, sealed: sealed}
	s.left.Store(readsPerByte*int64(len(p.Head)+len(p.Tail)) + readsAtLeast)
	return s
}

// IsSlicer tells siegfried to use Slice and EofSlice.
func (s *source) IsSlicer() bool { return true }

// Size is that of the whole payload, whatever is at hand of it.
func (s *source) Size() int64 { return s.Payload.Size }

// Read is there for siegfried's signature; it is never called.
func (s *source) Read([]byte) (int, error) { return 0, io.EOF }

// triggerLength is how many bytes siegfried asks for, from the beginning, when it wants to know
// whether a payload is an archive or RIFF. Nothing else asks for exactly these, so that a refusal
// keeps these matchers out and no other.
const triggerLength = 8

// Slice gives l bytes from offset off. Fewer come with io.EOF.
func (s *source) Slice(off int64, l int) ([]byte, error) {
	if s.sealed && off == 0 && l == triggerLength {
		return nil, errSealed
	}
	if off < 0 || l < 0 {
		return nil, io.EOF
	}
	b := s.from(off)
	if len(b) < l {
		return s.count(b, io.EOF)
	}
	return s.count(b[:l], nil)
}

// from gives what is at hand from offset off on, in one piece.
func (s *source) from(off int64) []byte {
	if off < int64(len(s.Head)) {
		return s.Head[off:]
	}
	if behind := off - (s.Payload.Size - int64(len(s.Tail))); behind >= 0 && behind < int64(len(s.Tail)) {
		return s.Tail[behind:]
	}
	return nil
}

// EofSlice gives the l bytes that end o bytes before the end of the payload. Fewer, the last of
// these, come with io.EOF.
func (s *source) EofSlice(o int64, l int) ([]byte, error) {
	end := s.Tail
	if s.whole() {
		end = s.Head
	}
	if o < 0 || l < 0 || o >= int64(len(end)) {
		return nil, io.EOF
	}
	end = end[:int64(len(end))-o]
	if len(end) < l {
		return s.count(end, io.EOF)
	}
	return s.count(end[len(end)-l:], nil)
}

// count takes what is handed out from what may be.
func (s *source) count(b []byte, err error) ([]byte, error) {
	if s.left.Add(-int64(len(b))) < 0 {
		return nil, errExhausted
	}
	return b, err
}

// exhausted reports whether siegfried was stopped.
func (s *source) exhausted() bool { return s.left.Load() < 0 }

// ReadAt reads what is at hand, for the guard.
func (s *source) ReadAt(p []byte, off int64) (int, error) {
	n := copy(p, s.from(max(off, 0)))
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
