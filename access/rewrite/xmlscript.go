package rewrite

import (
	"bytes"

	"quire/format/htmllink"
)

// The text of a script in XML is not its source: it has CDATA sections, and references to characters. The marks are
// found in the source, and inserted into the text at the same places. A mark has no character that XML would need to
// escape (xmlscript_test.go), so it means the same inside and outside of a section. The same is true of the text of a
// script of SVG in HTML, where signs that begin nothing stand for themselves (HTML, 13.2.5.1 and 13.2.5.72).

const sectionStart, sectionEnd = "<![CDATA[", "]]>"

// sourceOf returns the source of a script in XML. For each byte of it, and for the end, at has the offset in the text.
// ok is false if the text has other markup (comments, elements), or an unknown reference. In HTML an unknown reference
// is text.
func sourceOf(text []byte, html bool) (src []byte, at []int, ok bool) {
	for i := 0; i < len(text); {
		rest := text[i:]
		switch {
		case bytes.HasPrefix(rest, []byte(sectionStart)):
			n := bytes.Index(rest, []byte(sectionEnd))
			if n < 0 {
				return nil, nil, false
			}
			for k := len(sectionStart); k < n; k++ {
				src, at = append(src, rest[k]), append(at, i+k)
			}
			i += n + len(sectionEnd)
		case html && standsForItself(rest):
			src, at = append(src, rest[0]), append(at, i)
			i++
		case rest[0] == '<':
			return nil, nil, false
		case rest[0] == '&':
			n := bytes.IndexByte(rest[:min(len(rest), maxReference)], ';')
			if n < 0 {
				return nil, nil, false
			}
			character := htmllink.Unescape(bytes.Clone(rest[:n+1]))
			if bytes.Equal(character, rest[:n+1]) {
				return nil, nil, false
			}
			for _, c := range character {
				src, at = append(src, c), append(at, i)
			}
			i += n + 1
		default:
			src, at = append(src, rest[0]), append(at, i)
			i++
		}
	}
	return src, append(at, len(text)), true
}

// standsForItself reports whether the sign at the beginning of a text in HTML begins no tag and no reference.
func standsForItself(text []byte) bool {
	next := byte(' ')
	if len(text) > 1 {
		next = text[1]
	}
	switch text[0] {
	case '<':
		return !(next|0x20 >= 'a' && next|0x20 <= 'z' || next == '/' || next == '!' || next == '?')
	case '&':
		begin := text[:min(len(text), maxReference)]
		if i := bytes.IndexByte(begin[1:], '&'); i >= 0 {
			begin = begin[:1+i]
		}
		return bytes.Equal(htmllink.Unescape(bytes.Clone(begin)), begin)
	}
	return false
}

// maxReference is the longest reference to a character in a script, in bytes.
const maxReference = 12

// marksOfXML returns the insertions into the text of a script in XML, or of one of SVG in HTML.
func marksOfXML(text []byte, base string, begins, html bool) []mark {
	if !names(text) {
		return nil
	}
	src, at, ok := sourceOf(text, html)
	if !ok {
		return nil
	}
	marks := marksOf(src, base, begins)
	for i := range marks {
		marks[i].at = at[marks[i].at]
	}
	return marks
}
