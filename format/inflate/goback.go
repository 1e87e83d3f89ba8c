package inflate

// GoBack makes the byte at an offset of the inflated stream the next one again, where that is possible: the file is not
// compressed, is an io.Seeker, and not too much of it was read twice already (see bytesource.Source.GoBackTo). Otherwise
// reading goes on from where it is, and the answer is false. The error is one of the file.
//
// Readers of records use it when a block that went by turns out to have swallowed the records behind it.
func (r *Reader) GoBack(inflated int64) (bool, error) {
	if r.kind != None || inflated > r.base {
		return false, nil
	}
	if n := r.base - inflated; n <= int64(r.lo) {
		r.lo -= int(n)
		r.base = inflated
		return true, nil
	}
	if err := r.src.GoBackTo(inflated); err != nil {
		return false, err
	}
	if r.src.Offset() != inflated {
		return false, nil
	}
	r.lo, r.hi, r.base, r.err = 0, 0, inflated, nil
	return true, nil
}
