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

// chainWork bounds the bytes that chainToEnd inflates after one damaged member.
const chainWork = 16 << 20

// chainToEnd reports whether a chain of complete members with correct checksums begins i bytes
// ahead and reaches the very end of the file. Then they are members of the file, even if the last
// member, which is cut short, contained the same bytes. If bytes are lost within a stored block,
// the block absorbs the members after it. The members of a container within the container end
// before the end of the file. Only the bytes in the buffer are checked: a stored block is shorter.
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

// wholeMember returns the length of the member at the beginning of b. It returns 0 if the member is
// incomplete, or if the bound on work is reached.
func (r *Reader) wholeMember(b []byte) int {
	n := headerLength(b)
	if n < 0 {
		return 0
	}
	in := bytes.NewReader(b[n:])
	if err := r.trial.(flate.Resetter).Reset(in, nil); err != nil { // made by plausible
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
