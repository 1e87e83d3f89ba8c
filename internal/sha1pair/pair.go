package sha1pair

import (
	"encoding"
	"encoding/binary"
	"hash"
)

// least is how many bytes are worth the exchange of states with crypto/sha1.
const least = 1 << 10

// The binary form of a state of crypto/sha1: a mark, five words, the bytes of an incomplete block,
// and the number of bytes so far.
const (
	mark      = "sha\x01"
	wordsAt   = len(mark)
	partialAt = wordsAt + 5*4
	countAt   = partialAt + block
	stateSize = countAt + 8
	block     = 64
)

// state is a state of crypto/sha1 at the start of a block.
type state struct {
	words [5]uint32
	count uint64
}

// Pair writes to two hashes. One goroutine may use it at a time; the zero value is ready.
type Pair struct {
	room [stateSize]byte // for a state in its binary form
}

// Write writes p to two hashes. If both are of crypto/sha1, it computes them at once.
func (w *Pair) Write(a, b hash.Hash, p []byte) {
	if !available || len(p) < least {
		write(a, b, p, p)
		return
	}
	sa, pa, okA := w.align(a, p)
	sb, pb, okB := w.align(b, p)
	n := min(len(pa), len(pb)) / block
	if !okA || !okB || n == 0 {
		write(a, b, pa, pb)
		return
	}
	blocks(&sa.words, &sb.words, &pa[0], &pb[0], n)
	w.restore(a, &sa, n)
	w.restore(b, &sb, n)
	write(a, b, pa[n*block:], pb[n*block:])
}

func write(a, b hash.Hash, pa, pb []byte) {
	a.Write(pa) // a hash never fails
	b.Write(pb)
}

// align writes the beginning of p that completes a block, and returns the state after it and the
// rest of p. It returns false if h has no state of the known form; the rest still has to be written.
func (w *Pair) align(h hash.Hash, p []byte) (s state, rest []byte, ok bool) {
	m, ok := h.(encoding.BinaryAppender)
	if !ok {
		return s, p, false
	}
	b, err := m.AppendBinary(w.room[:0])
	if err != nil || len(b) != stateSize || string(b[:wordsAt]) != mark {
		return s, p, false
	}
	if begun := int(binary.BigEndian.Uint64(b[countAt:]) % block); begun > 0 {
		n := min(block-begun, len(p))
		h.Write(p[:n]) // a hash never fails
		p = p[n:]
		if b, err = m.AppendBinary(w.room[:0]); err != nil {
			return s, p, false
		}
	}
	for i := range s.words {
		s.words[i] = binary.BigEndian.Uint32(b[wordsAt+4*i:])
	}
	s.count = binary.BigEndian.Uint64(b[countAt:])
	return s, p, s.count%block == 0
}

// restore makes s, after n more blocks, the state of h.
func (w *Pair) restore(h hash.Hash, s *state, n int) {
	w.room = [stateSize]byte{}
	b := w.room[:]
	copy(b, mark)
	for i, w := range s.words {
		binary.BigEndian.PutUint32(b[wordsAt+4*i:], w)
	}
	binary.BigEndian.PutUint64(b[countAt:], s.count+uint64(n)*block)
	if err := h.(encoding.BinaryUnmarshaler).UnmarshalBinary(b); err != nil {
		panic(err) // the form is that of AppendBinary
	}
}
