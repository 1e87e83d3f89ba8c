package sqldump

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"quire/format/fault"
)

// Codes of faults in a dump.
const (
	FaultStatement fault.Code = "SQL-STATEMENT" // an unreadable statement; reading continues at the next one
	FaultTorn      fault.Code = "SQL-TORN"      // the dump ends within a statement
	FaultLarge     fault.Code = "SQL-LARGE"     // a value, a row, or the number of tables or columns exceeds the limit
)

// Limits of reading.
const (
	maxValue   = 1 << 20 // bytes of one value
	maxRow     = 16 << 20
	maxColumns = 4096
	maxTables  = 10_000
)

// Reader reads the rows of a dump, one after another.
type Reader struct {
	// Report is called for unreadable parts; it may be nil.
	Report fault.Sink
	// Want selects the tables with rows to return; nil means all. The rows of other tables are only
	// counted.
	Want func(table string) bool

	*scanner
	columns   map[string][]string // of each table, from CREATE TABLE
	numbers   map[string]int64    // rows of each table so far
	delimiter string              // that ends a statement
	current   *insert             // the statement of the current rows
	full      bool
}

// insert is a statement with rows.
type insert struct {
	table   string
	columns []string
	copying bool
	all     bool // INSERT ALL, the row of another table may follow
}

// NewReader returns a reader of the dump in r.
func NewReader(r io.Reader) *Reader {
	return &Reader{scanner: newScanner(r), columns: map[string][]string{}, numbers: map[string]int64{}, delimiter: ";"}
}

// Next returns the next row. After the last row the error is io.EOF; any other error comes from the
// file.
func (r *Reader) Next() (*Row, error) {
	for {
		row := r.step()
		switch {
		case r.err != nil:
			return nil, fmt.Errorf("at byte %d: %w", r.offset, r.err)
		case row != nil:
			return row, nil
		case r.current == nil && r.peek(0) == end:
			return nil, r.ended()
		}
	}
}

func (r *Reader) ended() error {
	if r.err != nil {
		return fmt.Errorf("at byte %d: %w", r.offset, r.err)
	}
	return io.EOF
}

// step reads a row, or a statement without rows.
func (r *Reader) step() *Row {
	switch {
	case r.current == nil:
		r.statement()
		return nil
	case r.current.copying:
		return r.copied()
	}
	return r.inserted()
}

func (r *Reader) fault(code fault.Code, at int64, format string, args ...any) {
	r.Report.Add(fault.Fault{Code: code, Offset: at,
		Detail: fmt.Sprintf("line %d: ", r.line) + fmt.Sprintf(format, args...)})
}

// lineCommands are commands of the clients sqlplus, mysql and psql that end with their line.
var lineCommands = []string{"rem", "remark", "prompt", "spool", "whenever", "connect", "exit", "quit", "go", "set"}

// statement reads the beginning of a statement, or all of a statement without rows.
func (r *Reader) statement() {
	r.space()
	c := r.peek(0)
	switch {
	case c == end:
		return
	case c == '\\' || c == '@' || c == '/' && r.fresh: // psql, sqlplus
		r.lineEnd()
		return
	case r.looking(r.delimiter):
		r.drop(len(r.delimiter))
		return
	case !isWord(c):
		r.next()
		r.finish()
		return
	}
	at := r.offset
	word := strings.ToLower(r.word())
	switch {
	case word == "insert" || word == "replace":
		r.insert(at)
	case word == "copy":
		r.copy(at)
	case word == "create":
		r.create(at)
	case word == "delimiter":
		r.setDelimiter()
	case word == "declare" || word == "begin" && r.isBlock():
		r.block()
	case word == "set":
		r.setting()
	case slices.Contains(lineCommands, word):
		r.lineEnd()
	default:
		r.finish()
	}
}

// setDelimiter reads the delimiter command of the mysql client.
func (r *Reader) setDelimiter() {
	var b []byte
	for c := r.next(); c != '\n' && c != end; c = r.next() {
		if len(b) < 16 {
			b = append(b, byte(c))
		}
	}
	r.delimiter = ";"
	if d := strings.TrimSpace(string(b)); d != "" {
		r.delimiter = d
	}
}

// setting skips a setting, which ends with its line in sqlplus and with a semicolon in SQL.
func (r *Reader) setting() {
	r.space()
	name := strings.ToLower(r.word())
	for c := r.next(); c != '\n' && c != ';' && c != end; c = r.next() {
		if name == "standard_conforming_strings" && c == 'o' {
			r.backslash = r.looking("ff")
			r.postgres = r.backslash
		}
	}
}

// isBlock reports whether BEGIN starts the block of a program, with its own statements, and not a
// transaction.
func (r *Reader) isBlock() bool {
	r.space()
	if r.peek(0) == ';' {
		return false
	}
	return !r.looking("transaction") && !r.looking("work") && !r.looking("isolation") && !r.looking("immediate")
}

// block skips a program. It ends at a line with only "/" (sqlplus), at an END at the start of a
// line, or at a changed delimiter.
func (r *Reader) block() {
	for c := r.peek(0); c != end; c = r.peek(0) {
		switch {
		case r.delimiter != ";" && r.looking(r.delimiter):
			r.drop(len(r.delimiter))
			return
		case r.delimiter == ";" && r.fresh && c == '/' && (r.peek(1) == '\n' || r.peek(1) == '\r' || r.peek(1) == end):
			r.lineEnd()
			return
		case r.delimiter == ";" && r.fresh && r.looking("end") && r.endsHere():
			return
		}
		r.pass()
	}
}

// endsHere skips "END" or "END name", and reports whether a semicolon follows.
func (r *Reader) endsHere() bool {
	r.drop(len("end"))
	if isWord(r.peek(0)) {
		return false
	}
	r.space()
	switch strings.ToLower(r.name()) {
	case "if", "loop", "case", "while", "repeat":
		return false
	}
	r.space()
	return r.next() == ';'
}

// pass skips one byte, string, quoted name, or comment.
func (r *Reader) pass() {
	c := r.peek(0)
	switch {
	case c == '-' && r.peek(1) == '-' || c == '/' && r.peek(1) == '*':
		r.space()
	case c == '"' || c == '`':
		r.name()
	case isWord(c) || c == '\'':
		if q, is := r.quotation(); is {
			r.text(q, func(byte) {})
			return
		}
		r.word()
	default:
		r.next()
	}
}

// finish skips the rest of a statement.
func (r *Reader) finish() {
	for c := r.peek(0); c != end; c = r.peek(0) {
		if r.looking(r.delimiter) {
			r.drop(len(r.delimiter))
			return
		}
		r.pass()
	}
}

// beginnings identify the next statement after an unreadable one.
var beginnings = []string{"insert into ", "replace into ", "copy ", "create table ", "create ", "alter table ", "-- "}

// recover skips the statement, up to a line that begins a statement.
func (r *Reader) recover(at int64, problem string) {
	r.current = nil
	if r.peek(0) == end {
		r.fault(FaultTorn, at, "the dump ends within a statement")
		return
	}
	r.fault(FaultStatement, at, "%s", problem)
	for r.peek(0) != end {
		r.lineEnd()
		if slices.ContainsFunc(beginnings, r.looking) {
			return
		}
	}
}
