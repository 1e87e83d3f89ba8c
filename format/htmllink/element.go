package htmllink

import "bytes"

// MaxText is how many bytes of a title are kept.
const MaxText = 64 << 10

// Element is the start tag of an element that describes the document: html, meta, base or title.
type Element struct {
	Name       string
	Start, End int64  // of the start tag, from < to after >
	Text       []byte // of a title: its raw text, at most MaxText bytes
	TextLength int64  // length of the whole text, in bytes

	s *Scanner
}

// Attribute returns the raw value of an attribute: references are not decoded, see Unescape. It
// knows href of base, lang and xml:lang, and for meta also name, property, itemprop, http-equiv,
// charset, scheme and content. length is the value's size in the document, in bytes; it can exceed
// len(raw).
func (e *Element) Attribute(name string) (raw []byte, length int64, ok bool) {
	for i := range e.s.tag.attributes {
		if a := &e.s.tag.attributes[i]; a.name == name && !a.again {
			return e.s.raw(a), a.end - a.start, true
		}
	}
	return nil, 0, false
}

// Unescape decodes the character references and NUL in the value of an attribute, as in the Value
// of a Link.
func Unescape(raw []byte) []byte {
	if bytes.IndexByte(raw, '&') < 0 && bytes.IndexByte(raw, 0) < 0 {
		return raw
	}
	var s Scanner
	return s.decode(raw).b
}

// elementNames are the elements that Scanner.Element receives.
var elementNames = setOf("html", "meta", "base", "title")

// wantsElement reports whether Scanner.Element wants the current tag.
func (s *Scanner) wantsElement() bool { return s.Element != nil && s.tag.of.described }

// passElement passes the current tag to Scanner.Element, with the text after it.
func (s *Scanner) passElement(text []byte, length int64) {
	s.Element(&Element{Name: s.tag.name, Start: s.tag.start, End: s.tag.end, Text: text, TextLength: length, s: s})
}

// takeTitle reads the text of a title. If the document ends within it, the text ends there (HTML,
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
	s.passElement(kept, length)
}
