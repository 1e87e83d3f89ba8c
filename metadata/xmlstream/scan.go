package xmlstream

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// kind is the kind of a token.
type kind uint8

const (
	noToken kind = iota
	startTag
	endTag
	charData // text up to the next markup, or one CDATA section
	instruction
	comment // its content is not kept
)

// scanner splits a document into tokens. It reads the document in a window that grows only for a
// token that does not fit, up to the limit of a token. It checks that the document is well-formed,
// and builds no values: a token refers to the window, until the next call of next or ahead.
type scanner struct {
	src  io.Reader
	lim  Limits
	buf  []byte
	pos  int   // the next byte to scan
	end  int   // of the bytes in buf
	base int64 // offset of buf[0] in the document
	fail error // the source's error, after its last byte

	// Lines are counted up to buf[counted].
	counted int
	lines   int
	began   int64 // offset of the current line

	names
	stack []*name // open elements, the root first
	undo  []rebound

	// The token.
	kind  kind
	name  *name     // of a tag
	attrs []rawAttr // of a start tag; their values are in data
	data  []byte    // bytes of a start tag, of text, of an instruction after its target
	rough bool      // text has references or carriage returns
	cdata bool      // text is a CDATA section
	ours  bool      // an instruction keeps an original
	empty bool      // a start tag of an empty element: its end comes next
	size  int64     // bytes of the token

	values
	meaning []byte // of the last value with references
}

// rawAttr is an attribute as written; value is a part of the token's data.
type rawAttr struct {
	*name
	from, to int
	rough    bool // references or carriage returns are in the value
}

// errMore means that the token goes on after the window.
var errMore = errors.New("the token is not complete")

var errCut = errors.New("unexpected EOF")

func newScanner(src io.Reader, lim Limits) *scanner {
	s := &scanner{src: src, lim: lim, buf: make([]byte, bufferSize), lines: 1}
	s.names.init()
	return s
}

// next scans one token. At the end of a whole document the error is io.EOF.
func (s *scanner) next() error {
	if s.empty {
		s.empty, s.kind, s.size = false, endTag, 0
		s.name = s.stack[len(s.stack)-1]
		s.close()
		return nil
	}
	for {
		n, err := s.scan(s.buf[s.pos:s.end])
		if err == nil && int64(n) <= s.lim.Token {
			s.pos += n
			s.size = int64(n)
			return nil
		}
		if errors.Is(err, errMore) {
			if s.fail == nil && int64(s.end-s.pos) <= s.lim.Token {
				s.fill(2 * (s.end - s.pos))
				continue
			}
			n, err = s.end-s.pos, s.ended()
		}
		if int64(n) > s.lim.Token {
			n, err = int(s.lim.Token), fmt.Errorf("%w: a token longer than %d bytes", ErrLimit, s.lim.Token)
		}
		s.pos += n
		return err
	}
}

// ended returns the error of a token that the end of the source cuts.
func (s *scanner) ended() error {
	if errors.Is(s.fail, io.EOF) && (s.pos < s.end || len(s.stack) > 0) {
		return errCut
	}
	return s.fail
}

// scan scans the token at the beginning of b, and returns its length. With an error other than
// errMore, the length is that of the part before the error.
func (s *scanner) scan(b []byte) (int, error) {
	switch {
	case len(b) == 0:
		return 0, errMore
	case b[0] != '<':
		return s.scanText(b)
	case len(b) == 1:
		return 0, errMore
	}
	switch b[1] {
	case '/':
		return s.scanEnd(b)
	case '?':
		return s.scanInstruction(b)
	case '!':
		return s.scanDeclaration(b)
	}
	return s.scanStart(b)
}

// fill reads until the window has want bytes after the position, and at least one more than now,
// or the source ends.
func (s *scanner) fill(want int) {
	unread := s.end - s.pos
	want = max(want, unread+1)
	s.slide(want)
	for idle := 0; s.end-s.pos < want && s.fail == nil; idle++ {
		n, err := s.src.Read(s.buf[s.end:])
		s.end += n
		if n > 0 {
			idle = 0
		} else if idle > 100 && err == nil {
			err = io.ErrNoProgress
		}
		s.fail = err
	}
}

// slide moves the unread bytes to the beginning of the window, which has space for want bytes.
func (s *scanner) slide(want int) {
	s.count()
	to := s.buf
	if want > len(to) {
		to = make([]byte, max(2*len(s.buf), want))
	}
	s.base += int64(s.pos)
	s.end = copy(to, s.buf[s.pos:s.end])
	s.buf, s.pos, s.counted = to, 0, 0
}

// count counts the lines up to the position.
func (s *scanner) count() {
	passed := s.buf[s.counted:s.pos]
	if n := bytes.Count(passed, []byte{'\n'}); n > 0 {
		s.lines += n
		s.began = s.base + int64(s.counted+bytes.LastIndexByte(passed, '\n')+1)
	}
	s.counted = s.pos
}

// place returns the line and the column of the position, one-based, the column in bytes.
func (s *scanner) place() (line, column int) {
	s.count()
	return s.lines, int(s.offset()-s.began) + 1
}

// offset returns the position in the document.
func (s *scanner) offset() int64 { return s.base + int64(s.pos) }

// ahead returns the bytes of the window after the position, at least n unless the source ends
// first, which is then the error.
func (s *scanner) ahead(n int) ([]byte, error) {
	if s.end-s.pos < n && s.fail == nil {
		s.fill(n)
	}
	if s.end-s.pos < n {
		return s.buf[s.pos:s.end], s.fail
	}
	return s.buf[s.pos:s.end], nil
}
