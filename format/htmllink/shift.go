package htmllink

import (
	"bytes"
	"strings"
)

// shift follows the escape sequences of ISO-2022-JP (RFC 1468). Between ESC $ B and ESC ( B two
// bytes form a character, and any of them can look like a quote or the beginning of a tag. The end
// of a line ends the shift.
type shift struct {
	on      bool
	escape  byte // 1 after ESC; $ or ( after the next byte
	shifted bool
}

const esc = 0x1b

func isShifting(charset string) bool {
	return len(charset) < 64 && strings.HasPrefix(strings.ToLower(strings.TrimSpace(charset)), "iso-2022-jp")
}

// index returns the position of c in b, or len(b). The bytes before that position count as
// processed.
func (s *shift) index(b []byte, c byte) int {
	i := indexOrEnd(b, c)
	if !s.on || !s.shifted && s.escape == 0 && bytes.IndexByte(b[:i], esc) < 0 {
		return i
	}
	for i := range b {
		if b[i] == c && !s.shifted && s.escape == 0 {
			return i
		}
		s.see(b[i])
	}
	return len(b)
}

// indexOrEnd returns the position of c in b, or len(b).
func indexOrEnd(b []byte, c byte) int {
	if i := bytes.IndexByte(b, c); i >= 0 {
		return i
	}
	return len(b)
}

func (s *shift) see(c byte) {
	switch {
	case c == '\n' || c == '\r':
		s.shifted, s.escape = false, 0
	case c == esc:
		s.escape = 1
	case s.escape == 1:
		s.escape = 0
		if c == '$' || c == '(' {
			s.escape = c
		}
	case s.escape == '$':
		if s.escape = 0; c == '(' {
			s.escape = 'D' // ESC $ ( D, of ISO-2022-JP-1
		}
		s.shifted = true
	case s.escape == 'D':
		s.escape = 0
	case s.escape == '(':
		s.escape, s.shifted = 0, false
	}
}
