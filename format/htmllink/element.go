package htmllink

import "bytes"

// MaxText is how many bytes of a title are kept.
const MaxText = 64 << 10

// Element is the start tag of an element that says something of the document: html, meta, base or
// title.
type Element struct {
	Name       string
	Start, End int64  // of the start tag, from < to behind >
	Text       []byte // of a title: its text, as it stands there, at most MaxText of it
	TextLength int64  // of all of it, in bytes

	s *Scanner
}

// Attribute gives the value of an attribute as it stands there: references are not decoded, see
// Unescape. Known are href of base; lang and xml:lang; of meta also name, property, itemprop,
// http-equiv, charset, scheme and content. It says how many bytes the value has in the document,
// which may be more than there are here.
func (e *Element) Attribute(name string) (raw []byte, length int64, ok bool) {
	for i := range e.s.tag.attributes {
		if a := &e.s.tag.attributes[i]; a.name == name && !a.again {
			return e.s.raw(a), a.end - a.start, true
		}
	}
	return nil, 0, false
}

// Unescape decodes the character references in the value of an attribute, and NUL, as the Value of
// a Link has them decoded.
func Unescape(raw []byte) []byte {
	if bytes.IndexByte(raw, '&') < 0 && bytes.IndexByte(raw, 0) < 0 {
		return raw
	}
	var s Scanner
	return s.decode(raw).b
}

// telling are the elements that Scanner.Element is told of.
var telling = setOf("html", "meta", "base", "title")

// tells says whether what the tag at hand declares is wanted.
func (s *Scanner) tells() bool { return s.Element != nil && telling[s.tag.name] }

// tellElement tells of the tag at hand, with the text behind it.
func (s *Scanner) tellElement(text []byte, length int64) {
	s.Element(&Element{Name: s.tag.name, Start: s.tag.start, End: s.tag.end, Text: text, TextLength: length, s: s})
}

// takeTitle reads the text of a title. Where the document ends in it, that is its text (HTML,
// 13.2.6.4.8).
func (s *Scanner) takeTitle() {
	kept, length := []byte{}, int64(0)
	take := func(n int) {
		kept = append(kept, s.w.Rest()[:max(0, min(n, MaxText-len(kept)))]...)
		s.w.Skip(n)
		s.settled = s.w.Offset()
		length += int64(n)
	}
	for {
		rest := s.w.Rest()
		i := s.shift.index(rest, '<')
		if i == 0 && len(rest) > 0 {
			if s.endOf("title") {
				break
			}
			i = 1
		}
		if i == 0 {
			s.report(TextUnclosed, s.tag.start, "the document ends within the content of title")
			break
		}
		take(i)
	}
	s.tellElement(kept, length)
}
