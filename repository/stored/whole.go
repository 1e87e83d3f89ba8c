package stored

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"slices"

	"quire/format/deflate"
)

// whole inflates small gzip members in one step, which takes half the time of inflating in pieces.
type whole struct {
	decoder deflate.Decoder
	member  []byte
	record  []byte
	content bytes.Reader // of the record
}

// Limits of members that are inflated in one step, in bytes. Buffers of this size are kept.
const (
	mostWhole    = 256 << 10
	mostInflated = 2 << 20
)

// The frame of a member (RFC 1952, 2.3). Of the optional fields, only an extra field is expected.
const (
	memberMagic   = "\x1f\x8b\x08"
	memberExtra   = 4 // the flag
	memberHeader  = 10
	memberTrailer = 8
)

// inflate reads a member of the given length. It returns false if the member is large, or irregular in
// any way: then it may have read a part.
func (w *whole) inflate(in io.Reader, length int64) bool {
	if length > mostWhole || length < memberHeader+memberTrailer {
		return false
	}
	w.member = slices.Grow(w.member[:0], int(length))[:length]
	if _, err := io.ReadFull(in, w.member); err != nil || string(w.member[:len(memberMagic)]) != memberMagic {
		return false
	}
	data, trailer := w.member[memberHeader:length-memberTrailer], w.member[length-memberTrailer:]
	switch flags := w.member[len(memberMagic)]; {
	case flags == memberExtra && len(data) > 2 && len(data) > 2+int(binary.LittleEndian.Uint16(data)):
		data = data[2+int(binary.LittleEndian.Uint16(data)):]
	case flags != 0:
		return false
	}
	size := binary.LittleEndian.Uint32(trailer[4:])
	if size > mostInflated {
		return false
	}
	w.record = slices.Grow(w.record[:0], int(size))[:size]
	n, used, err := w.decoder.Inflate(w.record, data)
	if err != nil || n != len(w.record) || used != len(data) ||
		crc32.ChecksumIEEE(w.record) != binary.LittleEndian.Uint32(trailer) {
		return false
	}
	w.content.Reset(w.record)
	return true
}
