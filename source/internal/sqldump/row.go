package sqldump

import (
	"fmt"
	"slices"
	"strings"
)

// Row is one row of a table.
type Row struct {
	Table   string   // lower case, without the schema
	Columns []string // lower case; nil when neither the statement nor a CREATE TABLE before it names them
	Values  []Value
	Number  int64 // among the rows of its table in this dump, from 1
	Line    int64 // on which it begins, from 1
	Offset  int64 // of its first byte in the dump
}

// Value is one value of a row.
type Value struct {
	Text       string // of a literal its content; of anything else what stands in the dump
	Null       bool
	Expression bool // a call, a number, a word: Text is as it stands in the dump
	Cut        bool // only the beginning was kept
}

// Lookup gives the value of a column, and whether the row has one. A nil Row has none.
func (r *Row) Lookup(column string) (Value, bool) {
	if r == nil {
		return Value{}, false
	}
	i := slices.Index(r.Columns, column)
	if i < 0 || i >= len(r.Values) {
		return Value{}, false
	}
	return r.Values[i], true
}

// Get gives the text of a column; "" when it is NULL or not there.
func (r *Row) Get(column string) string {
	v, _ := r.Lookup(column)
	if v.Null {
		return ""
	}
	return v.Text
}

// Place names the row, for evidence.
func (r *Row) Place(file string) string {
	return fmt.Sprintf("row %d of table %s in %s", r.Number, strings.ToUpper(r.Table), file)
}
