package marc

import (
	"fmt"
	"io"
)

// The delimiters of ISO 2709, clause 3, and the limits of the directory in MARC 21. Its entry map
// is 4500: four digits for the length of a field, five for its offset. The length of the record has
// five digits.
const (
	endOfRecord = 0x1d
	endOfField  = 0x1e
	delimiter   = 0x1f

	leaderSize  = 24
	entrySize   = 12
	maxField    = 9999
	maxRecord   = 99999
	entryMap    = "4500"
	unimarcMap  = "450 "
	unicodeMark = 'a' // leader/09
)

// Loss is data of a record that ISO 2709 could not carry.
type Loss struct {
	Tag   string
	Value string // of the subfield, or of the field
	Why   string
}

// WriteISO writes a record. It omits a field that exceeds the directory's limit. While the record
// is too long, it omits the longest field. It omits whole fields, because half a note misleads, and
// reports everything omitted or changed.
func WriteISO(out io.Writer, r Record) ([]Loss, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	var losses []Loss
	fields := make([]variable, 0, len(r.Controls)+len(r.Fields))
	size := leaderSize + 2
	for _, c := range r.Controls {
		losses = appendChanged(losses, c.Tag, c.Value)
		fields = append(fields, variable{c.Tag, c.Value, append([]byte(Text(c.Value)), endOfField)})
	}
	for _, f := range r.Fields {
		v := variable{tag: f.Tag, data: []byte{f.Ind1, f.Ind2}}
		for i, s := range f.Subfields {
			losses = appendChanged(losses, f.Tag, s.Value)
			v.data = append(append(v.data, delimiter, s.Code), Text(s.Value)...)
			if i == 0 {
				v.value = s.Value
			}
		}
		v.data = append(v.data, endOfField)
		fields = append(fields, v)
	}
	for _, f := range fields {
		size += entrySize + len(f.data)
	}
	for {
		i := longest(fields, r.Leader.title())
		if i < 0 || len(fields[i].data) <= maxField && size <= maxRecord {
			break
		}
		why := fmt.Sprintf("the field has %d bytes; the limit of ISO 2709 is %d", len(fields[i].data), maxField)
		if len(fields[i].data) <= maxField {
			why = fmt.Sprintf("the record has %d bytes; the limit of ISO 2709 is %d", size, maxRecord)
		}
		losses = append(losses, Loss{fields[i].tag, fields[i].value, why})
		size -= entrySize + len(fields[i].data)
		fields = append(fields[:i:i], fields[i+1:]...)
	}
	_, err := out.Write(assemble(r.Leader, fields, size))
	return losses, err
}

// variable is a field as stored in the record.
type variable struct {
	tag, value string
	data       []byte
}

func appendChanged(losses []Loss, tag, value string) []Loss {
	if carried(value) {
		return losses
	}
	return append(losses, Loss{tag, value,
		"control characters became blanks, and bytes that are not UTF-8 became U+FFFD"})
}

// title returns the tag of the field with the title.
func (l Leader) title() string {
	if l.UNIMARC() {
		return "200"
	}
	return "245"
}

// longest returns the field to omit first, the last among equals, or -1. The title is omitted last.
func longest(fields []variable, title string) int {
	at, most := -1, -1
	for i, f := range fields {
		n := len(f.data)
		if f.tag == title && n <= maxField {
			n = 0
		}
		if n >= most {
			at, most = i, n
		}
	}
	return at
}

func assemble(l Leader, fields []variable, size int) []byte {
	base := leaderSize + entrySize*len(fields) + 1
	leader := []byte(l)
	copy(leader, fmt.Sprintf("%05d", size))
	leader[10], leader[11] = '2', '2'
	copy(leader[12:], fmt.Sprintf("%05d", base))
	if !l.UNIMARC() {
		leader[9] = unicodeMark
		copy(leader[20:], entryMap)
	}
	record := make([]byte, 0, size)
	record = append(record, leader...)
	at := 0
	for _, f := range fields {
		record = fmt.Appendf(record, "%s%04d%05d", f.tag, len(f.data), at)
		at += len(f.data)
	}
	record = append(record, endOfField)
	for _, f := range fields {
		record = append(record, f.data...)
	}
	return append(record, endOfRecord)
}
