package xmlstream

import (
	"bytes"
	"errors"
	"fmt"
)

// scanStart scans a start tag (XML 1.0, productions 40 and 44). White space between attributes is
// not required.
func (s *scanner) scanStart(b []byte) (int, error) {
	if len(s.known) > maxNames {
		s.names.forget()
	}
	el, i, err := s.scanName(b, 1, s.last.next)
	if err != nil {
		return i, asked(err, "expected element name after <")
	}
	attrs := s.attrs[:0]
	for {
		if i = space(b, i); i == len(b) {
			return 0, errMore
		}
		if b[i] == '>' || b[i] == '/' {
			break
		}
		var likely *name
		if len(attrs) < len(el.likely) {
			likely = el.likely[len(attrs)]
		}
		var a rawAttr
		if a.name, i, err = s.scanName(b, i, likely); err != nil {
			return i, asked(err, "expected attribute name in element")
		}
		if a.name != likely {
			el.expect(len(attrs), a.name)
		}
		if i, err = s.scanValue(b, i, &a, len(attrs)); err != nil {
			return i, err
		}
		attrs = append(attrs, a)
	}
	if b[i] == '/' {
		if i++; i == len(b) {
			return 0, errMore
		}
		if b[i] != '>' {
			return i + 1, errors.New("expected /> in element")
		}
		s.empty = true
	}
	i++
	s.kind, s.name, s.attrs, s.data = startTag, el, attrs, b[:i]
	s.last.next, s.last = el, el
	s.open(el)
	return i, nil
}

// scanValue scans the equals sign and the value of attribute number n.
func (s *scanner) scanValue(b []byte, i int, a *rawAttr, n int) (int, error) {
	if i = space(b, i); i == len(b) {
		return 0, errMore
	}
	if b[i] != '=' {
		return i + 1, errors.New("attribute name without = in element")
	}
	if i = space(b, i+1); i == len(b) {
		return 0, errMore
	}
	quote := b[i]
	if quote != '"' && quote != '\'' {
		return i + 1, errors.New("unquoted or missing attribute value in element")
	}
	if n >= s.lim.Attributes {
		return i, fmt.Errorf("%w: more than %d attributes", ErrLimit, s.lim.Attributes)
	}
	a.from = i + 1
	to, found, err := scanChars(b, a.from, quote)
	if err != nil {
		return to, err
	}
	a.to, a.rough = to, found&mustRewrite != 0
	if found&(mustCheck|isIllegal) != 0 {
		err = checkChars(b[a.from:to], found)
	}
	return to + 1, err
}

// scanEnd scans an end tag (XML 1.0, production 42), which closes the innermost element.
func (s *scanner) scanEnd(b []byte) (int, error) {
	var open *name
	if len(s.stack) > 0 {
		open = s.stack[len(s.stack)-1]
		if n := 2 + len(open.raw); len(b) > n && b[n] == '>' && string(b[2:n]) == open.raw {
			s.kind, s.name = endTag, open
			s.close()
			return n + 1, nil
		}
	}
	el, i, err := s.scanName(b, 2, nil)
	if err != nil {
		return i, asked(err, "expected element name after </")
	}
	if i = space(b, i); i == len(b) {
		return 0, errMore
	}
	switch {
	case b[i] != '>':
		err = fmt.Errorf("invalid characters between </%s and >", el.local)
	case open == nil:
		err = fmt.Errorf("unexpected end element </%s>", el.local)
	case open.raw != el.raw && open.local == el.local:
		err = fmt.Errorf("element <%s> closed by </%s>", open.raw, el.raw)
	case open.raw != el.raw:
		err = fmt.Errorf("element <%s> closed by </%s>", open.local, el.local)
	default:
		s.kind, s.name = endTag, open
		s.close()
	}
	return i + 1, err
}

// scanInstruction scans a processing instruction (XML 1.0, production 16).
func (s *scanner) scanInstruction(b []byte) (int, error) {
	i, err := nameEnd(b, 2)
	if err != nil {
		return i, asked(err, "expected target name after <?")
	}
	name := b[2:i]
	if !isName(name) {
		return i, badName(name)
	}
	i = space(b, i)
	length := bytes.Index(b[i:], []byte("?>"))
	if length < 0 {
		return 0, errMore
	}
	s.kind, s.data, s.ours = instruction, b[i:i+length], string(name) == target
	i += length + 2
	if s.offset() > 0 && bytes.EqualFold(name, []byte("xml")) {
		return i, errors.New("an XML declaration within the document")
	}
	if string(name) == "xml" {
		return i, checkDeclaration(string(s.data))
	}
	return i, nil
}

// scanDeclaration scans a declaration, which begins with "<!": a comment or a CDATA section.
func (s *scanner) scanDeclaration(b []byte) (int, error) {
	if len(b) < 4 {
		return 0, errMore
	}
	switch b[2] {
	case '-':
		return s.scanComment(b)
	case '[':
		return s.scanCDATA(b)
	}
	return 0, ErrDoctype
}

func (s *scanner) scanComment(b []byte) (int, error) {
	if b[3] != '-' {
		return 4, errors.New("invalid sequence <!- not part of <!--")
	}
	i := bytes.Index(b[4:], []byte("--")) + 4
	if i < 4 || i+2 >= len(b) {
		return 0, errMore
	}
	if b[i+2] != '>' {
		return i + 3, errors.New(`invalid sequence "--" not allowed in comments`)
	}
	s.kind = comment
	return i + 3, nil
}

func (s *scanner) scanCDATA(b []byte) (int, error) {
	const begin = "<![CDATA["
	for i := 3; i < len(begin); i++ {
		if i == len(b) {
			return 0, errMore
		}
		if b[i] != begin[i] {
			return i + 1, errors.New("invalid <![ sequence")
		}
	}
	length := bytes.Index(b[len(begin):], []byte("]]>"))
	if length < 0 {
		return 0, errMore
	}
	s.kind, s.cdata, s.data = charData, true, b[len(begin):len(begin)+length]
	s.rough = bytes.IndexByte(s.data, '\r') >= 0
	return len(begin) + length + 3, checkChars(s.data, 0)
}

// space returns the index of the first byte of b from i on that is not white space.
func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}
