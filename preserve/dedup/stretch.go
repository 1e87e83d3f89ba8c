package dedup

import (
	"encoding/binary"
	"io"
)

// stretch returns part of a container in a form that can be inflated alone. A Zstandard file may
// begin with a dictionary that all its frames need (IIPC, "WARC Zstandard", dictionary frame), so
// it is included. before is the number of bytes in front that are not part of the stretch.
func stretch(in io.ReaderAt, offset, length int64) (r io.ReadSeeker, before int64) {
	head := make([]byte, 8)
	if _, err := in.ReadAt(head, 0); err == nil && binary.LittleEndian.Uint32(head) == dictionaryMagic {
		before = min(int64(len(head))+int64(binary.LittleEndian.Uint32(head[4:])), offset)
	}
	return io.NewSectionReader(&joined{in, before, offset}, 0, before+length), before
}

const dictionaryMagic = 0x184d2a5d

// joined is the beginning of a file, followed by its content from another offset.
type joined struct {
	in           io.ReaderAt
	head, offset int64
}

// ReadAt implements io.ReaderAt.
func (j *joined) ReadAt(p []byte, at int64) (n int, err error) {
	if at < j.head {
		n, err = j.in.ReadAt(p[:min(int64(len(p)), j.head-at)], at)
		if err != nil || n == len(p) {
			return n, err
		}
	}
	m, err := j.in.ReadAt(p[n:], j.offset+at+int64(n)-j.head)
	return n + m, err
}
