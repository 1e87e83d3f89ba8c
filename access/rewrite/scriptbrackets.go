package rewrite

import "cmp"

// push opens a bracket.
func (s *scripter) push(kind purpose, at int) {
	s.stack = append(s.stack, frame{kind: kind, at: at, chain: s.chain, optional: s.optional, marks: len(s.marks)})
}

// punctuator reads one punctuator. It reports false if brackets do not match.
func (s *scripter) punctuator(c byte) bool {
	at := s.pos
	s.pos++
	if c != '(' {
		s.argument = ""
	}
	switch c {
	case '(', '[':
		s.opening(c, at)
	case '{':
		exported := s.exports && len(s.stack) == 0 && s.last.kind == keyed
		s.push(s.brace(), at)
		s.frame().exported = exported
		s.last = token{kind: open, text: c, at: at}
	case ')', ']', '}':
		return s.closing(c, at)
	case ',':
		if f := s.frame(); f.argument != "" && f.comma == 0 {
			f.comma = at
		}
		s.last = token{kind: comma, text: c, at: at}
	case ';':
		s.importing, s.exports, s.all = false, false, false
		f := s.frame()
		if f.value = false; f.kind == object {
			f.kind = block // no object has a semicolon
		}
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
		s.last = token{kind: operator, text: c, at: at, key: s.operated(c)}
		if c == '=' && s.at(0) == '>' {
			s.pos++
			s.last.text = '>'
		}
	}
	return len(s.stack) < maxNesting
}

// operated notes the operators that matter for names. It reports whether a star begins the name of a
// generator in an object.
func (s *scripter) operated(c byte) bool {
	f := s.frame()
	switch {
	case f.kind == classBody && c == '=':
		f.value = true
	case f.kind == classBody && c == '*' && s.last.kind == closed:
		f.value = false // the next member, after an arrow function without a semicolon
	case c == '*' && s.last.word == "export":
		s.all = true
	}
	return c == '*' && f.kind == object && (s.last.kind == open || s.last.kind == comma || s.last.key)
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
	if c == '(' {
		s.frame().argument = s.argument
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
	if f.classes > 0 && s.last.word != "extends" {
		f.classes--
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
	if f.argument != "" && (s.last.kind != open || s.last.at != f.at) && s.peek(at+1) != '{' { // no method
		s.mark(f.at+1, argument, f.argument)
		s.mark(cmp.Or(f.comma, at), closes, ")")
	}
	if f.kind == exports && s.nextWord(at+1) == "from" {
		s.marks = s.marks[:f.marks] // names of another module
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
