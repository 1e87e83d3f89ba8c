package deflate

import (
	"errors"
	"fmt"
)

// ErrShortOutput says that dst is full and the data goes on.
var ErrShortOutput = errors.New("deflate: the output buffer is full before the data ends")

// ErrTruncated says that src ends before the data does.
var ErrTruncated = errors.New("deflate: the data is cut off")

// CorruptError says that what src holds is no deflate data.
type CorruptError struct {
	Offset int64 // in src, of a byte at or shortly behind the first wrong bit
}

// Error says where the data is corrupt.
func (e *CorruptError) Error() string {
	return fmt.Sprintf("deflate: the data is corrupt before byte %d", e.Offset)
}

// errCorrupt becomes a CorruptError at the border of the package, where the offset is known.
var errCorrupt = errors.New("corrupt")

// Decoder inflates. The zero value is ready; it can be used again, and by one goroutine at a time.
type Decoder struct {
	src, dst []byte
	in, out  int    // bytes taken and given
	bits     uint64 // bits taken from src and not used, the next one lowest; those above count are 0
	count    uint   // of bits

	literals    [literalSize]uint32 // literals, lengths, end of block
	dists       [distSize]uint32
	literalMask uint64
	distMask    uint64
	least       uint // no block ends with fewer bits than these left
	fixed       bool // the tables are those of the fixed codes
	lengths     [maxLiterals + maxDists]uint8
}

// Inflate inflates the deflate data that src starts with into dst. It returns how many bytes it gave, and how many of src
// the data takes up. dst[n:] is left in any state.
//
// The error is ErrShortOutput when len(dst) bytes are not enough, ErrTruncated when src ends first, or a *CorruptError.
// dst[:n] is good in any case; used is 0 with an error.
func (d *Decoder) Inflate(dst, src []byte) (n, used int, err error) {
	d.src, d.dst, d.in, d.out, d.bits, d.count = src, dst, 0, 0, 0, 0
	for last := false; !last && err == nil; {
		last, err = d.block()
	}
	n, used = d.out, d.in-int(d.count/8)
	d.src, d.dst = nil, nil
	if err == errCorrupt { //nolint:errorlint // never wrapped
		err = &CorruptError{Offset: int64(used)}
	}
	if err != nil {
		used = 0
	}
	return n, used, err
}

// block inflates one block (RFC 1951, 3.2.3) and says whether it was the last.
func (d *Decoder) block() (last bool, err error) {
	head, ok := d.take(3)
	if !ok {
		return false, ErrTruncated
	}
	switch head >> 1 {
	case 0:
		err = d.stored()
	case 1:
		d.useFixed()
		err = d.symbols()
	case 2:
		if err = d.readCodes(); err == nil {
			err = d.symbols()
		}
	default:
		err = errCorrupt
	}
	return head&1 != 0, err
}

// stored copies a block that is not compressed (3.2.4).
func (d *Decoder) stored() error {
	d.bits >>= d.count & 7
	d.count &^= 7
	d.in -= int(d.count / 8)
	d.bits, d.count = 0, 0
	head := d.src[d.in:]
	if len(head) < 4 {
		return ErrTruncated
	}
	size := int(head[0]) | int(head[1])<<8
	if size^0xffff != int(head[2])|int(head[3])<<8 {
		d.in += 4
		return errCorrupt
	}
	d.in += 4
	n := copy(d.dst[d.out:], d.src[d.in:min(d.in+size, len(d.src))])
	room := len(d.dst) - d.out
	d.in += n
	d.out += n
	switch {
	case n == size:
		return nil
	case n == room:
		return ErrShortOutput
	}
	return ErrTruncated
}

// symbols inflates the rest of a block whose codes are in the tables.
func (d *Decoder) symbols() error {
	done, err := d.fast()
	for !done && err == nil {
		done, err = d.careful()
	}
	return err
}

// refill takes bytes until no further one fits into bits, or src ends.
func (d *Decoder) refill() {
	for d.count <= 56 && d.in < len(d.src) {
		d.bits |= uint64(d.src[d.in]) << d.count
		d.in++
		d.count += 8
	}
}

// take takes n bits, at most 32.
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
