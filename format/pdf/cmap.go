package pdf

import (
	"cmp"
	"slices"
	"sort"
)

// cmap maps codes to characters (9.10.3) or glyphs (9.7.5).
type cmap struct {
	single map[uint32]string
	ranges []codeRange
	cids   []codeRange
	spaces []codeSpace
}

// codeRange is a run of codes. The first maps to a text or a number; each next one maps to one
// more.
type codeRange struct {
	first, last uint32
	text        string
	number      uint32
}

// codeSpace is the number of bytes of codes in a range.
type codeSpace struct {
	bytes       int
	first, last uint32
}

// The bounds of a CMap.
const (
	maxCMap    = 4 << 20
	maxCodes   = 70_000
	maxChained = 4 // CMaps that use each other
)

// cmap reads a CMap. It ignores errors in it.
func (d *document) cmap(s *stream, depth int) *cmap {
	m := &cmap{single: map[uint32]string{}}
	if used := d.stream(s.dict["UseCMap"]); used != nil && depth < maxChained {
		m = d.cmap(used, depth+1)
	}
	b, _ := d.decoded(s, maxCMap) // as much as can be read
	l := &lexer{b: b}
	var operands []any
	for {
		l.space()
		if l.at >= len(l.b) {
			break
		}
		if c := l.b[l.at]; isDigit(c) || c == '/' || c == '<' || c == '(' || c == '[' || c == '-' {
			l.cost = 0
			o, err := l.object(0)
			if err != nil {
				l.at++
			} else if len(operands) < 3*maxCodes {
				operands = append(operands, o)
			}
			continue
		}
		word := l.word()
		if word == "" {
			l.at++
		}
		m.operate(word, operands)
		operands = operands[:0]
	}
	for _, list := range [][]codeRange{m.ranges, m.cids} {
		slices.SortStableFunc(list, func(a, b codeRange) int { return cmp.Compare(a.first, b.first) })
	}
	return m
}

func (m *cmap) operate(word string, o []any) {
	switch word {
	case "endcodespacerange":
		for ; len(o) >= 2 && len(m.spaces) < 100; o = o[2:] {
			if first, n := codeOf(o[0]); n > 0 {
				last, _ := codeOf(o[1])
				m.spaces = append(m.spaces, codeSpace{n, first, last})
			}
		}
	case "endbfchar":
		for ; len(o) >= 2 && len(m.single) < maxCodes; o = o[2:] {
			if code, n := codeOf(o[0]); n > 0 {
				m.single[code] = textOf(o[1])
			}
		}
	case "endbfrange":
		for ; len(o) >= 3; o = o[3:] {
			m.bfRange(o[0], o[1], o[2])
		}
	case "endcidchar":
		for ; len(o) >= 2 && len(m.cids) < maxCodes; o = o[2:] {
			code, n := codeOf(o[0])
			if cid, ok := o[1].(int64); ok && n > 0 {
				m.cids = append(m.cids, codeRange{first: code, last: code,
					number: uint32(cid)}) //nolint:gosec // any number will do
			}
		}
	case "endcidrange":
		for ; len(o) >= 3 && len(m.cids) < maxCodes; o = o[3:] {
			first, n := codeOf(o[0])
			last, _ := codeOf(o[1])
			if cid, ok := o[2].(int64); ok && n > 0 {
				m.cids = append(m.cids, codeRange{first: first, last: last,
					number: uint32(cid)}) //nolint:gosec // any number will do
			}
		}
	}
}

func (m *cmap) bfRange(from, to, what any) {
	first, n := codeOf(from)
	last, _ := codeOf(to)
	if n == 0 || last < first {
		return
	}
	if list, ok := what.(array); ok {
		for i, o := range list {
			if len(m.single) < maxCodes {
				m.single[first+uint32(i)] = textOf(o) //nolint:gosec // a list in memory is short
			}
		}
		return
	}
	if len(m.ranges) < maxCodes {
		m.ranges = append(m.ranges, codeRange{first: first, last: last, text: textOf(what)})
	}
}

// codeOf returns the number of a code and its length in bytes; 0 bytes if it is not a code.
func codeOf(o any) (code uint32, n int) {
	s, ok := o.(text)
	if !ok || len(s) == 0 || len(s) > 4 {
		return 0, 0
	}
	for _, c := range s {
		code = code<<8 | uint32(c)
	}
	return code, len(s)
}

// textOf returns the meaning of a code: UTF-16, or the name of a glyph.
func textOf(o any) string {
	switch o := o.(type) {
	case text:
		if len(o) == 1 { // written so by some programs
			return string(rune(o[0]))
		}
		return wide(o[:min(len(o), 64)], 0)
	case name:
		return ofGlyph(string(o))
	}
	return ""
}

// find returns the range of a code.
func find(list []codeRange, code uint32) *codeRange {
	i := sort.Search(len(list), func(i int) bool { return list[i].first > code }) - 1
	if i >= 0 && code <= list[i].last {
		return &list[i]
	}
	return nil
}

// text returns the text for a code.
func (m *cmap) text(code uint32, _ int) (string, bool) {
	if m == nil {
		return "", false
	}
	if s, ok := m.single[code]; ok {
		return s, true
	}
	r := find(m.ranges, code)
	if r == nil {
		return "", false
	}
	all := []rune(r.text)
	if len(all) == 0 {
		return "", false
	}
	all[len(all)-1] += rune(code - r.first) //nolint:gosec // what is no character is replaced
	return string(all), true
}

func (m *cmap) cid(code uint32) uint32 {
	if r := find(m.cids, code); r != nil {
		return r.number + code - r.first
	}
	return code
}

// next returns the first code of a string, by the code space ranges.
func (m *cmap) next(s text) (code uint32, n int) {
	for n = 1; n <= min(4, len(s)); n++ {
		code = code<<8 | uint32(s[n-1])
		for _, space := range m.spaces {
			if space.bytes == n && space.holds(code) {
				return code, n
			}
		}
	}
	n = 2
	if len(m.spaces) > 0 {
		n = m.spaces[0].bytes
	}
	code, n = 0, min(n, len(s))
	for _, c := range s[:n] {
		code = code<<8 | uint32(c)
	}
	return code, n
}

// holds reports whether each byte of a code is in the range for its position.
func (c *codeSpace) holds(code uint32) bool {
	for shift := 0; shift < 8*c.bytes; shift += 8 {
		if b := code >> shift & 0xff; b < c.first>>shift&0xff || b > c.last>>shift&0xff {
			return false
		}
	}
	return true
}
