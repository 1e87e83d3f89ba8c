package sqldump

import (
	"slices"
	"strings"
)

// programs are what CREATE makes that has statements of its own within.
var programs = []string{"trigger", "procedure", "function", "package", "event"}

// create reads CREATE TABLE for its columns, and passes over everything else that is created.
func (r *Reader) create(at int64) {
	for range 12 { // OR REPLACE, DEFINER = `wct`@`localhost`, GLOBAL TEMPORARY, UNLOGGED, IF NOT EXISTS …
		r.space()
		c := r.peek(0)
		if !isWord(c) && c != '=' && c != '@' && c != '`' {
			break
		}
		if !isWord(c) {
			r.pass()
			continue
		}
		word := strings.ToLower(r.word())
		switch {
		case word == "table":
			r.table(at)
			r.finish()
			return
		case slices.Contains(programs, word):
			r.program()
			return
		case word == "view" || word == "index":
			r.finish()
			return
		}
	}
	r.finish()
}

// program passes over a function or trigger. Its body is a string in PostgreSQL; elsewhere it is a
// block.
func (r *Reader) program() {
	for c := r.peek(0); c != end; c = r.peek(0) {
		switch {
		case r.looking(r.delimiter):
			r.drop(len(r.delimiter))
			return
		case isWord(c):
			if _, is := r.quotation(); !is {
				if strings.EqualFold(r.word(), "begin") {
					r.block()
					return
				}
				continue
			}
		}
		r.pass()
	}
}

// notColumns begin what stands among the columns of a table and is none.
var notColumns = []string{"primary", "constraint", "unique", "key", "index", "foreign", "check", "fulltext", "spatial",
	"exclude", "like", "period"}

// table reads the name and the columns.
func (r *Reader) table(at int64) {
	r.space()
	for r.looking("if not exists") {
		r.drop(len("if not exists"))
		r.space()
	}
	name := r.path()
	if r.peek(0) != '(' || name == "" {
		return
	}
	r.next()
	var columns []string
	for {
		r.space()
		quoted := !isWord(r.peek(0))
		column := strings.ToLower(r.name())
		if column != "" && (quoted || !slices.Contains(notColumns, column)) {
			if len(columns) == maxColumns {
				r.fault(FaultLarge, at, "the table %s has more columns than are kept", name)
				return
			}
			columns = append(columns, column)
		}
		if !r.toComma() {
			break
		}
	}
	if _, known := r.columns[name]; !known && len(r.columns) >= maxTables {
		if !r.full {
			r.full = true
			r.fault(FaultLarge, at, "the dump has more tables than are kept")
		}
		return
	}
	r.columns[name] = columns
}

// toComma passes over the rest of what says of a column, and says whether another follows.
func (r *Reader) toComma() bool {
	brackets := 0
	for {
		switch c := r.peek(0); {
		case c == end:
			return false
		case brackets == 0 && c == ',':
			r.next()
			return true
		case brackets == 0 && c == ')':
			r.next()
			return false
		case c == '(':
			brackets++
		case c == ')':
			brackets--
		}
		r.pass()
	}
}
