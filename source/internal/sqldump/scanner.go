package sqldump

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// scanner goes through the bytes of a dump, and knows comments and the many kinds of quotation
// marks.
type scanner struct {
	in     *bufio.Reader
	offset int64 // of the byte to come
	line   int64 // of the byte to come, from 1
	fresh  bool  // nothing but white space stands before it on its line
	// in a plain string, a backslash gives what follows another meaning: MySQL, and PostgreSQL when
	// asked
	backslash bool
	postgres  bool  // it was PostgreSQL that was asked
	err       error // of the file, other than its end
}

const end = -1

func newScanner(r io.Reader) *scanner {
	return &scanner{in: bufio.NewReaderSize(r, 64<<10), line: 1, fresh: true}
}

// peek gives the byte at a distance from the one to come, end when there is none.
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

// next takes a byte.
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

// looking says whether these bytes come next, whatever the case of letters.
func (s *scanner) looking(at string) bool {
	b, _ := s.in.Peek(len(at))
	return len(b) == len(at) && strings.EqualFold(string(b), at)
}

func (s *scanner) drop(n int) {
	for range n {
		s.next()
	}
}

// space passes over white space and comments. The marks of MySQL are noticed, since its strings are
// read otherwise.
func (s *scanner) space() {
	for {
		switch c := s.peek(0); {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f':
			s.next()
		case c == 0xEF && s.offset == 0 && s.looking("\xef\xbb\xbf"):
			s.drop(3)
		case c == '-' && s.peek(1) == '-':
			s.comment()
		case c == '#' && s.fresh: // MySQL; in PostgreSQL it is an operator, which begins no line
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

// blockComment passes over a comment; PostgreSQL lets them nest, and nobody else would write "/*"
// in one.
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

// lineEnd passes over the rest of the line.
func (s *scanner) lineEnd() {
	for c := s.next(); c != '\n' && c != end; c = s.next() {
	}
}

// maxName bounds the name of a table or column, and a word, in bytes. Databases allow 128.
const maxName = 1 << 10

// word takes letters, digits and what else names are made of without quotation marks.
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

// name takes the name of a table or column, in quotation marks or without; "" when none comes.
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

// path takes the name of a table with its schema before it, and gives the last part in lower case.
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

// quotation says what kind of string comes next: how many bytes stand before its content, and how
// it ends.
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
	last    int    // the mark that ends it; twice, it stands for itself
	ending  string // or the bytes that do
	escapes escapes
	plain   bool // ' and nothing before it
}

// escapes says what a backslash means in a string.
type escapes int

const (
	none     escapes = iota // itself
	mysql                   // \n and a few more; before anything else, nothing
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

// dollar knows $$ and $tag$ of PostgreSQL.
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

// oracle knows q'[…]' and its like.
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
