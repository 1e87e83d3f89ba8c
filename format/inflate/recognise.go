package inflate

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"quire/format/bytesource"
	"quire/format/gzipmember"
)

// recognise says how the file at the source, of which nothing was taken, is compressed. The error
// is one of reading it.
func recognise(src *bytesource.Source, holds func([]byte) bool) (Compression, error) {
	head, err := src.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return None, err
	}
	switch {
	case len(head) >= 2 && head[0] == 0x1f && head[1] == 0x8b:
		return Gzip, nil
	case len(head) == 4 && isZstd(binary.LittleEndian.Uint32(head)):
		return Zstd, nil
	case holds == nil:
		return None, nil
	}
	head, err = src.Peek(bytesource.BufferSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return None, nil // it comes again, behind what can be read
	}
	if isArchive(head) {
		return None, nil
	}
	// What stands before the member must hold nothing: a plain file may have members in its
	// content, and a member may hold its content as it is. Or it is such a member without its
	// header.
	if i := gzipmember.Index(head, holds); i >= 0 && (endsStored(head[:i]) || !holds(head[:i])) {
		return Gzip, nil
	}
	return None, nil
}

// lostHeader is how much of a member may have been lost for it to be known by its trailer.
const lostHeader = 4 << 10

// endsStored says whether b ends in the trailer of a member that holds its content as it is, and
// began with b or not long before: its ISIZE says that it holds about as many bytes as b is long
// (RFC 1952, 2.3.1). Before a member that is content of a plain file stands the end of a header,
// which makes an ISIZE of more than a hundred million.
func endsStored(b []byte) bool {
	const around = 64 // of the header, the trailer, and the stored block
	if len(b) < 4 {
		return false
	}
	size := int64(binary.LittleEndian.Uint32(b[len(b)-4:]))
	return size >= int64(len(b)-around) && size <= int64(len(b)+lostHeader)
}

func isZstd(magic uint32) bool { return magic == 0xFD2FB528 || magic&^0xF == 0x184D2A50 }

// isArchive says whether a file that begins so is a ZIP, as a WACZ is, or a tar: it may hold
// containers, as they are, and is none itself.
func isArchive(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || len(head) > 262 && string(head[257:262]) == "ustar"
}
