package xmlstream

import (
	"bufio"
	"fmt"
	"io"
)

// meter is between the source and the XML parser and counts the input for one token. The parser
// holds a whole token in memory, and an attribute of four bytes costs it twenty times that. So
// meter ends a hostile tag.
type meter struct {
	src   *bufio.Reader
	lim   Limits
	used  int64 // bytes since the last token
	attrs int   // attributes of the current tag
	place place
	quote byte // quote of the current attribute value
	last  byte
	empty bool // last ends the tag of an empty element: "/>"
	passed
}

// passed counts the bytes that bypassed the parser. The parser's own counts do not include these
// bytes.
type passed struct {
	bytes int64
	lines int
	upTo  int64 // the parser's offset after the last of them
	line  int64 // offset in the document of the line's beginning at that time
}

// place is the meter's position in a token, in enough detail to count attributes.
type place uint8

const (
	atStart  place = iota // of a token
	inMarkup              // just after <
	inTag                 // in a start tag, between attributes
	inValue               // in an attribute value
	inOther               // text, end tag, comment, instruction
)

func newMeter(src io.Reader, lim Limits) *meter {
	return &meter{src: bufio.NewReaderSize(src, bufferSize), lim: lim}
}

// reset begins a token. At the end of text, the parser has already read the < of the next token.
func (m *meter) reset() {
	m.used, m.attrs, m.place = 0, 0, atStart
	if m.last == '<' {
		m.place = inMarkup
	}
}

// ReadByte reads one byte for the parser.
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

// step updates the position in a start tag.
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

// Read exists because xml.NewDecoder requires an io.Reader; the parser uses ReadByte.
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

// ahead returns the buffered bytes of the source, at least n unless the source ends first. The
// parser has not read them.
func (m *meter) ahead(n int) ([]byte, error) {
	p, err := m.src.Peek(n)
	if err == nil {
		p, err = m.src.Peek(m.src.Buffered())
	}
	return p, err
}
