package sqldump

import (
	"bytes"
	"slices"
	"strings"
)

// insert reads INSERT INTO table (columns) VALUES, up to the first row.
func (r *Reader) insert(at int64) {
	in := insert{}
	for {
		r.space()
		if !isWord(r.peek(0)) {
			r.finish()
			return
		}
		word := strings.ToLower(r.word())
		if word == "into" {
			break
		}
		in.all = in.all || word == "all" || word == "first"
	}
	if r.into(&in) {
		r.current = &in
		return
	}
	if r.peek(0) == end {
		r.fault(FaultTorn, at, "the dump ends within a statement")
	}
	r.finish() // INSERT … SELECT, INSERT … SET: without rows
}

// into reads table, columns and VALUES, and reports whether rows follow.
func (r *Reader) into(in *insert) bool {
	r.space()
	in.table = r.path()
	in.columns = nil
	if r.peek(0) == '(' {
		in.columns = r.names()
	}
	for {
		r.space()
		switch word := strings.ToLower(r.word()); word {
		case "values", "value":
			if in.columns == nil {
				in.columns = r.columns[in.table]
			}
			return in.table != ""
		case "overriding", "system", "user": // a "value" that follows does not start rows
			if word != "overriding" {
				r.space()
				r.word()
			}
		default:
			return false
		}
	}
}

// names reads a list of columns in brackets.
func (r *Reader) names() []string {
	r.next()
	var all []string
	for {
		r.space()
		name := strings.ToLower(r.name())
		if name != "" && len(all) < maxColumns {
			all = append(all, name)
		}
		r.space()
		switch c := r.peek(0); {
		case c == ')':
			r.next()
			return all
		case c == ',':
			r.next()
		case name == "":
			return all
		}
	}
}

// inserted reads the next row and the text after it.
func (r *Reader) inserted() *Row {
	in := r.current
	r.space()
	at := r.offset
	if r.peek(0) != '(' {
		r.recover(at, "a row does not begin with a bracket")
		return nil
	}
	row := r.begin(in)
	r.next()
	if !r.tuple(row) {
		r.recover(at, "a row is incomplete")
		return nil
	}
	r.behind(in, at)
	return r.given(row)
}

// begin starts a row with the facts known before its values. It sets the table name only if the row
// is wanted.
func (r *Reader) begin(in *insert) *Row {
	r.numbers[in.table]++
	row := &Row{Columns: in.columns, Number: r.numbers[in.table], Line: r.line, Offset: r.offset}
	if r.Want == nil || r.Want(in.table) {
		row.Table = in.table
	}
	return row
}

// given returns the row if it is wanted.
func (r *Reader) given(row *Row) *Row {
	if row.Table == "" {
		return nil
	}
	if row.Columns != nil && len(row.Columns) != len(row.Values) {
		r.fault(FaultStatement, row.Offset, "a row of %s has %d values for %d columns", row.Table, len(row.Values),
			len(row.Columns))
	}
	return row
}

// behind reads the text after a row: the next row, or the end of the statement.
func (r *Reader) behind(in *insert, at int64) {
	r.space()
	c := r.peek(0)
	switch {
	case c == ',':
		r.next()
		r.space()
		return
	case in.all && r.looking("into"):
		r.word()
		next := insert{all: true}
		if r.into(&next) {
			r.current = &next
			return
		}
	case r.looking(r.delimiter) || isWord(c): // ON CONFLICT, RETURNING, SELECT * FROM dual
	case c == '/' && r.fresh || c == end: // sqlplus, and the last statement of a script
	default:
		r.recover(at, "a row is followed by unknown text")
		return
	}
	r.current = nil
	r.finish()
}

// tuple reads the values of a row and the closing bracket.
func (r *Reader) tuple(row *Row) bool {
	size := 0
	for {
		room := size < maxRow
		v, last, ok := r.value(row.Table != "" && room)
		if !ok {
			return false
		}
		size += len(v.Text)
		v.Cut = v.Cut || row.Table != "" && !room
		if row.Table != "" && len(row.Values) < maxColumns {
			row.Values = append(row.Values, v)
		}
		if v.Cut {
			r.fault(FaultLarge, row.Offset, "a value of %s, or its row, exceeds the limit", row.Table)
		}
		if last == ')' {
			return true
		}
	}
}

// value reads one value, including the comma or bracket after it.
func (r *Reader) value(wanted bool) (v Value, last int, ok bool) {
	k := keeper{wanted: wanted}
	strings, brackets := 0, 0
	r.space()
	for {
		c := r.peek(0)
		switch {
		case c == end || c == ';' && r.delimiter == ";":
			return v, c, false
		case (c == ',' || c == ')') && brackets == 0:
			r.next()
			return k.value(strings), c, true
		case c == '(':
			brackets++
		case c == ')':
			brackets--
		}
		q, is := r.quotation()
		if is {
			strings++
			if !k.string(r.scanner, q) {
				return v, end, false
			}
			continue
		}
		k.other(r.scanner)
	}
}

// keeper collects a value: the content of its string, and its complete text in the dump.
type keeper struct {
	wanted    bool
	cut       bool
	content   []byte // of the first string
	raw       []byte
	rawBefore int // bytes of raw before the first string, or -1
	rawBehind int
	seen      bool
}

func (k *keeper) add(to *[]byte, b ...byte) {
	switch {
	case !k.wanted:
	case len(*to)+len(b) > maxValue:
		k.cut = true
	default:
		*to = append(*to, b...)
	}
}

// string reads a string. A second one makes the value an expression.
func (k *keeper) string(s *scanner, q quote) bool {
	first := !k.seen
	if first {
		k.seen, k.rawBefore = true, len(bytes.TrimSpace(k.raw))
	}
	k.add(&k.raw, '\'')
	whole := s.text(q, func(b byte) {
		if first {
			k.add(&k.content, b)
		}
		k.add(&k.raw, b)
		if b == '\'' {
			k.add(&k.raw, b)
		}
	})
	k.add(&k.raw, '\'')
	if first {
		k.rawBehind = len(k.raw)
	}
	return whole
}

// other reads a word, or one byte of other text.
func (k *keeper) other(s *scanner) {
	c := s.peek(0)
	switch {
	case isWord(c):
		k.add(&k.raw, []byte(s.word())...)
	case c == '-' && s.peek(1) == '-' || c == '/' && s.peek(1) == '*':
		s.space()
	default:
		k.add(&k.raw, byte(s.next()))
	}
}

// value returns the collected value. One string, possibly with a cast after it, is a literal.
func (k *keeper) value(strings int) Value {
	raw := bytes.TrimSpace(k.raw)
	if strings == 1 && (k.rawBefore == 0 ||
		slices.Contains(introducers, string(bytes.ToLower(bytes.TrimSpace(k.raw[:k.rawBefore]))))) {
		behind := bytes.TrimSpace(k.raw[min(k.rawBehind, len(k.raw)):])
		if len(behind) == 0 || bytes.HasPrefix(behind, []byte("::")) {
			return Value{Text: string(k.content), Cut: k.cut}
		}
	}
	if strings == 0 && bytes.EqualFold(raw, []byte("null")) {
		return Value{Null: true}
	}
	return Value{Text: string(raw), Expression: true, Cut: k.cut}
}

// introducers may precede a string without changing it.
var introducers = []string{"_utf8", "_utf8mb4", "_latin1", "_binary", "timestamp", "date"}
