package inflate

// GoBack makes the byte at this offset of the inflated stream the next one again, if possible. The
// file must be uncompressed and an io.Seeker, and the bound on reading again must not be reached
// (see bytesource.Source.GoBackTo). Otherwise reading continues where it is, and the result is
// false. An error comes from the file.
//
// Record readers use it if a block turns out to include the records after it.
func (r *Reader) GoBack(inflated int64) (bool, error) {
	if r.producer.kind != None || inflated > r.base {
		return false, nil
	}
	if r.window.back(r.base - inflated) {
		r.base = inflated
		return true, nil
	}
	src := r.producer.src
	if !src.Seeks() {
		return false, nil
	}
	if err := r.giveBack(); err != nil {
		return false, err
	}
	if err := src.GoBackTo(inflated); err != nil {
		return false, err
	}
	if src.Offset() != inflated {
		return false, nil
	}
	r.window.empty()
	r.base, r.err = inflated, nil
	return true, nil
}

// giveBack stops the reading ahead of a plain file and drops the bytes that the reader has not
// seen. Reading ahead resumes when the reader passes the point reached before. Otherwise frequent
// steps back would read the file ahead each time.
func (r *Reader) giveBack() error {
	seen := r.base + int64(r.window.len())
	r.noAheadUntil = max(r.noAheadUntil, seen)
	if r.ahead == nil || !r.ahead.running {
		return nil
	}
	r.ahead.halt()
	r.window.forgetUnreached()
	return r.producer.src.Unread(seen)
}
