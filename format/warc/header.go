package warc

import (
	"bytes"
	"iter"
	"strings"
)

// Field is one named field of a record header, as in the file: the value without surrounding white
// space, a folded value with its line breaks. The bytes belong to the Reader and are valid until
// its next call of Next.
type Field struct {
	Name, Value []byte
}

// Header is the header of a record: the version line and the named fields, known or not (ISO
// 28500:2017, clause 4), in file order.
type Header struct {
	raw    []byte // version line to blank line, as read
	fields []Field
}

// ParseHeader parses the header of a record, from its version line to the blank line that ends it.
// It accepts the same deviations as Reader, but reports none. The fields are slices of raw.
func ParseHeader(raw []byte) *Header {
	h := &Header{}
	h.parse(raw)
	return h
}

// Raw returns the header as in the file, from the version line to the blank line that ends it.
func (h *Header) Raw() []byte { return h.raw }

// Fields returns the named fields in file order.
func (h *Header) Fields() []Field { return h.fields }

// Get returns the value of the first field of that name, or "". Names are compared without regard
// to case; a folded value is unfolded.
func (h *Header) Get(name string) string {
	for i := range h.fields {
		if f := &h.fields[i]; nameIs(f.Name, name) {
			return unfold(f.Value)
		}
	}
	return ""
}

// Has reports whether a field of that name exists, even an empty one.
func (h *Header) Has(name string) bool { return h.Count(name) > 0 }

// Count returns how often a field occurs.
func (h *Header) Count(name string) int {
	n := 0
	for i := range h.fields {
		if nameIs(h.fields[i].Name, name) {
			n++
		}
	}
	return n
}

// Values returns the values of every field of that name, in file order; WARC-Concurrent-To may be
// repeated.
func (h *Header) Values(name string) []string {
	var all []string
	for i := range h.fields {
		if nameIs(h.fields[i].Name, name) {
			all = append(all, unfold(h.fields[i].Value))
		}
	}
	return all
}

// All returns all fields in file order, including unknown and repeated fields. The name is spelled
// as in the file. The value is the value that Get returns.
func (h *Header) All() iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for i := range h.fields {
			if !yield(string(h.fields[i].Name), unfold(h.fields[i].Value)) {
				return
			}
		}
	}
}

func nameIs(got []byte, want string) bool {
	if len(got) != len(want) {
		return false
	}
	for i, c := range got {
		d := want[i]
		if c == d {
			continue
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if 'A' <= d && d <= 'Z' {
			d += 'a' - 'A'
		}
		if c != d {
			return false
		}
	}
	return true
}

// unfold joins a value that continues on further lines (clause 4, folding of RFC 2616).
func unfold(value []byte) string {
	if bytes.IndexByte(value, '\n') < 0 {
		return string(value)
	}
	var b strings.Builder
	for i, line := range bytes.Split(value, []byte{'\n'}) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.Write(bytes.TrimSpace(line))
	}
	return b.String()
}

// headerFlaws are the deviations that parse accepted.
type headerFlaws struct {
	bareLF   bool   // a line ends in LF without CR
	noColon  []byte // a line that is not a field
	badName  []byte // a field name with forbidden characters
	noEnding bool   // the header lacks its blank line
}

// parse splits raw, from version line to blank line, into fields.
func (h *Header) parse(raw []byte) headerFlaws {
	var flaws headerFlaws
	h.raw, h.fields = raw, h.fields[:0]
	_, rest := cutLine(raw, &flaws) // the version line
	for {
		var line []byte
		line, rest = cutLine(rest, &flaws)
		if len(line) == 0 {
			flaws.noEnding = line == nil
			return flaws
		}
		if line[0] == ' ' || line[0] == '\t' {
			h.fold(line, &flaws)
			continue
		}
		colon := bytes.IndexByte(line, ':')
		if colon < 0 {
			flaws.noColon = line
			continue
		}
		name := line[:colon]
		if !isToken(name) {
			flaws.badName = name
			name = bytes.TrimRight(name, " \t")
		}
		h.fields = append(h.fields, Field{name, bytes.Trim(line[colon+1:], " \t")})
	}
}

// fold adds a continuation line to the value before it. Both are adjacent in raw, so the value
// grows.
func (h *Header) fold(line []byte, flaws *headerFlaws) {
	if len(h.fields) == 0 {
		flaws.noColon = line
		return
	}
	f := &h.fields[len(h.fields)-1]
	if len(f.Value) == 0 {
		f.Value = bytes.Trim(line, " \t")
		return
	}
	start := cap(h.raw) - cap(f.Value)
	end := cap(h.raw) - cap(line) + len(line)
	f.Value = bytes.TrimRight(h.raw[start:end], " \t")
}

// cutLine cuts off one line without its line break. line is nil at the end of b.
func cutLine(b []byte, flaws *headerFlaws) (line, rest []byte) {
	if len(b) == 0 {
		return nil, nil
	}
	i := bytes.IndexByte(b, '\n')
	if i < 0 {
		return b, nil
	}
	line, rest = b[:i], b[i+1:]
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1], rest
	}
	flaws.bareLF = true
	return line, rest
}

// isToken reports whether b is a token of RFC 2616, 2.2, as field names must be.
func isToken(b []byte) bool {
	for _, c := range b {
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`()<>@,;:\"/[]?={}`, c) >= 0 {
			return false
		}
	}
	return len(b) > 0
}
