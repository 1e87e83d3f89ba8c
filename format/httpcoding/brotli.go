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

// brotliMethod removes the br coding (RFC 7932). Nothing marks the beginning of a body that has it.
//
// A body of ten bytes may demand a window of 16 MiB, and a file may hold a million of those. So the
// decoder's memory is kept from body to body, whatever became of them.
type brotliMethod struct {
	br    brotli.Reader
	dirty bool           // input may be left in br, or its state be wrong: Reset would go on with that
	spare *brotli.Reader // has the largest window, and never read anything that would make it dirty
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

// largest is a body that demands the largest window, and breaks off (RFC 7932, 9.1 and 9.2).
const largest = "\xcf\xff\xff\xff\x00"

// reset makes the decoder ready for a body.
func (m *brotliMethod) reset(in io.Reader) {
	if m.dirty {
		if m.spare == nil {
			m.spare = brotli.NewReader(strings.NewReader(largest))
			_, _ = io.Copy(io.Discard, m.spare) // it breaks off
		}
		m.br = *m.spare
	}
	m.dirty = true
	_ = m.br.Reset(in) // never fails
}

func (m *brotliMethod) Read(p []byte) (int, error) {
	n, err := m.decode(p)
	if err != nil && err.Error() == "brotli: excessive input" { // the library has no name for it
		err = errFollowed
	}
	return n, err
}

// decode reads, whatever happens: the decoder was translated from C by machine; a body from the web
// should not be what finds an index that was not checked.
func (m *brotliMethod) decode(p []byte) (n int, err error) {
	defer func() {
		if r := recover(); r != nil {
			n, err = 0, fmt.Errorf("brotli: the decoder failed: %v", r)
		}
	}()
	n, err = m.br.Read(p)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		m.dirty = false // it asks for input only when there is none left
	}
	return n, err
}

// readerFunc is an io.Reader that is a function.
type readerFunc func(p []byte) (int, error)

// Read implements io.Reader.
func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
