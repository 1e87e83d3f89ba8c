package gzipmember

import (
	"errors"
	"io"

	"quire/format/deflate"
)

// Bounds of what is inflated whole. Most records of a crawl are far smaller; what is larger is inflated as a stream.
const (
	wholeMin = 32 << 10 // the least room worth trying
	wholeMax = 4 << 20  // inflated bytes
	againMax = 64 << 10 // bytes at hand up to which it is worth to read on and try again
)

// whole inflates a member in one go when all of its compressed data is at hand. When it is not, or is damaged, nothing is
// taken from the file, and the stream says what there is to say.
type whole struct {
	decoder deflate.Decoder
	buf     []byte // grown as needed, up to wholeMax, and kept
	rest    []byte // inflated and not yet given
	active  bool
}

// readBody gives inflated bytes of the present member, as io.Reader has it. The first call decides how.
func (r *Reader) readBody(p []byte) (int, error) {
	if r.undecided && len(p) > 0 {
		r.undecided = false
		if n, ok := r.startWhole(p); ok {
			return r.giveWhole(p, n)
		}
		if err := r.inflate.(flateResetter).Reset(r.src.Reader, nil); err != nil {
			return 0, err
		}
	}
	if r.whole.active {
		return r.giveWhole(p, 0)
	}
	return r.inflate.Read(p)
}

// flateResetter is flate.Resetter: a decoder that can start again on another stream.
type flateResetter interface {
	Reset(r io.Reader, dict []byte) error
}

// giveWhole gives what is left of a member that was inflated whole; n bytes are in p already.
func (r *Reader) giveWhole(p []byte, n int) (int, error) {
	n += copy(p[n:], r.whole.rest)
	r.whole.rest = r.whole.rest[min(n, len(r.whole.rest)):]
	if len(r.whole.rest) > 0 {
		return n, nil
	}
	r.whole.active = false
	return n, io.EOF
}

// startWhole tries to inflate the member whole, into p or, where that is too small, into the buffer, and takes its
// compressed data from the file. It says how many bytes are in p, and whether it worked.
func (r *Reader) startWhole(p []byte) (int, bool) {
	if r.noWhole {
		return 0, false
	}
	at := r.src.Buffered()
	n, used, err := r.inflateAtHand(p)
	if errors.Is(err, deflate.ErrTruncated) && at <= againMax {
		// The data goes on behind what was read ahead. The stream would read on too, at this very byte.
		if _, err := r.src.Peek(at + 1); err != nil {
			return 0, false
		}
		n, used, err = r.inflateAtHand(p)
	}
	if err != nil || r.src.Err() != nil {
		r.whole.rest = nil
		return 0, false
	}
	if _, err := r.src.Discard(used); err != nil {
		return 0, false
	}
	r.whole.active = true
	return n, true
}

// inflateAtHand inflates from the bytes read ahead. n bytes are in p, or all of them in rest.
func (r *Reader) inflateAtHand(p []byte) (n, used int, err error) {
	src, err := r.src.Peek(r.src.Buffered())
	if err != nil {
		return 0, 0, err
	}
	r.whole.rest = nil
	if len(p) >= wholeMin {
		if n, used, err = r.whole.decoder.Inflate(p, src); !errors.Is(err, deflate.ErrShortOutput) {
			return n, used, err
		}
	}
	for {
		if len(r.whole.buf) > len(p) {
			n, used, err = r.whole.decoder.Inflate(r.whole.buf, src)
			if !errors.Is(err, deflate.ErrShortOutput) {
				r.whole.rest = r.whole.buf[:n]
				return 0, used, err
			}
		}
		if len(r.whole.buf) >= wholeMax {
			return 0, 0, deflate.ErrShortOutput
		}
		r.whole.buf = make([]byte, max(2*wholeMin, min(4*len(r.whole.buf), wholeMax)))
	}
}
