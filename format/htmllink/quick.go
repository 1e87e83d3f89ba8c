package htmllink

import "quire/format/lookahead"

// The quick functions read a tag that is wholly in the window, as nearly all are. They consume
// nothing if it is not, or if anything about it is unusual; then the slow functions read it.

// A value in the window is never too long.
const _ = uint(MaxValue - lookahead.Size)

// nameBytes maps the bytes of names to lower case. It is 0 for bytes that end a name, for the equals
// sign, and for NUL.
var nameBytes = func() (t [256]byte) {
	for c := range t {
		t[c] = lower(byte(c))
	}
	for _, c := range []byte("\t\n\f\r />=") {
		t[c] = 0
	}
	return t
}()

// quickName keeps the name at the beginning of b, in lower case, and returns its length. The length
// is 0 if the name is too long.
func (s *Scanner) quickName(b []byte) int {
	name := s.name[:0]
	for _, c := range b[:min(len(b), maxName)] {
		low := nameBytes[c]
		if low == 0 {
			break
		}
		name = append(name, low)
	}
	s.name = name
	if len(name) == maxName {
		return 0
	}
	return len(name)
}

// quickStartTag is startTag for a usual tag.
func (s *Scanner) quickStartTag() bool {
	b := s.w.Rest()
	n := 1 + s.quickName(b[1:])
	if n == 1 || s.shift.on {
		return false
	}
	s.beginTag()
	s.tag.name, s.tag.of = traitsOf(s.name)
	if n = s.quickAttributes(b, n); n == 0 {
		return false
	}
	s.w.Skip(n)
	return true
}

// quickAttributes reads attributes from a position in b to the end of their tag. It returns the
// position behind the end, or 0 if the tag is not usual.
func (s *Scanner) quickAttributes(b []byte, i int) int {
	for {
		if i = skip(b, i, isBlank); i == len(b) {
			return 0
		}
		switch b[i] {
		case '>':
			return i + 1
		case '/':
			if i++; i == len(b) {
				return 0
			}
			s.tag.selfClosing = b[i] == '>'
		default:
			if i = s.quickAttribute(b, i); i == 0 {
				return 0
			}
		}
	}
}

// quickAttribute reads one attribute. It returns the position behind it, or 0 if it is not usual.
func (s *Scanner) quickAttribute(b []byte, i int) int {
	from := i
	n := s.quickName(b[i:])
	if i += n; n == 0 || i == len(b) || b[i] == 0 {
		return 0
	}
	a := attributesByName.find(s.name)
	if i = skip(b, i, isBlank); i == len(b) {
		return 0
	}
	if b[i] != '=' {
		if a != nil && s.options.Guards {
			return 0
		}
		return i
	}
	if i = skip(b, i+1, isBlank); i == len(b) || b[i] == '>' {
		return 0
	}
	quote := byte(0)
	if b[i] == '"' || b[i] == '\'' {
		quote = b[i]
		i++
	}
	end := i + s.valueIn(b[i:], quote)
	if end == len(b) || a != nil && s.isNeeded(a) && !s.quickValue(a, b, from, i, end, quote) {
		return 0
	}
	if quote != 0 {
		end++
	}
	return end
}

// quickValue keeps an attribute. It reports false if the attribute is not usual.
func (s *Scanner) quickValue(a *namedUse, b []byte, named, from, to int, quote byte) bool {
	if len(s.tag.attributes) == MaxAttributes {
		return false
	}
	lo, at := len(s.values), s.w.Offset()
	s.values = append(s.values, b[from:to]...)
	s.tag.add(attribute{name: a.name, role: a.role, kind: a.kind, named: at + int64(named), quote: quote,
		start: at + int64(from), end: at + int64(to), lo: lo, hi: len(s.values)})
	return true
}

// quickEndTag is endTag for a usual tag.
func (s *Scanner) quickEndTag() bool {
	b := s.w.Rest()
	n := s.quickName(b[2:])
	if n == 0 || 2+n == len(b) || b[2+n] != '>' {
		return false
	}
	s.w.Skip(2 + n + 1)
	s.unfollow(s.name)
	if s.End != nil && s.depth == 0 {
		s.End(s.name)
	}
	return true
}
