package sqldump

import (
	"strings"
	"unicode/utf8"
)

// text reads a string from its quotation mark on, and passes its content byte by byte to keep. It
// reports whether the string ended before the dump did.
func (s *scanner) text(q quote, keep func(byte)) bool {
	s.drop(q.skip)
	for {
		c := s.peek(0)
		switch {
		case c == end:
			return false
		case q.ending != "" && s.looking(q.ending):
			s.drop(len(q.ending))
			return true
		case q.ending == "" && c == q.last:
			s.next()
			if s.peek(0) != q.last {
				return true
			}
			s.next()
			keep(byte(c))
		case c == '\\' && q.escapes != none:
			s.next()
			s.escape(q.escapes, keep)
		case c == '\\' && q.plain && s.peek(1) == '\'' && !s.closes(2):
			// In a standard string, the mark would end the string here. But the following text
			// cannot follow a string, so in this dump a backslash escapes.
			s.backslash, q.escapes = true, mysql
		default:
			s.next()
			keep(byte(c))
		}
	}
}

// closes reports whether the text ahead can follow a string.
func (s *scanner) closes(ahead int) bool {
	for {
		switch c := s.peek(ahead); c {
		case ' ', '\t', '\r', '\n':
			if ahead++; ahead > 256 {
				return true
			}
		case ',', ')', ';', ':', '|', end:
			return true
		default:
			return false
		}
	}
}

// escape reads the part after a backslash. Characters without a special meaning remain unchanged.
func (s *scanner) escape(e escapes, keep func(byte)) {
	c := s.next()
	if c == end {
		return
	}
	if i := strings.IndexByte("ntrbf", byte(c)); i >= 0 && (c != 'f' || e == postgres) {
		keep("\n\t\r\b\f"[i])
		return
	}
	switch {
	case e == mysql && c == '0':
		keep(0)
	case e == mysql && c == 'Z':
		keep(0x1a)
	case e == mysql && (c == '%' || c == '_'): // kept for LIKE
		keep('\\')
		keep(byte(c))
	case e == postgres && c >= '0' && c <= '7':
		s.number(c-'0', 8, 2, keep)
	case e == postgres && c == 'x' && digit(s.peek(0), 16) >= 0:
		s.number(0, 16, 2, keep)
	case e == postgres && c == 'u' && digit(s.peek(0), 16) >= 0:
		s.rune(4, keep)
	case e == postgres && c == 'U' && digit(s.peek(0), 16) >= 0:
		s.rune(8, keep)
	default:
		keep(byte(c))
	}
}

// number reads more digits of a byte.
func (s *scanner) number(n, base, most int, keep func(byte)) {
	for range most {
		d := digit(s.peek(0), base)
		if d < 0 {
			break
		}
		s.next()
		n = n*base + d
	}
	keep(byte(n))
}

func (s *scanner) rune(digits int, keep func(byte)) {
	n := rune(0)
	for range digits {
		d := digit(s.peek(0), 16)
		if d < 0 {
			break
		}
		s.next()
		n = n<<4 | rune(d)
	}
	for _, b := range utf8.AppendRune(nil, n) {
		keep(b)
	}
}

// digit returns the value of a digit, or -1.
func digit(c, base int) int {
	d := -1
	switch {
	case c >= '0' && c <= '9':
		d = c - '0'
	case c >= 'a' && c <= 'f':
		d = c - 'a' + 10
	case c >= 'A' && c <= 'F':
		d = c - 'A' + 10
	}
	if d >= base {
		return -1
	}
	return d
}
