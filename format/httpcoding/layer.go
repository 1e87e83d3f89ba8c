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
	in      *bufio.Reader // coded bytes
	out     *bufio.Reader // decoded bytes
	from    io.Reader     // the current method; in itself, if the body is not coded
	state   state
	size    int64 // bytes produced
	methods map[string]method
}

type state int

const (
	unseen state = iota // nothing read yet
	coded
	plain // not in the coding
	empty
)

// method decodes one coding. Its Read ends in io.EOF, or in errFollowed if other bytes follow the
// end of the coding.
type method interface {
	// is reports whether a body is in the coding, by its first sniffBytes bytes, or all bytes if it
	// is shorter.
	is(head []byte) bool
	// open prepares the method for a body.
	open(in *bufio.Reader) error
	io.Reader
}

// makers make the methods. The names with x- are older than HTTP/1.1.
var makers = map[string]func() method{
	"gzip": newGzip, "x-gzip": newGzip, "deflate": newDeflate, "br": newBrotli, "zstd": newZstd,
}

// Known reports whether a content coding, in lower case, can be removed. For "identity" there is
// nothing to remove.
func Known(coding string) bool { return makers[coding] != nil || coding == "identity" }

// sniffBytes is how many bytes of a body are examined to decide whether it is coded.
const sniffBytes = 4 << 10

// errFollowed means that the body continues after the end of the coding.
var errFollowed = errors.New("httpcoding: bytes after the end of the coding")

// reset prepares the layer and returns a reader of its output.
func (l *layer) reset(coding string, in *bufio.Reader) *bufio.Reader {
	l.coding, l.in, l.from, l.state, l.size = coding, in, nil, unseen, 0
	if l.out == nil {
		l.out = bufio.NewReaderSize(l, bufferSize)
	}
	l.out.Reset(l)
	return l.out
}

// Read returns the next decoded bytes.
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

// open checks whether the body is coded, and begins to decode it.
func (l *layer) open() error {
	head, err := l.in.Peek(sniffBytes)
	if len(head) == 0 {
		if errors.Is(err, io.EOF) {
			l.state = empty // the response to HEAD, or a redirect: no body, so no coding
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
		l.d.fault(NotCoded, "Content-Encoding is %s, but the body begins with %s", l.coding, excerpt(head))
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
		return err // a lower layer has reported the reason
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return l.d.giveUp(CodingTruncated, "the body ends within its %s coding, after %d decoded bytes", l.coding,
			l.size)
	}
	text := err.Error()
	if _, reason, ok := strings.Cut(text, ": "); ok { // remove the library's name
		text = reason
	}
	return l.d.giveUp(CodingSyntax, "error in %s coding, after %d decoded bytes: %.200s", l.coding, l.size, text)
}

// excerpt returns the beginning of a body for a report.
func excerpt(b []byte) string { return fmt.Sprintf("%q", b[:min(len(b), 16)]) }
