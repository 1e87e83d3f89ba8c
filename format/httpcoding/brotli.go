package httpcoding

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
)

// brotliMethod removes the br coding (RFC 7932). Nothing marks the beginning of a body that has it.
type brotliMethod struct {
	br   brotli.Reader
	used bool // and not to the end of the input
}

func newBrotli() method { return &brotliMethod{} }

func (m *brotliMethod) is(head []byte) bool {
	return !looksLikeContent(head) || trial(guarded{brotli.NewReader(bytes.NewReader(head))}, len(head) == sniffBytes)
}

// open begins anew where input was left: Reset would go on with that.
func (m *brotliMethod) open(in *bufio.Reader) error {
	if m.used {
		m.br = brotli.Reader{}
	}
	m.used = true
	return m.br.Reset(in)
}

func (m *brotliMethod) Read(p []byte) (int, error) {
	n, err := guarded{&m.br}.Read(p)
	switch {
	case errors.Is(err, io.EOF):
		m.used = false
	case err != nil && err.Error() == "brotli: excessive input": // the library has no name for it
		err = errFollowed
	}
	return n, err
}

// guarded makes a panic of the decoder an error. It was translated from C by machine; a body from the web should not be
// what finds an index that was not checked.
type guarded struct{ from *brotli.Reader }

// Read reads, whatever happens.
func (g guarded) Read(p []byte) (n int, err error) {
	defer func() {
		if r := recover(); r != nil {
			*g.from = brotli.Reader{}
			n, err = 0, fmt.Errorf("brotli: the decoder failed: %v", r)
		}
	}()
	return g.from.Read(p)
}

var _ io.Reader = guarded{}
