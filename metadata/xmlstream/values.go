package xmlstream

import (
	"hash/maphash"
	"strings"
)

// Values that occur again and again, such as the name of a digest algorithm, are built once. The
// table is small, and a new value takes the slot of an old one.
const (
	slots      = 1 << 10
	maxInSlot  = 64 // bytes; longer values are built each time
	slotsInUse = slots - 1
)

var valueSeed = maphash.MakeSeed()

// values builds strings.
type values struct {
	table [slots]string
	chunk *strings.Builder // for new strings
}

// A chunk has many short strings, which need one allocation. A string that is kept keeps its chunk.
const chunkOfValues = 1 << 10

func (v *values) string(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if len(b) > maxInSlot {
		return string(b)
	}
	slot := &v.table[maphash.Bytes(valueSeed, b)&slotsInUse]
	if *slot != string(b) {
		*slot = v.build(b)
	}
	return *slot
}

// build builds a new string.
func (v *values) build(b []byte) string {
	if v.chunk == nil || v.chunk.Len()+len(b) > chunkOfValues {
		v.chunk = &strings.Builder{}
		v.chunk.Grow(chunkOfValues)
	}
	at := v.chunk.Len()
	v.chunk.Write(b) // within the chunk: the strings before it stay where they are
	return v.chunk.String()[at:]
}

// rawValue returns the meaning of an attribute's value in the current start tag, valid until the next
// call.
func (s *scanner) rawValue(a *rawAttr) []byte {
	raw := s.data[a.from:a.to]
	if !a.rough {
		return raw
	}
	s.meaning = appendMeaning(s.meaning[:0], raw, false)
	return s.meaning
}

// content returns the meaning of the current text, valid until the next call.
func (s *scanner) content() []byte {
	if !s.rough {
		return s.data
	}
	s.meaning = appendMeaning(s.meaning[:0], s.data, s.cdata)
	return s.meaning
}
