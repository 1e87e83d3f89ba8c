package csslink

// The classes of bytes. Bytes of 0x80 and above are parts of names (4.2), and so is NUL, which is
// read as U+FFFD (3.3).
const (
	other = iota
	blank
	quote
	starter
	dash
	digit
	backslash
)

var class = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
			t[c] = blank
		case c == '"' || c == '\'':
			t[c] = quote
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80 || c == 0:
			t[c] = starter
		case c == '-':
			t[c] = dash
		case c >= '0' && c <= '9':
			t[c] = digit
		case c == '\\':
			t[c] = backslash
		}
	}
	return t
}()

func named(c byte) bool {
	k := class[c]
	return k == starter || k == dash || k == digit
}

func isBlank(c int) bool { return c >= 0 && class[c] == blank }

func (s *Scanner) isDigit(i int) bool {
	c := s.w.At(i)
	return c >= '0' && c <= '9'
}

// startsEscape reports whether a backslash comes i bytes ahead without a line end after it (4.3.8).
func (s *Scanner) startsEscape(i int) bool {
	if s.w.At(i) != '\\' {
		return false
	}
	c := s.w.At(i + 1)
	return c != '\n' && c != '\r' && c != '\f'
}

// startsName reports whether the bytes i ahead would begin an identifier (4.3.9).
func (s *Scanner) startsName(i int) bool {
	c := s.w.At(i)
	if c == '-' {
		next := s.w.At(i + 1)
		return next == '-' || next >= 0 && class[next] == starter || s.startsEscape(i+1)
	}
	return c >= 0 && class[c] == starter || s.startsEscape(i)
}

// startsNumber reports whether a digit, or a point and a digit, comes i bytes ahead, after an
// optional sign (4.3.10).
func (s *Scanner) startsNumber(i int) bool {
	return s.isDigit(i) || s.w.At(i) == '.' && s.isDigit(i+1)
}

// move consumes n bytes; all later links begin after them.
func (s *Scanner) move(n int) {
	s.w.Skip(n)
	s.settled = s.w.Offset()
}

func (s *Scanner) skipBlanks() {
	for {
		rest := s.w.Rest()
		n := 0
		for n < len(rest) && class[rest[n]] == blank {
			n++
		}
		s.move(n)
		if n == 0 || n < len(rest) {
			return
		}
	}
}

// comment skips a comment, which also ends at the end of the file (4.3.2).
func (s *Scanner) comment() {
	s.w.Skip(2)
	for {
		rest := s.w.Rest()
		if len(rest) == 0 {
			return
		}
		n := 0
		for n < len(rest) && rest[n] != '*' {
			n++
		}
		s.move(n)
		if n == len(rest) {
			continue
		}
		if s.w.Skip(1); s.w.At(0) == '/' {
			s.w.Skip(1)
			return
		}
	}
}

// number consumes a number and its unit (4.3.3): 10url(x) contains no url().
func (s *Scanner) number() {
	for s.isDigit(0) || s.w.At(0) == '.' && s.isDigit(1) {
		s.move(1)
	}
	if s.startsName(0) {
		s.takeName()
	}
}

// maxName is longer than any name the scanner compares.
const maxName = 32

// takeName consumes an identifier (4.3.11). It keeps the name in lower case, up to maxName bytes.
func (s *Scanner) takeName() {
	s.name = s.name[:0]
	for {
		rest := s.w.Rest()
		n := 0
		for n < len(rest) && named(rest[n]) {
			if len(s.name) <= maxName {
				s.name = append(s.name, lower(rest[n]))
			}
			n++
		}
		s.move(n)
		switch {
		case n > 0 && n == len(rest):
		case s.startsEscape(0):
			if r := s.escape(nil); r < 0x80 && len(s.name) <= maxName {
				s.name = append(s.name, lower(byte(r)))
			} else {
				s.name = append(s.name[:min(len(s.name), maxName)], 0xff)
			}
		default:
			return
		}
	}
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// escape consumes a backslash and the escaped character (4.3.7), and passes each byte to taken. It
// returns the code point. A byte of 0x80 or above, which belongs to a character of the charset, is
// returned as itself.
func (s *Scanner) escape(taken func(byte)) rune {
	take := func() byte {
		c := byte(s.w.At(0))
		s.w.Skip(1)
		if taken != nil {
			taken(c)
		}
		return c
	}
	take()
	if s.w.At(0) < 0 {
		return '\uFFFD'
	}
	if hexValue(s.w.At(0)) < 0 {
		return rune(take())
	}
	var r rune
	for range 6 {
		v := hexValue(s.w.At(0))
		if v < 0 {
			break
		}
		take()
		r = r<<4 | v
	}
	if c := s.w.At(0); isBlank(c) {
		if take(); c == '\r' && s.w.At(0) == '\n' {
			take()
		}
	}
	if r == 0 || r > 0x10ffff || r >= 0xd800 && r < 0xe000 {
		return '\uFFFD'
	}
	return r
}

func hexValue(c int) rune {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0')
	case c >= 'a' && c <= 'f':
		return rune(c - 'a' + 10)
	case c >= 'A' && c <= 'F':
		return rune(c - 'A' + 10)
	}
	return -1
}
