package xmlstream

import "hash/maphash"

// Values that occur again and again, such as the name of a digest algorithm, are built once. The
// table is small, and a new value takes the slot of an old one.
const (
	slots      = 1 << 10
	maxInSlot  = 64 // bytes; longer values are built each time
	slotsInUse = slots - 1
)

var valueSeed = maphash.MakeSeed()

// values builds strings.
type values struct{ table [slots]string }

func (v *values) string(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if len(b) > maxInSlot {
		return string(b)
	}
	slot := &v.table[maphash.Bytes(valueSeed, b)&slotsInUse]
	if *slot != string(b) {
		*slot = string(b)
	}
	return *slot
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
