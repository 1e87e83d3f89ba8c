package inflate

// window is the section of inflated bytes that the reader sees. Usually it is a part of one slab.
// If the reader needs a longer section, the bytes are copied together.
type window struct {
	slab   *slab
	next   int    // the first piece of the slab not yet reached
	at     int    // start of that piece
	buf    []byte // the slab's, or wide
	lo, hi int    // unread bytes are buf[lo:hi]
	wide   []byte // kept after first use
	isWide bool
}

func newWindow() window {
	s := newSlab()
	return window{slab: s, at: leadSize, buf: s.buf, lo: leadSize, hi: leadSize}
}

func (w *window) len() int { return w.hi - w.lo }

// exhausted reports whether every piece of the slab was reached.
func (w *window) exhausted() bool { return w.next == len(w.slab.pieces) }

// reach makes the next piece of the slab visible.
func (w *window) reach() *piece {
	p := &w.slab.pieces[w.next]
	w.narrow()
	if w.isWide {
		w.append(w.slab.buf[w.at:p.end])
	} else {
		w.hi = p.end
	}
	w.next, w.at = w.next+1, p.end
	return p
}

// leave prepares the window for returning the slab: it copies bytes that the next slab does not
// repeat.
func (w *window) leave() {
	w.narrow()
	if !w.isWide && w.len() > leadSize {
		unread := w.buf[w.lo:w.hi]
		w.isWide, w.buf, w.lo, w.hi = true, w.wide, 0, 0
		w.append(unread)
	}
}

// enter moves to the slab after the one that was left.
func (w *window) enter(s *slab) {
	w.slab, w.next, w.at = s, 0, leadSize
	if !w.isWide {
		w.buf, w.lo, w.hi = s.buf, leadSize-w.len(), leadSize
	}
}

// narrow returns from copied bytes to the slab, if it holds all unread bytes.
func (w *window) narrow() {
	if n := w.len(); w.isWide && n <= w.at-leadSize+w.slab.lead {
		w.isWide, w.buf, w.lo, w.hi = false, w.slab.buf, w.at-n, w.at
	}
}

// append copies more bytes to the end of a wide window.
func (w *window) append(b []byte) {
	if n := w.len(); w.hi+len(b) > len(w.buf) {
		to := w.buf
		if n+len(b) > len(to) {
			to = make([]byte, min(2*(n+len(b)), MaxPeek+slabSize))
			w.wide = to
		}
		copy(to, w.buf[w.lo:w.hi])
		w.buf, w.lo, w.hi = to, 0, n
	}
	w.hi += copy(w.buf[w.hi:], b)
}

// back makes the last n bytes read unread again, if they are still in the window.
func (w *window) back(n int64) bool {
	first := 0
	if !w.isWide {
		first = leadSize - w.slab.lead
	}
	if n > int64(w.lo-first) {
		return false
	}
	w.lo -= int(n)
	return true
}

// forgetUnreached removes the unreached pieces from the slab.
func (w *window) forgetUnreached() {
	w.slab.pieces, w.slab.end, w.slab.err = w.slab.pieces[:w.next], w.at, nil
}

// empty begins with an empty slab: the following bytes do not continue the last.
func (w *window) empty() {
	w.slab.lead, w.slab.end, w.slab.pieces, w.slab.err = 0, leadSize, w.slab.pieces[:0], nil
	w.isWide = false
	w.lo, w.hi = leadSize, leadSize
	w.enter(w.slab)
}
