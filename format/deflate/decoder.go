package deflate

import (
	"errors"
	"fmt"
)

// ErrShortOutput means that dst is full and the data continues.
var ErrShortOutput = errors.New("deflate: the output buffer is full before the data ends")

// ErrTruncated means that src ends before the data does.
var ErrTruncated = errors.New("deflate: the data is cut off")

// CorruptError means that src does not hold valid deflate data.
type CorruptError struct {
	Offset int64 // in src, of a byte at or shortly after the first wrong bit
}

// Error returns a message with the place of the corruption.
func (e *CorruptError) Error() string {
	return fmt.Sprintf("deflate: the data is corrupt before byte %d", e.Offset)
}

// errCorrupt becomes a CorruptError where the package returns it, because the offset is known
// there.
var errCorrupt = errors.New("corrupt")

// Window is how far back the data may refer, in inflated bytes (RFC 1951, 2).
const Window = 32 << 10

// Decoder inflates. The zero value is ready. It can be reused, by one goroutine at a time.
type Decoder struct {
	src, dst []byte
	in, out  int    // bytes consumed and produced
	bits     uint64 // unused bits of src, the next one lowest; those above count are 0
	count    uint   // of bits

	stage   stage
	last    bool // the current block is the last
	stored  int  // remaining bytes of a stored block
	matched int  // bytes of a match that found no room yet
	dist    int  // and their distance
	edge    edge // the last end of a block that Continue passed

	literals    [literalSize]uint32 // literals, lengths, end of block
	dists       [distSize]uint32
	literalMask uint64
	distMask    uint64
	least       uint // no block ends with fewer remaining bits
	fixed       bool // the tables hold the fixed codes
	lengths     [maxLiterals + maxDists]uint8
}

// stage is the next part of the data.
type stage uint8

const (
	blockHead stage = iota
	storedBytes
	symbols
	dataEnd
)

// Inflate inflates the deflate data at the start of src into dst. It returns the number of bytes
// written and the number of bytes of src that the data uses. The content of dst[n:] is undefined.
//
// The error is ErrShortOutput if len(dst) bytes are not enough, ErrTruncated if src ends first, or
// a *CorruptError. dst[:n] is good in any case; used is 0 with an error.
func (d *Decoder) Inflate(dst, src []byte) (n, used int, err error) {
	d.Start()
	if n, used, err = d.Continue(dst, 0, src); err != nil {
		used = 0
	}
	return n, used, err
}

// Start begins new data, for Continue.
func (d *Decoder) Start() {
	d.bits, d.count, d.stage, d.last, d.stored, d.matched = 0, 0, blockHead, false, 0, 0
}

// Continue inflates data that arrives in pieces. dst[:at] must end with the output of this data so
// far: all of it, or the last Window bytes. Continue returns the number of bytes written after
// them, and the number of bytes of src consumed.
//
// The error is nil at the end of the data. After ErrShortOutput, call again with more room. After
// ErrTruncated, call again with more data, preceded by the unused bytes of src, at most MaxPause.
// After a *CorruptError the data cannot be continued.
func (d *Decoder) Continue(dst []byte, at int, src []byte) (n, used int, err error) {
	d.src, d.dst, d.in, d.out, d.edge = src, dst, 0, at, edge{}
	for err == nil && d.stage != dataEnd {
		err = d.step()
	}
	d.giveBack()
	n, used = d.out-at, d.in
	d.src, d.dst = nil, nil
	if err == errCorrupt { //nolint:errorlint // never wrapped
		err = &CorruptError{Offset: int64(used)}
	}
	return n, used, err
}

// MaxPause is the most of src that Continue leaves unused when it needs more, because no block head
// is longer. A head has 17 bits, up to 19 lengths of 3 bits, and up to 320 codes of at most 14 bits
// with their extra bits (RFC 1951, 3.2.7).
const MaxPause = (17 + 19*3 + 320*14 + 7) / 8

// step processes the next stage.
func (d *Decoder) step() error {
	if d.matched > 0 {
		return d.repeat(d.matched, d.dist)
	}
	switch d.stage {
	case blockHead:
		return d.wholeHead()
	case storedBytes:
		return d.copyStored()
	default:
		return d.inflateSymbols()
	}
}

// wholeHead reads the head of a block. If src ends within it, wholeHead consumes nothing.
func (d *Decoder) wholeHead() error {
	in, bits, count := d.in, d.bits, d.count
	err := d.head()
	if err == ErrTruncated { //nolint:errorlint // never wrapped
		d.in, d.bits, d.count, d.stage = in, bits, count, blockHead
	}
	return err
}

// head reads the head of a block (RFC 1951, 3.2.3).
func (d *Decoder) head() error {
	head, ok := d.take(3)
	if !ok {
		return ErrTruncated
	}
	d.last, d.stage = head&1 != 0, symbols
	switch head >> 1 {
	case 0:
		return d.storedHead()
	case 1:
		d.useFixed()
		return nil
	case 2:
		return d.readCodes()
	}
	return errCorrupt
}

// endBlock sets the stage after the current block.
func (d *Decoder) endBlock() {
	d.stage = blockHead
	if d.last {
		d.stage = dataEnd
		return
	}
	d.edge = edge{in: d.in, bits: d.count, out: d.out, passed: true}
}

// storedHead reads the length of an uncompressed block (3.2.4).
func (d *Decoder) storedHead() error {
	d.drop(d.count & 7)
	d.giveBack()
	head := d.src[d.in:]
	if len(head) < 4 {
		return ErrTruncated
	}
	size := int(head[0]) | int(head[1])<<8
	d.in += 4
	if size^0xffff != int(head[2])|int(head[3])<<8 {
		return errCorrupt
	}
	d.stored, d.stage = size, storedBytes
	return nil
}

// copyStored copies the available bytes of an uncompressed block.
func (d *Decoder) copyStored() error {
	n := copy(d.dst[d.out:], d.src[d.in:min(d.in+d.stored, len(d.src))])
	d.in += n
	d.out += n
	d.stored -= n
	switch {
	case d.stored == 0:
		d.endBlock()
		return nil
	case d.out == len(d.dst):
		return ErrShortOutput
	}
	return ErrTruncated
}

// inflateSymbols inflates the rest of a block with the codes in the tables, as far as src and dst
// allow.
func (d *Decoder) inflateSymbols() error {
	done, err := d.fast()
	if !done && err == nil {
		done, err = d.careful()
	}
	if done {
		d.endBlock()
	}
	return err
}

// refill loads bytes until no more fit into bits, or src ends.
func (d *Decoder) refill() {
	for d.count <= 56 && d.in < len(d.src) {
		d.bits |= uint64(d.src[d.in]) << d.count
		d.in++
		d.count += 8
	}
}

// giveBack returns whole unused bytes to src.
func (d *Decoder) giveBack() {
	d.in -= int(d.count / 8)
	d.count &= 7
	d.bits &= 1<<d.count - 1
}

// take consumes n bits, at most 32.
func (d *Decoder) take(n uint) (uint32, bool) {
	if d.count < n {
		if d.refill(); d.count < n {
			return 0, false
		}
	}
	v := uint32(d.bits & (1<<n - 1))
	d.drop(n)
	return v, true
}

func (d *Decoder) drop(n uint) {
	d.bits >>= n
	d.count -= n
}
