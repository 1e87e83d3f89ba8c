package httpcoding

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
)

// brotliMethod removes the br coding (RFC 7932). A body in this coding has no magic number.
//
// A body of ten bytes can demand a window of 16 MiB, and a file can hold a million such bodies. So
// the decoder keeps its memory from body to body, even after errors.
type brotliMethod struct {
	br    brotli.Reader
	dirty bool           // br may hold input or a wrong state; Reset would keep both
	spare *brotli.Reader // has the largest window, and was never made dirty
}

func newBrotli() method { return &brotliMethod{} }

func (m *brotliMethod) is(head []byte) bool {
	if !looksLikeContent(head) {
		return true
	}
	m.reset(bytes.NewReader(head))
	return trial(readerFunc(m.decode), len(head) == sniffBytes)
}

func (m *brotliMethod) open(in *bufio.Reader) error {
	m.reset(in)
	return nil
}

// largest is a body that demands the largest window and ends early (RFC 7932, 9.1 and 9.2).
const largest = "\xcf\xff\xff\xff\x00"

// reset prepares the decoder for a body.
func (m *brotliMethod) reset(in io.Reader) {
	if m.dirty {
		if m.spare == nil {
			m.spare = brotli.NewReader(strings.NewReader(largest))
			_, _ = io.Copy(io.Discard, m.spare) // it ends early
		}
		m.br = *m.spare
	}
	m.dirty = true
	_ = m.br.Reset(in) // never fails
}

func (m *brotliMethod) Read(p []byte) (int, error) {
	n, err := m.decode(p)
	if err != nil && err.Error() == "brotli: excessive input" { // the library has no error value for it
		err = errFollowed
	}
	return n, err
}

// decode reads and recovers from panics. The decoder was translated from C by machine; a body from
// the web may reach an unchecked index.
func (m *brotliMethod) decode(p []byte) (n int, err error) {
	defer func() {
		if r := recover(); r != nil {
			n, err = 0, fmt.Errorf("brotli: the decoder failed: %v", r)
		}
	}()
	n, err = m.br.Read(p)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		m.dirty = false // it reads input only when it has none left
	}
	return n, err
}

// readerFunc is a function as an io.Reader.
type readerFunc func(p []byte) (int, error)

// Read implements io.Reader.
func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
