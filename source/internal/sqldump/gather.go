package sqldump

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"quire/format/fault"
)

// Key selects the rows of a table that have this value in a column.
type Key struct{ Table, Column, Value string }

// Relation leads from the rows of one table to related rows of another table. If a row of Table has
// a value in Column, the rows of To with the same value in ToColumn belong to it.
type Relation struct{ Table, Column, To, ToColumn string }

// Limits of gathering.
const (
	maxGathered = 128 << 20 // bytes
	maxFaults   = 100
	maxPasses   = 12
)

// Database holds the gathered rows, in the order of the dump.
type Database struct {
	Faults []fault.Fault // of the first pass; the list is bounded
	tables map[string][]*Row
}

// Gather returns the rows that keys select, and all rows that relations reach from them. The tables
// of a dump are in any order, so the dump is read again as long as a pass finds new rows: some five
// times. The function open opens it each time. The function see is called once for every row of the
// dump; it may be nil.
func Gather(ctx context.Context, open func() (io.ReadCloser, error), keys []Key, relations []Relation,
	see func(*Row)) (*Database, error) {
	g := gathering{db: &Database{tables: map[string][]*Row{}}, relations: relations, wanted: map[Key]bool{},
		seen: map[string]map[int64]bool{}, columns: map[string][]string{}}
	for _, k := range keys {
		g.want(k)
	}
	for pass := 0; g.more && pass < maxPasses; pass++ {
		g.more = false
		if err := g.pass(ctx, open, pass == 0, see); err != nil {
			return nil, err
		}
	}
	for _, rows := range g.db.tables {
		slices.SortFunc(rows, func(a, b *Row) int { return int(a.Number - b.Number) })
	}
	return g.db, nil
}

type gathering struct {
	db        *Database
	relations []Relation
	wanted    map[Key]bool
	columns   map[string][]string // of each table, those that keys use
	seen      map[string]map[int64]bool
	size      int
	more      bool // this pass added keys
}

func (g *gathering) want(k Key) {
	if k.Value == "" || g.wanted[k] {
		return
	}
	g.wanted[k], g.more = true, true
	if !slices.Contains(g.columns[k.Table], k.Column) {
		g.columns[k.Table] = append(g.columns[k.Table], k.Column)
	}
}

func (g *gathering) pass(ctx context.Context, open func() (io.ReadCloser, error), first bool,
	see func(*Row)) (err error) {
	in, err := open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	r := NewReader(in)
	if first {
		r.Report = g.fault
	}
	if !first || see == nil {
		r.Want = func(table string) bool { return g.columns[table] != nil }
	}
	for n := 0; ; n++ {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if n%1000 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if first && see != nil {
			see(row)
		}
		g.take(row)
	}
}

func (g *gathering) fault(f fault.Fault) {
	switch n := len(g.db.Faults); {
	case n < maxFaults:
		g.db.Faults = append(g.db.Faults, f)
	case n == maxFaults:
		g.db.Faults = append(g.db.Faults,
			fault.Fault{Code: f.Code, Offset: f.Offset, Detail: "there are more faults than are listed"})
	}
}

// take keeps a wanted row, and adds keys for the rows related to it.
func (g *gathering) take(row *Row) {
	if g.seen[row.Table][row.Number] || !g.isWanted(row) {
		return
	}
	for _, v := range row.Values {
		g.size += len(v.Text) + 64
	}
	if g.size > maxGathered {
		g.fault(fault.Fault{Code: FaultLarge, Offset: row.Offset,
			Detail: fmt.Sprintf("the rows of the harvests exceed the limit; some of %s and others are "+
				"ignored", row.Table)})
		g.size = maxGathered
		return
	}
	if g.seen[row.Table] == nil {
		g.seen[row.Table] = map[int64]bool{}
	}
	g.seen[row.Table][row.Number] = true
	g.db.tables[row.Table] = append(g.db.tables[row.Table], row)
	for _, rel := range g.relations {
		if rel.Table == row.Table {
			g.want(Key{rel.To, rel.ToColumn, row.Get(rel.Column)})
		}
	}
}

func (g *gathering) isWanted(row *Row) bool {
	for _, c := range g.columns[row.Table] {
		if g.wanted[Key{row.Table, c, row.Get(c)}] {
			return true
		}
	}
	return false
}

// Where returns the rows of a table with a value in a column, in the order of the dump.
func (db *Database) Where(table, column, value string) []*Row {
	var all []*Row
	for _, row := range db.tables[table] {
		if value != "" && row.Get(column) == value {
			all = append(all, row)
		}
	}
	return all
}

// One returns the first of those rows, or nil. A nil Row has no values.
func (db *Database) One(table, column, value string) *Row {
	if rows := db.Where(table, column, value); len(rows) > 0 {
		return rows[0]
	}
	return nil
}
