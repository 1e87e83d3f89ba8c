package httpcoding

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// layer removes one coding of a body. It is reused from body to body.
type layer struct {
	d       *Decoder
	coding  string
	in      *bufio.Reader // what is coded
	out     *bufio.Reader // what is not
	from    io.Reader     // the method at work; in itself, when the body is not coded
	state   state
	size    int64 // bytes that came out
	methods map[string]method
}

type state int

const (
	unseen state = iota // nothing was read yet
	coded
	plain // not in the coding
	empty
)

// method decodes one coding. Its Read ends in io.EOF, or in errFollowed when something else follows
// the end of the coding.
type method interface {
	// is tells from the first bytes of a body whether it is in the coding: sniffBytes of them, or
	// all when it is shorter.
	is(head []byte) bool
	// open makes the method ready for a body.
	open(in *bufio.Reader) error
	io.Reader
}

// makers make the methods. The names with x- are those of before HTTP/1.1.
var makers = map[string]func() method{
	"gzip": newGzip, "x-gzip": newGzip, "deflate": newDeflate, "br": newBrotli, "zstd": newZstd,
}

// Known reports whether a content coding, in lower case, can be removed. There is nothing to remove
// of "identity".
func Known(coding string) bool { return makers[coding] != nil || coding == "identity" }

// sniffBytes is how much of a body tells whether it is coded.
const sniffBytes = 4 << 10

// errFollowed says that the coding has ended and the body has not.
var errFollowed = errors.New("httpcoding: bytes after the end of the coding")

// reset makes the layer ready, and gives what can be read from it.
func (l *layer) reset(coding string, in *bufio.Reader) *bufio.Reader {
	l.coding, l.in, l.from, l.state, l.size = coding, in, nil, unseen, 0
	if l.out == nil {
		l.out = bufio.NewReaderSize(l, bufferSize)
	}
	l.out.Reset(l)
	return l.out
}

// Read gives some more of what is under the coding.
func (l *layer) Read(p []byte) (int, error) {
	if l.state == unseen {
		if err := l.open(); err != nil {
			return 0, err
		}
	}
	if l.state == plain {
		return l.in.Read(p)
	}
	n, err := l.from.Read(p)
	if cerr := l.d.charge(l, n); cerr != nil {
		return n, cerr
	}
	switch {
	case err == nil, errors.Is(err, io.EOF):
		return n, err
	case errors.Is(err, errFollowed):
		l.d.fault(AfterCoding, "bytes follow the end of the %s coding", l.coding)
		return n, io.EOF
	}
	return n, l.failed(err)
}

// open looks whether the body is coded, and begins to decode it.
func (l *layer) open() error {
	head, err := l.in.Peek(sniffBytes)
	if len(head) == 0 {
		if errors.Is(err, io.EOF) {
			l.state = empty // the answer to a HEAD request, or a redirection: no body, and no coding of it
		}
		return err
	}
	if l.methods == nil {
		l.methods = map[string]method{}
	}
	m := l.methods[l.coding]
	if m == nil {
		m = makers[l.coding]()
		l.methods[l.coding] = m
	}
	if !m.is(head) {
		l.d.fault(NotCoded, "Content-Encoding says %s, the body begins with %s", l.coding, excerpt(head))
		l.state = plain
		return nil
	}
	l.state, l.from = coded, m
	if err := m.open(l.in); err != nil {
		return l.failed(err)
	}
	return nil
}

// failed notes why the coding cannot be decoded to its end.
func (l *layer) failed(err error) error {
	if errors.Is(err, errGivenUp) {
		return err // by a layer below, which has said why
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return l.d.giveUp(CodingTruncated, "the body ends within its %s coding, after %d bytes of content", l.coding,
			l.size)
	}
	text := err.Error()
	if _, reason, ok := strings.Cut(text, ": "); ok { // without the name of the library
		text = reason
	}
	return l.d.giveUp(CodingSyntax, "%s coding, after %d bytes of content: %.200s", l.coding, l.size, text)
}

// excerpt is the beginning of a body, as a report shows it.
func excerpt(b []byte) string { return fmt.Sprintf("%q", b[:min(len(b), 16)]) }
