package deflate

// edge is the place between two blocks.
type edge struct {
	in, out int  // bytes consumed and produced
	bits    uint // of the consumed bytes, the last ones: they belong to the next block
	passed  bool
}

// Boundary is a place between two blocks. Inflating can begin there, with the Window bytes of output before it
// (RFC 1951, 3.2.3: only matches refer to bytes before a block).
type Boundary struct {
	Bits int64 // before it, in the data that Continue got as src
	Out  int   // before it, in the dst of Continue
}

// Boundary returns the last boundary that the latest call of Continue passed, and whether it passed any. The end of
// the data is none.
func (d *Decoder) Boundary() (Boundary, bool) {
	e := &d.edge
	return Boundary{Bits: 8*int64(e.in) - int64(e.bits), Out: e.out}, e.passed
}

// StartWithin begins at a boundary within data, for Continue. The boundary is after so many bits of the byte first,
// 0 to 7. The next byte is then the first of src. At 0, first is not used, and src begins with it.
func (d *Decoder) StartWithin(first byte, bits uint) {
	d.Start()
	if bits &= 7; bits > 0 {
		d.bits, d.count = uint64(first)>>bits, 8-bits
	}
}
