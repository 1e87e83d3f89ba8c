package sqldump

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// scanner reads the bytes of a dump, and handles comments and the many kinds of quotation marks.
type scanner struct {
	in     *bufio.Reader
	offset int64 // of the next byte
	line   int64 // of the next byte, from 1
	fresh  bool  // only white space precedes it on its line
	// a backslash in a plain string starts an escape: always in MySQL, and in PostgreSQL if a
	// setting requires it
	backslash bool
	postgres  bool  // that setting comes from PostgreSQL
	err       error // of the file, except its end
}

const end = -1

func newScanner(r io.Reader) *scanner {
	return &scanner{in: bufio.NewReaderSize(r, 64<<10), line: 1, fresh: true}
}

// peek returns the byte at a distance from the next one, or end.
func (s *scanner) peek(ahead int) int {
	b, err := s.in.Peek(ahead + 1)
	if len(b) <= ahead {
		if err != nil && !errors.Is(err, io.EOF) && s.err == nil {
			s.err = err
		}
		return end
	}
	return int(b[ahead])
}

// next reads a byte.
func (s *scanner) next() int {
	c, err := s.in.ReadByte()
	if err != nil {
		if !errors.Is(err, io.EOF) && s.err == nil {
			s.err = err
		}
		return end
	}
	s.offset++
	switch {
	case c == '\n':
		s.line++
		s.fresh = true
	case c != ' ' && c != '\t' && c != '\r':
		s.fresh = false
	}
	return int(c)
}

// looking reports whether these bytes come next, ignoring case.
func (s *scanner) looking(at string) bool {
	b, _ := s.in.Peek(len(at))
	return len(b) == len(at) && strings.EqualFold(string(b), at)
}

func (s *scanner) drop(n int) {
	for range n {
		s.next()
	}
}

// space skips white space and comments. It notes the marks of MySQL, because MySQL strings have
// other escapes.
func (s *scanner) space() {
	for {
		switch c := s.peek(0); {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f':
			s.next()
		case c == 0xEF && s.offset == 0 && s.looking("\xef\xbb\xbf"):
			s.drop(3)
		case c == '-' && s.peek(1) == '-':
			s.comment()
		case c == '#' && s.fresh: // MySQL; in PostgreSQL it is an operator, which never starts a line
			s.lineEnd()
		case c == '/' && s.peek(1) == '*':
			s.blockComment()
		default:
			return
		}
	}
}

func (s *scanner) comment() {
	if s.looking("-- MySQL dump") || s.looking("-- MariaDB dump") {
		s.backslash = true
	}
	s.lineEnd()
}

// blockComment skips a comment. In PostgreSQL comments nest; other programs never write "/*" inside
// a comment.
func (s *scanner) blockComment() {
	if s.looking("/*!") || s.looking("/*M!") {
		s.backslash = true
	}
	depth := 0
	for {
		switch c := s.next(); {
		case c == end:
			return
		case c == '/' && s.peek(0) == '*':
			s.next()
			depth++
		case c == '*' && s.peek(0) == '/':
			s.next()
			if depth--; depth == 0 {
				return
			}
		}
	}
}

// lineEnd skips the rest of the line.
func (s *scanner) lineEnd() {
	for c := s.next(); c != '\n' && c != end; c = s.next() {
	}
}

// maxName is the maximum length in bytes of a table name, column name or word. Databases allow 128.
const maxName = 1 << 10

// word reads letters, digits and the other characters of unquoted names.
func (s *scanner) word() string {
	var b []byte
	for c := s.peek(0); isWord(c); c = s.peek(0) {
		s.next()
		if len(b) < maxName {
			b = append(b, byte(c))
		}
	}
	return string(b)
}

func isWord(c int) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c >= 0x80
}

// name reads the name of a table or column, quoted or unquoted; it returns "" if none follows.
func (s *scanner) name() string {
	mark := s.peek(0)
	switch mark {
	case '`':
		s.backslash = true
	case '"':
	case '[':
		mark = ']'
	default:
		return s.word()
	}
	s.next()
	var b []byte
	for {
		c := s.next()
		if c == end || c == mark && s.peek(0) != mark {
			return string(b)
		}
		if c == mark {
			s.next()
		}
		if len(b) < maxName {
			b = append(b, byte(c))
		}
	}
}

// path reads the name of a table with an optional schema, and returns the last part in lower case.
func (s *scanner) path() string {
	for {
		last := s.name()
		s.space()
		if s.peek(0) != '.' {
			return strings.ToLower(last)
		}
		s.next()
		s.space()
	}
}

// quotation returns the kind of the next string: the number of bytes before its content, and its
// end.
func (s *scanner) quotation() (q quote, is bool) {
	c := s.peek(0)
	switch {
	case c == '\'':
		return quote{skip: 1, last: '\'', escapes: s.escapes(), plain: true}, true
	case c == '$':
		return s.dollar()
	case c == 'e' || c == 'E':
		return quote{skip: 2, last: '\'', escapes: postgres}, s.peek(1) == '\''
	case c == 'q' || c == 'Q':
		return s.oracle(1)
	case (c == 'n' || c == 'N') && (s.peek(1) == 'q' || s.peek(1) == 'Q'):
		return s.oracle(2)
	case c == 'n' || c == 'N':
		return quote{skip: 2, last: '\'', escapes: s.escapes()}, s.peek(1) == '\''
	case (c == 'u' || c == 'U') && s.peek(1) == '&':
		return quote{skip: 3, last: '\''}, s.peek(2) == '\''
	}
	return quote{}, false
}

// quote is one kind of string.
type quote struct {
	skip    int    // bytes before the content
	last    int    // the closing mark; doubled, it is part of the content
	ending  string // or the closing bytes
	escapes escapes
	plain   bool // ' without a prefix
}

// escapes is the meaning of a backslash in a string.
type escapes int

const (
	none     escapes = iota // itself
	mysql                   // \n and a few more; otherwise ignored
	postgres                // those, and numbers: E'\x41\u00e9'
)

func (s *scanner) escapes() escapes {
	switch {
	case s.backslash && s.postgres:
		return postgres
	case s.backslash:
		return mysql
	}
	return none
}

// dollar recognises $$ and $tag$ of PostgreSQL.
func (s *scanner) dollar() (quote, bool) {
	b, _ := s.in.Peek(68) // a tag is a name, of 63 bytes at most
	if len(b) < 2 {
		return quote{}, false
	}
	i := bytes.IndexByte(b[1:], '$')
	if i < 0 || i > 0 && b[1] >= '0' && b[1] <= '9' {
		return quote{}, false
	}
	for _, c := range b[1 : i+1] {
		if !isWord(int(c)) {
			return quote{}, false
		}
	}
	return quote{skip: i + 2, ending: string(b[:i+2])}, true
}

// oracle recognises q'[…]' and similar forms.
func (s *scanner) oracle(at int) (quote, bool) {
	if s.peek(at) != '\'' {
		return quote{}, false
	}
	last := s.peek(at + 1)
	if last == end || last == ' ' || last == '\n' {
		return quote{}, false
	}
	if i := strings.IndexByte("[{(<", byte(last)); i >= 0 {
		last = int("]})>"[i])
	}
	return quote{skip: at + 2, ending: string([]byte{byte(last), '\''})}, true
}
