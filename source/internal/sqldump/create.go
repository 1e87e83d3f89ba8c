package sqldump

import (
	"slices"
	"strings"
)

// programs are objects of CREATE that contain statements.
var programs = []string{"trigger", "procedure", "function", "package", "event"}

// create reads CREATE TABLE for its columns, and skips all other objects.
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

// program skips a function or trigger. Its body is a string in PostgreSQL; elsewhere it is a block.
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

// notColumns are the first words of entries in a table definition that are not columns.
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
				r.fault(FaultLarge, at, "the table %s has too many columns; some are ignored", name)
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
			r.fault(FaultLarge, at, "the dump has too many tables; some are ignored")
		}
		return
	}
	r.columns[name] = columns
}

// toComma skips the rest of a column definition, and reports whether another follows.
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
