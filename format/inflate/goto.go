package inflate

// GoTo makes the member that begins at an offset of the file the next to be read; in a plain file,
// the byte there. Use it with an offset that [Position] gave as File. The file must be an
// io.Seeker; errors.ErrUnsupported is the error where it is not.
//
// In a compressed file the offsets in the inflated stream are counted from there on: how much the
// members before it hold is not known.
func (r *Reader) GoTo(offset int64) error {
	if r.closed {
		return errClosed
	}
	if r.ahead != nil {
		r.ahead.halt()
	}
	if err := r.producer.goTo(offset); err != nil {
		return err
	}
	r.window.empty()
	r.err, r.base, r.passed, r.noAheadUntil = nil, 0, 0, 0
	if r.producer.kind == None {
		r.base = offset
		return nil
	}
	r.marks, r.first = r.marks[:0], 0
	return nil
}

func (p *producer) goTo(offset int64) error {
	p.open, p.faults = false, nil
	switch {
	case p.gzip != nil:
		return p.gzip.GoTo(offset)
	case p.zstd != nil:
		return p.zstd.GoTo(offset)
	}
	return p.src.GoTo(offset)
}
