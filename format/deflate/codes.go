package deflate

// lengthOrder is the order of the lengths of the code-length code (RFC 1951, 3.2.7).
var lengthOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// useFixed fills the tables with the fixed codes (3.2.6).
func (d *Decoder) useFixed() {
	if d.fixed {
		return
	}
	var lengths [288]uint8
	for i := range lengths {
		switch {
		case i < 144:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		case i < 280:
			lengths[i] = 7
		default:
			lengths[i] = 8
		}
	}
	d.makeTables(lengths[:], []uint8{5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5,
		5, 5, 5, 5})
	d.fixed = true
}

// makeTables fills both tables and reports whether both sets of lengths are codes.
func (d *Decoder) makeTables(literals, dists []uint8) bool {
	d.fixed = false
	width, ok := build(d.literals[:], literalBits, literals, literalMeaning[:])
	if !ok {
		return false
	}
	d.literalMask = 1<<width - 1
	d.least = uint(literals[256])
	width, ok = build(d.dists[:], distBits, dists, distMeaning[:])
	d.distMask = 1<<width - 1
	return ok
}

// readCodes reads the head of a block with dynamic codes (3.2.7).
func (d *Decoder) readCodes() error {
	head, ok := d.take(14)
	if !ok {
		return ErrTruncated
	}
	literals, dists, sizes := int(head&31)+257, int(head>>5&31)+1, int(head>>10)+4
	if literals > maxLiterals || dists > maxDists {
		return errCorrupt
	}
	var order [19]uint8
	for _, symbol := range lengthOrder[:sizes] {
		n, ok := d.take(3)
		if !ok {
			return ErrTruncated
		}
		order[symbol] = uint8(n)
	}
	var table [1 << lengthBits]uint32
	width, ok := build(table[:], lengthBits, order[:], lengthMeaning[:])
	if !ok {
		return errCorrupt
	}
	if err := d.readLengths(d.lengths[:literals+dists], &table, 1<<width-1); err != nil {
		return err
	}
	if !d.makeTables(d.lengths[:literals], d.lengths[literals:literals+dists]) {
		return errCorrupt
	}
	return nil
}

// readLengths reads the lengths of the codes. They are run-length encoded with the code-length
// code.
func (d *Decoder) readLengths(lengths []uint8, table *[1 << lengthBits]uint32, mask uint64) error {
	for i := 0; i < len(lengths); {
		if d.count < lengthBits+7 {
			d.refill()
		}
		e := table[d.bits&mask]
		n := uint(e & 0xff)
		switch {
		case n > d.count:
			return ErrTruncated
		case e&entrySpecial != 0:
			return errCorrupt
		}
		d.drop(n)
		symbol := uint8(e >> entryValue)
		if symbol < 16 {
			lengths[i] = symbol
			i++
			continue
		}
		if symbol == 16 && i == 0 {
			return errCorrupt // no previous length to repeat
		}
		length, times, err := d.readRun(symbol)
		if err != nil {
			return err
		}
		if i+times > len(lengths) {
			return errCorrupt
		}
		if symbol == 16 {
			length = lengths[i-1]
		}
		for range times {
			lengths[i] = length
			i++
		}
	}
	return nil
}

// readRun reads how often a length is repeated. The length is the previous one, which the caller
// knows (symbol 16), or 0.
func (d *Decoder) readRun(symbol uint8) (length uint8, times int, err error) {
	extra, base := uint(2), 3
	switch symbol {
	case 17:
		extra = 3
	case 18:
		extra, base = 7, 11
	}
	more, ok := d.take(extra)
	if !ok {
		return 0, 0, ErrTruncated
	}
	return 0, base + int(more), nil
}
