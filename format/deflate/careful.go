package deflate

// careful inflates one symbol and checks each step against the ends of src and dst. It reports
// whether the block is complete. If either ends before the symbol does, careful consumes nothing,
// except for the part of a match that found room.
func (d *Decoder) careful() (done bool, err error) {
	d.refill() // now src has ended, or bits holds any symbol with its distance: 15+5+15+13
	bits, count := d.bits, d.count
	done, err = d.symbol()
	short := err == ErrTruncated || err == ErrShortOutput //nolint:errorlint // never wrapped
	if short && d.matched == 0 {
		d.bits, d.count = bits, count
	}
	return done, err
}

func (d *Decoder) symbol() (done bool, err error) {
	if d.count < d.least {
		return false, ErrTruncated
	}
	e, ok := d.lookUp(d.literals[:], d.literalMask)
	switch {
	case !ok:
		return false, ErrTruncated
	case e&entryLiteral != 0:
		if d.out == len(d.dst) {
			return false, ErrShortOutput
		}
		d.drop(uint(e & 0xff))
		d.dst[d.out] = byte(e >> entryValue)
		d.out++
		return false, nil
	case e&entryEnd != 0:
		d.drop(uint(e & 0xff))
		return true, nil
	case e&entrySpecial != 0:
		return false, errCorrupt
	}
	length, ok := d.takeValue(e)
	if !ok {
		return false, ErrTruncated
	}
	e, ok = d.lookUp(d.dists[:], d.distMask)
	if !ok {
		return false, ErrTruncated
	}
	if e&entrySpecial != 0 {
		return false, errCorrupt
	}
	dist, ok := d.takeValue(e)
	if !ok {
		return false, ErrTruncated
	}
	return false, d.repeat(length, dist)
}

// lookUp finds the entry of the next code and drops the bits that led to a sub-table. It returns
// false if src ends within the code.
func (d *Decoder) lookUp(table []uint32, mask uint64) (uint32, bool) {
	e := table[d.bits&mask]
	if e&entrySub != 0 {
		n := uint(e & 0xff)
		if n > d.count {
			return 0, false
		}
		d.drop(n)
		e = table[uint64(e>>entryValue)+d.bits&(1<<(e>>entryCode&0x1f)-1)]
	}
	return e, uint(e>>entryCode&0x1f) <= d.count
}

// takeValue consumes the code of the length or distance e and its extra bits, and returns the
// value.
func (d *Decoder) takeValue(e uint32) (int, bool) {
	all, code := uint(e&0xff), uint(e>>entryCode&0x1f)
	if all > d.count {
		return 0, false
	}
	value := int(e>>entryValue) + int(d.bits&(1<<all-1)>>code)
	d.drop(all)
	return value, true
}

// repeat copies length bytes from dist bytes back (RFC 1951, 3.2.3); they may overlap. The bytes
// that find no room are counted in matched.
func (d *Decoder) repeat(length, dist int) error {
	if dist > d.out {
		return errCorrupt
	}
	d.dist, d.matched = dist, length-min(length, len(d.dst)-d.out)
	for end := d.out + length - d.matched; d.out < end; d.out++ {
		d.dst[d.out] = d.dst[d.out-dist]
	}
	if d.matched > 0 {
		return ErrShortOutput
	}
	return nil
}
