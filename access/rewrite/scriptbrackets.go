package rewrite

// push opens a bracket.
func (s *scripter) push(kind purpose, at int) {
	s.stack = append(s.stack, frame{kind: kind, at: at, chain: s.chain, optional: s.optional})
}

// punctuator reads one punctuator. It reports false if brackets do not match.
func (s *scripter) punctuator(c byte) bool {
	at := s.pos
	s.pos++
	switch c {
	case '(', '[':
		s.opening(c, at)
	case '{':
		s.push(s.brace(), at)
		s.last = token{kind: open, text: c, at: at}
	case ')', ']', '}':
		return s.closing(c, at)
	case ',':
		if f := s.frame(); f.argument {
			f.argument = false
			s.mark(at, closes, ")")
		}
		s.last = token{kind: comma, text: c, at: at}
	case ';':
		s.importing = false
		s.last = token{kind: semicolon, text: c, at: at}
	case '.':
		if s.at(0) == '.' && s.at(1) == '.' {
			s.pos += 2
			s.last = token{kind: operator, text: c, at: at}
			break
		}
		s.dotted(at)
	case '?':
		switch n := s.at(0); {
		case n == '.' && !isDigit(s.at(1)):
			s.pos++
			s.dotted(at)
			s.last.text = '?'
		case n == '?':
			s.pos++
			s.last = token{kind: operator, text: c, at: at}
		default:
			s.frame().questions++
			s.last = token{kind: operator, text: c, at: at}
		}
	case '+', '-':
		if s.at(0) == c { // after a value it ends one, and before one it begins one
			s.pos++
			if s.last.kind == operand {
				s.last.word, s.chain = "", -1
				break
			}
		}
		s.last = token{kind: operator, text: c, at: at}
	default:
		if c == ':' && s.frame().questions > 0 {
			s.frame().questions--
			c = '?' // the colon of a conditional operator
		}
		if c == '=' && s.pattern == 1 && s.at(0) != '=' {
			s.pattern = 2
		}
		s.starred = c == '*' && (s.last.kind == open || s.last.kind == comma)
		s.last = token{kind: operator, text: c, at: at}
		if c == '=' && s.at(0) == '>' {
			s.pos++
			s.last.text = '>'
		}
	}
	return len(s.stack) < maxNesting
}

// dotted handles a dot after a value.
func (s *scripter) dotted(at int) {
	if s.last.kind != operand {
		s.chain = -1
	}
	s.last = token{kind: dot, text: '.', at: at}
}

// opening handles ( and [.
func (s *scripter) opening(c byte, at int) {
	kind := group
	switch {
	case s.last.kind == keyed && c == '(' && controls[s.last.word]:
		kind = control
	case s.last.kind == operand || s.last.kind == dot: // a?.(b)
		kind = call
		s.optional = s.optional || s.last.kind == dot
	default:
		s.value(at, "", false)
	}
	s.push(kind, at)
	if s.argument != "" && c == '(' {
		s.mark(at+1, argument, s.argument)
		s.frame().argument = true
	}
	s.argument = ""
	s.last = token{kind: open, text: c, at: at}
}

var controls = map[string]bool{"if": true, "while": true, "for": true, "with": true, "switch": true, "catch": true}

// brace returns the purpose of a brace.
func (s *scripter) brace() purpose {
	f := s.frame()
	if s.importing {
		return imports
	}
	if s.class >= 0 && s.class == len(s.stack) {
		s.class = -1
		return classBody
	}
	switch s.last.kind {
	case start, semicolon, closed, operand:
		return block
	case keyed:
		switch s.last.word {
		case "do", "else", "try", "finally", "catch":
			return block
		case "import":
			return imports
		case "export":
			return exports
		}
		return object
	case open:
		if s.last.text == '{' && f.kind == block {
			return block
		}
		return object
	case comma:
		return object
	case operator:
		switch s.last.text {
		case '>':
			return block
		case ':':
			if f.kind == block {
				return block // after a label, or after case
			}
		}
	case dot:
	}
	return object
}

// closing handles a closing bracket.
func (s *scripter) closing(c byte, at int) bool {
	if len(s.stack) == 0 {
		return false
	}
	f := s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
	if opened := s.src[f.at]; opened == '(' && c != ')' || opened == '[' && c != ']' ||
		(opened == '{' || opened == '$') && c != '}' {
		return false
	}
	if f.argument {
		s.mark(at, closes, ")")
	}
	s.before, s.argument = "", ""
	s.chain, s.optional = f.chain, f.optional
	switch f.kind {
	case within:
		s.restOfTemplate()
		s.chain, s.optional = f.chain, f.optional
	case control, block, classBody, exports, imports:
		s.chain = -1
		s.last = token{kind: closed, text: c, at: at}
	case object:
		s.chain = -1
		if f.named {
			s.pattern = 1
		}
		s.last = token{kind: operand, text: c, at: at}
	case group, call:
		s.last = token{kind: operand, text: c, at: at}
	}
	return true
}
