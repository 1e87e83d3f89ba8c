package marc

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Leader is the 24 characters at the head of a record. Its lengths are computed for ISO 2709; in
// MARCXML they are blank.
type Leader string

// Website is the leader of a website described on its own: language material (a website is mostly
// text), an integrating resource, in Unicode, described by ISBD or RDA without punctuation.
const Website Leader = "     nai a22     uu 4500"

// Collection is the leader of an assembled collection: mixed materials, under archival control.
const Collection Leader = "     npcaa22     uu 4500"

// The leaders of UNIMARC (UNIMARC Manual: Bibliographic Format, 3rd edition): an electronic resource
// (l), integrating (i) or a collection (c), without a hierarchy, described without ISBD punctuation
// (n). Position 9 is undefined: field 100 states the character set.
const (
	UNIMARCWebsite    Leader = "     nli  22     3n 450 "
	UNIMARCCollection Leader = "     nlc  22     3n 450 "
)

// UNIMARC reports whether the leader is one of UNIMARC, by its map of the directory (450 and an
// undefined position).
func (l Leader) UNIMARC() bool { return len(l) == leaderSize && l[20:] == unimarcMap }

// Record is one MARC record.
type Record struct {
	Leader   Leader
	Controls []Control
	Fields   []Field
}

// Control is a control field, 001 to 009.
type Control struct{ Tag, Value string }

// Field is a data field. Indicators are a blank, a digit or a small letter.
type Field struct {
	Tag        string
	Ind1, Ind2 byte
	Subfields  []Subfield
}

// Subfield is a part of a field.
type Subfield struct {
	Code  byte
	Value string
}

// Add appends a data field.
func (r *Record) Add(tag string, ind1, ind2 byte, subfields ...Subfield) {
	r.Fields = append(r.Fields, Field{tag, ind1, ind2, subfields})
}

// Values returns the values of the subfields with this code, in all fields with this tag.
func (r *Record) Values(tag string, code byte) []string {
	var out []string
	for _, f := range r.Fields {
		for _, s := range f.Subfields {
			if f.Tag == tag && s.Code == code {
				out = append(out, s.Value)
			}
		}
	}
	return out
}

// Check returns an error if neither form can hold the record.
func (r *Record) Check() error {
	if err := r.Leader.check(); err != nil {
		return err
	}
	for _, c := range r.Controls {
		if len(c.Tag) != 3 || c.Tag[:2] != "00" || c.Tag[2] == '0' || !isAlnum(c.Tag[2]) {
			return fmt.Errorf("marc: %.10q is not a control field: want 001 to 009", c.Tag)
		}
	}
	for i := range r.Fields {
		if err := r.Fields[i].check(); err != nil {
			return err
		}
	}
	return nil
}

// check follows the pattern of the schema.
func (l Leader) check() error {
	ok := len(l) == 24
	for i := 0; ok && i < len(l); i++ {
		c := l[i]
		switch {
		case i < 5 || i >= 12 && i < 17:
			ok = c == ' ' || isDigit(c)
		case i == 6:
			ok = isAlnum(c)
		case i == 10 || i == 11:
			ok = c == '2' || c == ' '
		case i < 20:
			ok = c == ' ' || isAlnum(c)
		}
	}
	if !ok || l[20:] != entryMap && l[20:] != "    " && l[20:] != unimarcMap {
		return fmt.Errorf("marc: %.40q is not a leader of MARC 21 or UNIMARC", string(l))
	}
	return nil
}

func (f *Field) check() error {
	if !isDataTag(f.Tag) {
		return fmt.Errorf("marc: %.10q is not a data field: want 010 to 999", f.Tag)
	}
	for _, ind := range []byte{f.Ind1, f.Ind2} {
		if ind != ' ' && !isDigit(ind) && (ind < 'a' || ind > 'z') {
			return fmt.Errorf("marc: field %s: %q is not an indicator", f.Tag, ind)
		}
	}
	if len(f.Subfields) == 0 {
		return fmt.Errorf("marc: field %s has no subfield", f.Tag)
	}
	for _, s := range f.Subfields {
		if s.Code <= ' ' || s.Code >= 0x7f || s.Code == '|' || s.Code == '@' {
			return fmt.Errorf("marc: field %s: %q is not a subfield code", f.Tag, s.Code)
		}
	}
	return nil
}

// isDataTag reports whether tag is a data tag by the schema: digits, and letters of one case for
// local data.
func isDataTag(tag string) bool {
	if len(tag) != 3 || strings.ToUpper(tag) != tag && strings.ToLower(tag) != tag {
		return false
	}
	for i := range 3 {
		if !isAlnum(tag[i]) {
			return false
		}
	}
	return tag[:2] != "00"
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isAlnum(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// Text returns a value in a form that ISO 2709 can carry. The delimiters and other control
// characters become blanks, and bytes that are not UTF-8 become U+FFFD. If nothing is lost, the
// result equals the value.
func Text(value string) string {
	var b strings.Builder
	for _, c := range value { // an invalid byte yields U+FFFD
		switch {
		case c < ' ' || c >= 0x7f && c < 0xa0:
			b.WriteByte(' ')
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// carried reports whether ISO 2709 can carry a value unchanged.
func carried(value string) bool { return utf8.ValidString(value) && Text(value) == value }
