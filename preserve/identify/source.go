package identify

import (
	"errors"
	"io"
	"sync/atomic"
)

// source passes a payload to siegfried without a copy. Siegfried reads by offset from any reader
// with these methods (its own use is containers of records); everything else it would copy,
// possibly to a file.
//
// Missing bytes between head and tail read like the end of the file. Several of siegfried's
// goroutines read at once.
type source struct {
	Payload
	sealed bool         // siegfried must not open the archive
	left   atomic.Int64 // bytes that may still be read
}

var (
	errSealed    = errors.New("not to be opened")
	errExhausted = errors.New("too much was read, again and again")
)

// readsPerByte bounds how often siegfried may reread a payload, all matchers together; valid
// payloads stay below 20. A circle of sectors in a compound file would otherwise be read forever.
const (
	readsPerByte = 256
	readsAtLeast = 64 << 20
)

func newSource(p Payload, sealed bool) *source {
	s := &source{Payload: p, sealed: sealed}
	s.left.Store(readsPerByte*int64(len(p.Head)+len(p.Tail)) + readsAtLeast)
	return s
}

// IsSlicer makes siegfried use Slice and EofSlice.
func (s *source) IsSlicer() bool { return true }

// Size returns the size of the whole payload, including missing bytes.
func (s *source) Size() int64 { return s.Payload.Size }

// Read exists for siegfried's interface; it is never called.
func (s *source) Read([]byte) (int, error) { return 0, io.EOF }

// triggerLength is how many bytes at the beginning siegfried reads to detect an archive or RIFF. It
// reads exactly these for no other purpose, so a refusal disables only these matchers.
const triggerLength = 8

// Slice returns l bytes from offset off. If there are fewer, it returns io.EOF, too.
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

// from returns the available bytes from offset off, in one piece.
func (s *source) from(off int64) []byte {
	if off < int64(len(s.Head)) {
		return s.Head[off:]
	}
	if behind := off - (s.Payload.Size - int64(len(s.Tail))); behind >= 0 && behind < int64(len(s.Tail)) {
		return s.Tail[behind:]
	}
	return nil
}

// EofSlice returns the l bytes that end o bytes before the end of the payload. If there are fewer,
// it returns the last of these with io.EOF.
func (s *source) EofSlice(o int64, l int) ([]byte, error) {
	end := s.Tail
	if s.complete() {
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

// count subtracts the returned bytes from the limit.
func (s *source) count(b []byte, err error) ([]byte, error) {
	if s.left.Add(-int64(len(b))) < 0 {
		return nil, errExhausted
	}
	return b, err
}

// exhausted reports whether siegfried was stopped.
func (s *source) exhausted() bool { return s.left.Load() < 0 }

// ReadAt reads the available bytes, for the guard.
func (s *source) ReadAt(p []byte, off int64) (int, error) {
	n := copy(p, s.from(max(off, 0)))
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
