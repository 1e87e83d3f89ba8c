package inflate

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"quire/format/bytesource"
	"quire/format/gzipmember"
	"quire/format/zstdframe"
)

// recognise returns the compression of the file at the source, without consuming anything. The
// error is a read error.
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
		return None, nil // the error returns after the bytes that can be read
	}
	if isArchive(head) {
		return None, nil
	}
	// The file is gzip if the bytes before the member are not such content: a plain file can have
	// members in its content, and a member can store its content uncompressed. It is also gzip if
	// these bytes are a stored member that lost its header.
	if i := gzipmember.Index(head, holds); i >= 0 && (endsStored(head[:i]) || !holds(head[:i])) {
		return Gzip, nil
	}
	if i := zstdframe.Index(head, holds); i >= 0 && !holds(head[:i]) {
		return Zstd, nil
	}
	switch {
	case gzipmember.LostHeader(head, holds):
		return Gzip, nil
	case holds(head) || len(head) < bytesource.BufferSize:
		return None, nil
	}
	return searchFar(src, holds)
}

// farthest is how far a member or frame is searched in a file that begins with neither, in bytes. A
// first record is seldom longer.
const farthest = 64 << 20

// searchFar is recognise for a file without content or a member in its first bytes. It searches the
// next bytes, if the source can go back. The first content that it finds decides: a plain file may
// also contain members.
func searchFar(src *bytesource.Source, holds func([]byte) bool) (kind Compression, err error) {
	if !src.Seeks() {
		return None, nil
	}
	defer func() { err = errors.Join(err, src.Unread(0)) }()
	for src.Offset() < farthest {
		window, err := src.Peek(bytesource.BufferSize)
		if src.Err() != nil {
			return None, nil // the error returns after the bytes that can be read
		}
		if i := gzipmember.Index(window, holds); i >= 0 && !holds(window[:i]) {
			return Gzip, nil
		}
		if i := zstdframe.Index(window, holds); i >= 0 && !holds(window[:i]) {
			return Zstd, nil
		}
		if holds(window) || err != nil {
			return None, nil
		}
		if _, err := src.Discard(len(window) - farOverlap); err != nil {
			return None, err
		}
	}
	return None, nil
}

// farOverlap is how much of a window is searched again with the next: the beginning of a member, as
// far as its content identifies it.
const farOverlap = 64 << 10

// lostHeader is how much of a member's beginning may be lost for its trailer to identify it.
const lostHeader = 4 << 10

// endsStored reports whether b ends in the trailer of a member that stores its content uncompressed
// and began in b or just before. Its ISIZE then nearly equals the length of b (RFC 1952, 2.3.1). In
// a plain file, the bytes before a member in the content are the end of a header, which would mean
// an ISIZE of more than a hundred million.
func endsStored(b []byte) bool {
	const around = 64 // of the header, the trailer, and the stored block
	if len(b) < 4 {
		return false
	}
	size := int64(binary.LittleEndian.Uint32(b[len(b)-4:]))
	return size >= int64(len(b)-around) && size <= int64(len(b)+lostHeader)
}

func isZstd(magic uint32) bool { return magic == 0xFD2FB528 || magic&^0xF == 0x184D2A50 }

// isArchive reports whether the file begins like a ZIP file (such as a WACZ) or a tar file. Such a
// file may hold uncompressed containers, but is not a container itself.
func isArchive(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || len(head) > 262 && string(head[257:262]) == "ustar"
}
