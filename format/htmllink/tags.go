package htmllink

// maxName is longer than any name the scanner compares.
const maxName = 40

// startTag consumes the start tag that comes next (HTML, 13.2.5.8 and 13.2.5.32 to 40).
func (s *Scanner) startTag() {
	t := &s.tag
	if !s.quickStartTag() && !s.slowStartTag() {
		s.report(TagUnclosed, t.start, "the document ends within a tag of "+t.name)
		return
	}
	t.end = s.w.Offset()
	if t.tooLong {
		s.report(TagTooLong, t.start, "the links in this tag of "+t.name+" are not returned")
	} else {
		s.classify()
		if s.wantsElement() && t.name != "title" { // a title waits for its text
			s.passElement(nil, 0)
		}
	}
	s.follow()
	s.opened = true
}

// beginTag forgets the tag before.
func (s *Scanner) beginTag() {
	t := &s.tag
	*t = tag{start: s.w.Offset(), attributes: t.attributes[:0]}
	s.values = s.values[:0]
}

// slowStartTag consumes a start tag that may be longer than the window. It reports whether the end
// of the tag is there.
func (s *Scanner) slowStartTag() bool {
	s.beginTag()
	s.w.Skip(1)
	s.takeName(&endsTagName)
	s.tag.name, s.tag.of = traitsOf(s.name)
	return s.takeAttributes(true)
}

// endTag consumes an end tag. It reads the attributes as in a start tag, but they have no meaning.
func (s *Scanner) endTag() {
	if s.quickEndTag() {
		return
	}
	start := s.w.Offset()
	s.w.Skip(2)
	s.takeName(&endsTagName)
	s.unfollow(s.name)
	if s.End != nil && s.depth == 0 {
		s.End(s.name)
	}
	s.tag.tooLong = true // nothing of it is kept
	if !s.takeAttributes(false) {
		s.report(TagUnclosed, start, "the document ends within an end tag")
	}
}

// takeAttributes consumes the attributes of a tag and its end. It reports whether the end is there.
func (s *Scanner) takeAttributes(keep bool) bool {
	for {
		s.skipBlanks()
		switch c := s.w.At(0); c {
		case -1:
			return false
		case '>':
			s.w.Skip(1)
			return true
		case '/':
			s.w.Skip(1)
			s.tag.selfClosing = s.w.At(0) == '>'
		default:
			s.takeAttribute(keep)
		}
		s.watchLength(keep)
	}
}

// watchLength gives up a tag that exceeds MaxTag.
func (s *Scanner) watchLength(keep bool) {
	if keep && !s.tag.tooLong && s.w.Offset()-s.tag.start > MaxTag {
		s.tag.tooLong = true
	}
	if s.tag.tooLong {
		s.settled = s.w.Offset()
	}
}

// takeAttribute consumes the name of an attribute and its value, if any (13.2.5.33 to 39).
func (s *Scanner) takeAttribute(keep bool) {
	first := s.w.At(0) // can be an equals sign
	named := s.w.Offset()
	s.w.Skip(1)
	s.name = append(s.name[:0], lower(byte(first)))
	s.takeRestOfName(&endsAttributeName)
	behind := s.w.Offset()
	s.skipBlanks()
	if s.w.At(0) != '=' {
		if a := s.newAttribute(keep && s.options.Guards, named); a != nil && a.role == governing {
			a.start, a.end, a.lo, a.hi = behind, behind, len(s.values), len(s.values)
		} else if a != nil {
			s.tag.attributes = s.tag.attributes[:len(s.tag.attributes)-1] // without a value it has no meaning
		}
		return
	}
	s.w.Skip(1)
	s.skipBlanks()
	a := s.newAttribute(keep, named)
	switch c := s.w.At(0); c {
	case -1, '>':
		if a != nil {
			a.start, a.end, a.lo, a.hi = s.w.Offset(), s.w.Offset(), len(s.values), len(s.values)
		}
	case '"', '\'':
		s.w.Skip(1)
		s.takeValue(a, byte(c))
		if s.w.At(0) >= 0 {
			s.w.Skip(1)
		}
	default:
		s.takeValue(a, 0)
	}
}

// newAttribute adds an attribute for the current name, or returns nil if the attribute is not
// needed.
func (s *Scanner) newAttribute(keep bool, named int64) *attribute {
	t := &s.tag
	if !keep || t.tooLong || len(s.name) > maxName {
		return nil
	}
	w := attributesByName.find(s.name)
	if w == nil || !s.isNeeded(w) {
		return nil
	}
	if len(t.attributes) == MaxAttributes {
		if !t.tooMany {
			s.report(TooManyAttributes, t.start, "only the first attributes are examined")
		}
		t.tooMany = true
		return nil
	}
	return t.add(attribute{name: w.name, role: w.role, kind: w.kind, named: named})
}

// isNeeded reports whether an attribute of this role is needed on the current element.
func (s *Scanner) isNeeded(w *namedUse) bool {
	switch r := w.role; {
	case r == governing:
		return s.options.Guards
	case r == handling:
		return s.options.Scripts
	case r == describing:
		return s.wantsElement()
	case r == hint && s.options.Guards && guards[w.name] == s.tag.name:
		return true
	case r == hint && s.options.NoFollow && w.name == "rel":
		return true
	case r == hint, r >= content:
		return s.tag.of.hinted
	}
	return true
}

// takeValue consumes a value up to its quote, or, without quotes, up to white space or the end of
// the tag.
func (s *Scanner) takeValue(a *attribute, quote byte) {
	var unkept attribute
	kept := a != nil
	if !kept {
		a = &unkept
	}
	a.quote, a.start, a.lo = quote, s.w.Offset(), len(s.values)
	for {
		rest := s.w.Rest()
		n := s.valueIn(rest, quote)
		if kept {
			room := min(n, MaxValue-(len(s.values)-a.lo), maxValues-len(s.values))
			a.cut = a.cut || room < n
			s.values = append(s.values, rest[:room]...)
		}
		s.w.Skip(n)
		s.watchLength(true)
		if n < len(rest) || len(rest) == 0 {
			break
		}
	}
	a.end, a.hi = s.w.Offset(), len(s.values)
}

func (s *Scanner) valueIn(b []byte, quote byte) int {
	if quote != 0 {
		return s.shift.index(b, quote)
	}
	for i, c := range b {
		if endsValue[c] {
			return i
		}
	}
	return len(b)
}

// The bytes that end a name or an unquoted value.
var (
	endsTagName       = tableOf("\t\n\f\r />")
	endsAttributeName = tableOf("\t\n\f\r />=")
	endsValue         = tableOf("\t\n\f\r >")
)

func tableOf(chars string) (t [256]bool) {
	for i := range len(chars) {
		t[chars[i]] = true
	}
	return t
}

func (s *Scanner) takeName(ends *[256]bool) {
	s.name = s.name[:0]
	s.takeRestOfName(ends)
}

// takeRestOfName keeps a name in lower case, up to maxName bytes.
func (s *Scanner) takeRestOfName(ends *[256]bool) {
	for {
		rest := s.w.Rest()
		n := 0
		for n < len(rest) && !ends[rest[n]] {
			if len(s.name) <= maxName {
				s.name = append(s.name, lower(rest[n]))
			}
			n++
		}
		s.w.Skip(n)
		if n < len(rest) || len(rest) == 0 {
			return
		}
		s.watchLength(true)
	}
}

func (s *Scanner) skipBlanks() {
	for blank(s.w.At(0)) {
		rest := s.w.Rest()
		s.w.Skip(skip(rest, 0, isBlank))
		s.watchLength(true)
	}
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
