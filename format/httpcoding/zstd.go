package httpcoding

import (
	"bufio"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// zstdMethod removes the zstd coding (RFC 8878). Several frames can follow one another, and some
// may be skippable.
type zstdMethod struct {
	dec  *zstd.Decoder
	some bool // a frame was decoded
}

func newZstd() method { return &zstdMethod{} }

// zstdWindow is the largest window that a body may demand (RFC 9659), in bytes.
const zstdWindow = 8 << 20

// zstdMagic is the start of a frame. A skippable frame begins with 0x50 to 0x5f and zstdSkippable
// (RFC 8878, 3.1).
const (
	zstdMagic     = "\x28\xb5\x2f\xfd"
	zstdSkippable = "\x2a\x4d\x18"
)

func (m *zstdMethod) is(head []byte) bool {
	n := min(len(head), len(zstdMagic))
	return string(head[:n]) == zstdMagic[:n] || n == len(zstdMagic) && head[0]&0xf0 == 0x50 &&
		string(head[1:n]) == zstdSkippable
}

func (m *zstdMethod) open(in *bufio.Reader) (err error) {
	m.some = false
	if m.dec == nil {
		// With concurrency 1 the decoder works only when it is read, and starts no goroutines.
		m.dec, err = zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(zstdWindow))
		return err
	}
	return m.dec.Reset(in)
}

func (m *zstdMethod) Read(p []byte) (int, error) {
	n, err := m.dec.Read(p)
	m.some = m.some || n > 0
	if m.some && errors.Is(err, zstd.ErrMagicMismatch) {
		err = errFollowed
	}
	return n, err
}

var _ io.Reader = (*zstdMethod)(nil)
