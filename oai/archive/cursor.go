package archive

import (
	"errors"
	"sort"
)

// cursor iterates over a batch in the order of identifiers.
type cursor struct {
	*lister
	batch   listedBatch
	some    int     // number of entries read at a time
	last    int64   // ordinal of the last entry read
	entries []entry // read but not returned yet
	at      *entry  // nil at the end
}

// start moves the cursor to the first entry after an identifier.
func (c *cursor) start(identifier string) error {
	if identifier == "" {
		return nil
	}
	var failed error
	c.last = int64(sort.Search(int(c.batch.n), func(i int) bool { // number of entries up to the identifier
		var there string
		err := c.tx.QueryRowContext(c.ctx,
			"SELECT r.identifier FROM listed l CROSS JOIN record r ON r.id = l.record WHERE l.batch = ? AND "+
				"l.ordinal = ?",
			c.batch.id, i+1).Scan(&there)
		failed = errors.Join(failed, err)
		return there > identifier
	}))
	return failed
}

// next moves to the next entry.
func (c *cursor) next() error {
	if len(c.entries) == 0 {
		if err := c.read(); err != nil {
			return err
		}
	}
	if c.at = nil; len(c.entries) > 0 {
		c.at, c.entries = &c.entries[0], c.entries[1:]
	}
	return nil
}

// read reads some entries.
func (c *cursor) read() error {
	query,
		args := "SELECT l.ordinal, r.identifier, r.mime, r.host, r.year FROM listed l CROSS JOIN record r ON r.id = "+
		"l.record WHERE l.batch = ?1 AND l.ordinal > ?2"+
		c.sel.filter+" ORDER BY l.ordinal LIMIT ?3", []any{c.batch.id, c.last, c.some}
	if c.sel.rows {
		query,
			args = `SELECT m.ordinal, r.identifier, r.mime, r.host, r.year FROM member m CROSS JOIN listed l `+
			`ON l.batch = m.batch AND l.ordinal = m.ordinal
			CROSS JOIN record r ON r.id = l.record WHERE m.spec = ?4 AND m.batch = ?1 AND m.ordinal > ?2 `+
			`ORDER BY m.ordinal LIMIT ?3`, append(args, c.sel.spec)
	}
	entries := make([]entry, 0, c.some)
	err := each(c.ctx, c.tx, func(scan func(...any) error) error {
		var e entry
		err := scan(&e.ordinal, &e.identifier, &e.sets[0], &e.sets[1], &e.sets[2])
		entries = append(entries, e)
		return err
	}, query, args...)
	if len(entries) > 0 {
		c.last = entries[len(entries)-1].ordinal
	}
	c.entries = entries
	return err
}

// cursors is a heap of cursors over the batches of one datestamp. The one with the first identifier
// is on top.
type cursors []*cursor

func (c cursors) Len() int           { return len(c) }
func (c cursors) Less(i, j int) bool { return c[i].at.identifier < c[j].at.identifier }
func (c cursors) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }

// Push implements heap.Interface.
func (c *cursors) Push(x any) { *c = append(*c, x.(*cursor)) } // only *cursor is pushed

// Pop implements heap.Interface.
func (c *cursors) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}
