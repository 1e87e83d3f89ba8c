package gzipmember

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/flate"

	"quire/format/bytesource"
)

// chainWork bounds what chainToEnd inflates after one damaged member, in bytes.
const chainWork = 16 << 20

// chainToEnd says whether whole members, one behind the other and each with the right sums, begin
// at the i-th byte to be read and go on to the very end of the file. Then they are members of the
// file, even though the last one, which is cut short, held the same bytes: when bytes were lost
// within a stored block, the block takes the members behind it for its own. The members of a
// container within the container end somewhere before. Only the last bytes of a file are looked at,
// as many as are at hand: a stored block is shorter.
func (r *Reader) chainToEnd(i int) bool {
	b, err := r.src.Peek(bytesource.BufferSize)
	if !errors.Is(err, io.EOF) {
		return false
	}
	for b = b[i:]; len(b) > 0; {
		n := r.wholeMember(b)
		if n == 0 {
			return false
		}
		b = b[n:]
	}
	return true
}

// wholeMember is the length of the member that b begins with, 0 when it is not whole, or too much
// was tried already.
func (r *Reader) wholeMember(b []byte) int {
	n := headerLength(b)
	if n < 0 {
		return 0
	}
	in := bytes.NewReader(b[n:])
	if err := r.trial.(flate.Resetter).Reset(in, nil); err != nil { // plausible has made it
		return 0
	}
	sum := crc32.NewIEEE()
	size, err := io.Copy(sum, io.LimitReader(r.trial, r.chainLeft+1))
	r.chainLeft -= size
	if err != nil || r.chainLeft < 0 || in.Len() < 8 {
		return 0
	}
	trailer := b[len(b)-in.Len():]
	if binary.LittleEndian.Uint32(trailer) != sum.Sum32() || binary.LittleEndian.Uint32(trailer[4:]) != uint32(size) {
		return 0
	}
	return len(b) - in.Len() + 8
}
