package sqldump

import (
	"fmt"
	"slices"
	"strings"
)

// Row is one row of a table.
type Row struct {
	Table   string   // lower case, without the schema
	Columns []string // lower case; nil if neither the statement nor an earlier CREATE TABLE names them
	Values  []Value
	Number  int64 // among the rows of its table in this dump, from 1
	Line    int64 // line on which the row begins, from 1
	Offset  int64 // of its first byte in the dump
}

// Value is one value of a row.
type Value struct {
	Text       string // the content of a literal; otherwise the text in the dump
	Null       bool
	Expression bool // a call, a number, a word: Text is the text in the dump
	Cut        bool // only the beginning is kept
}

// Lookup returns the value of a column, and whether the row has one. A nil Row has none.
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

// Get returns the text of a column, or "" if it is NULL or missing.
func (r *Row) Get(column string) string {
	v, _ := r.Lookup(column)
	if v.Null {
		return ""
	}
	return v.Text
}

// Place returns a description of the row's place, for evidence.
func (r *Row) Place(file string) string {
	return fmt.Sprintf("row %d of table %s in %s", r.Number, strings.ToUpper(r.Table), file)
}
