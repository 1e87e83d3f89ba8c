package httpcoding

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zlib"
)

// deflateMethod removes the deflate coding (RFC 9110, 8.4.1.2). The standard means the zlib format
// (RFC 1950). Many servers sent only its raw deflate data (RFC 1951), and all browsers accept both.
type deflateMethod struct {
	in   *bufio.Reader
	zlib io.ReadCloser
	raw  io.ReadCloser
	now  io.Reader // one of the two
}

func newDeflate() method { return &deflateMethod{} }

// isZlib reports whether head is a header of RFC 1950, 2.2: method 8, a window of at most 32 KiB, a
// check.
func isZlib(head []byte) bool {
	return len(head) >= 2 && head[0]&0x0f == 8 && head[0]>>4 <= 7 && (int(head[0])<<8|int(head[1]))%31 == 0
}

func (m *deflateMethod) is(head []byte) bool {
	return isZlib(head) || !looksLikeContent(head) ||
		trial(flate.NewReader(bytes.NewReader(head)), len(head) == sniffBytes)
}

func (m *deflateMethod) open(in *bufio.Reader) error {
	m.in = in
	head, err := in.Peek(2)
	if err != nil && len(head) == 0 {
		return err
	}
	if isZlib(head) {
		return m.openZlib()
	}
	if m.raw == nil {
		m.raw = flate.NewReader(in)
	}
	m.now = m.raw
	return m.raw.(flate.Resetter).Reset(in, nil)
}

func (m *deflateMethod) openZlib() (err error) {
	if m.zlib == nil {
		m.zlib, err = zlib.NewReader(m.in)
	} else {
		err = m.zlib.(zlib.Resetter).Reset(m.in, nil)
	}
	m.now = m.zlib
	return err
}

func (m *deflateMethod) Read(p []byte) (int, error) {
	n, err := m.now.Read(p)
	if !errors.Is(err, io.EOF) {
		return n, err
	}
	head, err := m.in.Peek(1)
	if len(head) > 0 {
		err = errFollowed
	}
	return n, err
}
