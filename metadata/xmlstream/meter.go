package xmlstream

import (
	"bufio"
	"fmt"
	"io"
)

// meter stands between the source and the XML parser and counts what the parser takes in for one
// token. The parser holds a token in memory whole, and an attribute of four bytes costs it twenty
// times that, so a hostile tag must end here.
type meter struct {
	src   *bufio.Reader
	lim   Limits
	used  int64 // bytes since the last token
	attrs int   // attributes of the tag that is being read
	place place
	quote byte // that ends the attribute value
	last  byte
	empty bool // the tag that ends with last is that of an empty element: "/>"
	passed
}

// passed tells of the bytes that went past the parser, whose own counts are therefore short.
type passed struct {
	bytes int64
	lines int
	upTo  int64 // the parser's offset when the last of them went by
	line  int64 // offset in the document at which the line began then
}

// place is where in a token the meter stands, as far as it must know to count attributes.
type place uint8

const (
	atStart  place = iota // of a token
	inMarkup              // just behind <
	inTag                 // in a start tag, between attributes
	inValue               // in an attribute value
	inOther               // text, end tag, comment, instruction
)

func newMeter(src io.Reader, lim Limits) *meter {
	return &meter{src: bufio.NewReaderSize(src, bufferSize), lim: lim}
}

// reset begins a token. When text ends, the parser has read the < of the next token already.
func (m *meter) reset() {
	m.used, m.attrs, m.place = 0, 0, atStart
	if m.last == '<' {
		m.place = inMarkup
	}
}

// ReadByte is what the parser reads through.
func (m *meter) ReadByte() (byte, error) {
	if m.used >= m.lim.Token {
		return 0, fmt.Errorf("%w: a token longer than %d bytes", ErrLimit, m.lim.Token)
	}
	m.used++
	b, err := m.src.ReadByte()
	if err != nil {
		return 0, err
	}
	m.empty = m.last == '/' && b == '>'
	m.last = b
	if m.place != inOther {
		m.step(b)
		if m.attrs > m.lim.Attributes {
			return 0, fmt.Errorf("%w: more than %d attributes", ErrLimit, m.lim.Attributes)
		}
	}
	return b, nil
}

// step follows the parser through a start tag.
func (m *meter) step(b byte) {
	switch m.place {
	case atStart:
		m.place = inOther
		if b == '<' {
			m.place = inMarkup
		}
	case inMarkup:
		m.place = inTag
		if b == '/' || b == '!' || b == '?' {
			m.place = inOther
		}
	case inTag:
		if b == '"' || b == '\'' {
			m.place, m.quote = inValue, b
			m.attrs++
		}
	case inValue:
		if b == m.quote {
			m.place = inTag
		}
	}
}

// Read is there because xml.NewDecoder asks for an io.Reader; the parser uses ReadByte.
func (m *meter) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	b, err := m.ReadByte()
	if err != nil {
		return 0, err
	}
	p[0] = b
	return 1, nil
}

// ahead gives what is buffered of the source, and at least n bytes of it unless it ends before; the
// parser has not seen them.
func (m *meter) ahead(n int) ([]byte, error) {
	p, err := m.src.Peek(n)
	if err == nil {
		p, err = m.src.Peek(m.src.Buffered())
	}
	return p, err
}
