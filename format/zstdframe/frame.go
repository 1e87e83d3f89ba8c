package zstdframe

import (
	"encoding/binary"
	"errors"
	"io"

	"quire/format/bytesource"
)

const (
	magicFrame      = 0xFD2FB528
	magicSkippable  = 0x184D2A50 // to …5F
	magicDictionary = 0x184D2A5D // the skippable frame of WARC-Zstandard with the dictionary
	magicDictFormat = 0xEC30A437 // the content of a formatted dictionary (RFC 8878, 5)
)

// frameMagic is magicFrame in the byte order of a file.
var frameMagic = []byte{0x28, 0xB5, 0x2F, 0xFD}

func isSkippable(magic uint32) bool { return magic&^0xF == magicSkippable }

// errMalformed means that the frame's own structure is wrong.
var errMalformed = errors.New("malformed frame")

// frameBytes passes on the compressed bytes of exactly one frame, by its block headers. So the
// decoder, which reads ahead, cannot read into the next frame, and the frame's length is known.
type frameBytes struct {
	src      *bytesource.Source
	at       int64 // of the frame's first byte
	remain   int64 // bytes to pass before the next header
	checksum bool
	last     bool // the last block is among remain
	ended    bool
}

// begin parses the frame header at the source, but does not consume it: it must be passed on.
func (f *frameBytes) begin(src *bytesource.Source) error {
	head, err := src.Peek(6)
	if len(head) < 6 {
		return unexpected(err)
	}
	*f = frameBytes{src: src, at: src.Offset(), remain: int64(headerSize(head[4])), checksum: hasChecksum(head[4])}
	return nil
}

// headerSize returns the length of a frame header with this Frame_Header_Descriptor, including the
// magic (RFC 8878, 3.1.1.1).
func headerSize(descriptor byte) int {
	size := 5
	single := descriptor&0x20 != 0
	if !single {
		size++ // Window_Descriptor
	}
	size += [4]int{0, 1, 2, 4}[descriptor&3] // Dictionary_ID
	contentSize := [4]int{0, 2, 4, 8}[descriptor>>6]
	if contentSize == 0 && single {
		contentSize = 1
	}
	return size + contentSize
}

func hasChecksum(descriptor byte) bool { return descriptor&checksumFlag != 0 }

const checksumFlag = 4

// Read returns the bytes of the frame, and io.EOF at its end.
func (f *frameBytes) Read(p []byte) (int, error) {
	for f.remain == 0 {
		if f.ended {
			return 0, io.EOF
		}
		if err := f.nextBlock(); err != nil {
			return 0, err
		}
	}
	n, err := f.src.Read(p[:min(int64(len(p)), f.remain)])
	f.remain -= int64(n)
	if err != nil {
		err = unexpected(err)
	}
	return n, err
}

// nextBlock adds the next block, or the checksum after the last, to the bytes to pass on (RFC 8878,
// 3.1.1.2).
func (f *frameBytes) nextBlock() error {
	if f.last {
		f.ended = true
		if f.checksum {
			f.remain = 4
		}
		return nil
	}
	b, err := f.src.Peek(3)
	if len(b) < 3 {
		return unexpected(err)
	}
	size, last, ok := blockSize(b)
	if !ok {
		return errMalformed
	}
	f.last = last
	f.remain = int64(size)
	return nil
}

// maxBlock is Block_Maximum_Size (RFC 8878, 3.1.1.2.4).
const maxBlock = 128 << 10

// blockSize returns the size of the block with header b, including the header.
func blockSize(b []byte) (size int, last, ok bool) {
	head := uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16
	size = int(head >> 3)
	if size > maxBlock || head>>1&3 == 3 { // 3 is reserved
		return 0, false, false
	}
	if head>>1&3 == 1 { // RLE_Block: one byte, repeated
		size = 1
	}
	return 3 + size, head&1 != 0, true
}

func unexpected(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func magicOf(b []byte) uint32 {
	if len(b) < 4 {
		return 0
	}
	return binary.LittleEndian.Uint32(b)
}
