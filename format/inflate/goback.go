package inflate

// GoBack makes the byte at an offset of the inflated stream the next one again, where that is
// possible: the file is not compressed, is an io.Seeker, and not too much of it was read twice
// already (see bytesource.Source.GoBackTo). Otherwise reading goes on from where it is, and the
// answer is false. The error is one of the file.
//
// Readers of records use it when a block that went by turns out to have swallowed the records
// behind it.
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

// giveBack ends the reading ahead of a plain file, and forgets what nobody has seen of it. It
// begins anew when the reader is behind what it has seen: who goes back often must not have the
// file read ahead each time.
func (r *Reader) giveBack() error {
	seen := r.base + int64(r.window.len())
	r.aloneUntil = max(r.aloneUntil, seen)
	if r.ahead == nil || !r.ahead.running {
		return nil
	}
	r.ahead.halt()
	r.window.forgetUnreached()
	return r.producer.src.GiveBack(seen)
}
