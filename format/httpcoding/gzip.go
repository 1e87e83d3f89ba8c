package httpcoding

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
)

// gzipMethod removes the gzip coding (RFC 9110, 8.4.1.3; RFC 1952). Several consecutive members are
// one content.
type gzipMethod struct {
	in *bufio.Reader
	gz gzip.Reader
}

func newGzip() method { return &gzipMethod{} }

var gzipMagic = []byte{0x1f, 0x8b}

func (m *gzipMethod) is(head []byte) bool {
	n := min(len(head), len(gzipMagic))
	return bytes.Equal(head[:n], gzipMagic[:n])
}

func (m *gzipMethod) open(in *bufio.Reader) error {
	m.in = in
	err := m.gz.Reset(in)
	m.gz.Multistream(false)
	return err
}

func (m *gzipMethod) Read(p []byte) (int, error) {
	n, err := m.gz.Read(p)
	if !errors.Is(err, io.EOF) {
		return n, err
	}
	head, err := m.in.Peek(len(gzipMagic))
	switch {
	case len(head) == 0:
		return n, err
	case len(head) == len(gzipMagic) && m.is(head):
		return n, m.open(m.in)
	}
	return n, errFollowed
}
