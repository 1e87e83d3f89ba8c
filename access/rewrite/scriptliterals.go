package rewrite

// Literals of a script: numbers, strings, templates and regular expressions.

// number reads a number.
func (s *scripter) number() {
	from := s.pos
	for s.pos++; s.pos < len(s.src); s.pos++ {
		c := s.src[s.pos]
		if c == '.' && s.at(1) == '.' { // 1..toString
			s.pos++
			break
		}
		sign := (c == '+' || c == '-') && s.src[s.pos-1]|0x20 == 'e' && s.src[from] != '0'
		if !isName(c) && !isDigit(c) && c != '.' && !sign {
			break
		}
	}
	s.value(from, "", false)
}

// text reads a string.
func (s *scripter) text(quote byte) bool {
	from := s.pos
	for s.pos++; s.pos < len(s.src); s.pos++ {
		switch s.src[s.pos] {
		case quote:
			s.pos++
			s.named(from)
			s.importing = false
			s.value(from, "", false)
			return true
		case '\\':
			s.pos++
			if s.at(0) == '\r' && s.at(1) == '\n' {
				s.pos++
			}
		case '\n', '\r':
			return false
		}
	}
	return false
}

// named handles the name of a member in brackets: window["location"].
func (s *scripter) named(from int) {
	f := s.frame()
	if f.kind != call || f.chain < 0 || f.optional || s.last.kind != open || s.last.text != '[' ||
		s.peek(s.pos) != ']' {
		return
	}
	if name := string(s.src[from+1 : s.pos-1]); name == "location" || name == "top" && windows[s.before] {
		s.mark(f.chain, wrapper, ofMark)
		s.mark(f.at, closes, ")")
	}
}

// template reads a template from its first quote, or from the end of a substitution.
func (s *scripter) template() {
	from := s.pos
	if s.last.kind != operand {
		s.value(from, "", false)
	}
	s.pos++
	s.restOfTemplate()
}

func (s *scripter) restOfTemplate() {
	for ; s.pos < len(s.src); s.pos++ {
		switch s.src[s.pos] {
		case '\\':
			s.pos++
		case '`':
			s.pos++
			s.before = ""
			s.last = token{kind: operand, at: s.pos - 1}
			return
		case '$':
			if s.at(1) == '{' {
				s.push(within, s.pos)
				s.pos += 2
				s.last = token{kind: open, text: '$', at: s.pos}
				return
			}
		}
	}
}

// regular reads a regular expression, if one can begin here.
func (s *scripter) regular() bool {
	if s.last.kind == operand {
		return false
	}
	inClass := false
	for i := s.pos + 1; i < len(s.src); i++ {
		switch c := s.src[i]; {
		case c == '\n' || c == '\r':
			s.failed = true // only the wrong place for one
			return false
		case c == '\\':
			i++
		case c == '[':
			inClass = true
		case c == ']':
			inClass = false
		case c == '/' && !inClass:
			for i++; i < len(s.src) && isName(s.src[i]); i++ {
			}
			from := s.pos
			s.pos = i
			s.value(from, "", false)
			return true
		}
	}
	s.failed = true
	return false
}
