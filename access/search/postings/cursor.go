package postings

import (
	"context"
	"errors"
)

// Cursor goes through the rows that have a word, ascending.
type Cursor struct {
	Row int64
	Raw []byte // where the word is in it, as FTS5 writes it: for [Place]; until the next call of Next

	lists []*list // those that are not at their end
	now   int     // the one that Row is of; -1 before the first
	err   error
}

// Word finds a word, as the tokenizer writes it.
func (v *View) Word(ctx context.Context, word string) (*Cursor, error) {
	c := &Cursor{now: -1}
	for i := range v.segments {
		l, err := v.open(ctx, &v.segments[i], word)
		if l != nil {
			c.lists = append(c.lists, l)
		}
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
	}
	for i := len(c.lists) - 1; i >= 0; i-- {
		c.step(i)
	}
	if c.err != nil {
		return nil, errors.Join(c.err, c.Close())
	}
	return c, nil
}

// step goes on in one list, and drops it at its end.
func (c *Cursor) step(i int) {
	l := c.lists[i]
	ok, err := l.next()
	if !ok {
		c.err = errors.Join(c.err, err, l.rows.Close())
		c.lists = append(c.lists[:i], c.lists[i+1:]...)
	}
}

// Next goes to the next row; false behind the last, and when something is wrong, which Close tells.
func (c *Cursor) Next() bool {
	if c.now >= 0 {
		c.step(c.now)
	}
	if c.err != nil || len(c.lists) == 0 {
		c.now = -1
		return false
	}
	c.now = 0
	for i, l := range c.lists {
		if l.row < c.lists[c.now].row {
			c.now = i
		}
	}
	c.Row, c.Raw = c.lists[c.now].row, c.lists[c.now].places
	return true
}

// Close ends it, and tells what went wrong.
func (c *Cursor) Close() error {
	for _, l := range c.lists {
		c.err = errors.Join(c.err, l.rows.Close())
	}
	c.lists = nil
	return c.err
}

// Place is where a word is in a row: the column in its upper half, in the lower the number of the word in the column, from 0.
type Place int64

// Column is that of a place.
func (p Place) Column() int { return int(p >> 32) }

// Places reads all places of a row into a list that may be used again. What is cut off is left out.
func Places(into []Place, raw []byte) []Place {
	const newColumn, least = 1, 2
	var at Place
	for len(raw) > 0 {
		n, size := varint(raw)
		if size == 0 {
			break
		}
		raw = raw[size:]
		if n == newColumn {
			column, size := varint(raw)
			if size == 0 {
				break
			}
			raw, at = raw[size:], Place(column)<<32
			continue
		}
		at += Place(n - least)
		into = append(into, at)
	}
	return into
}

// Count adds to the numbers of the columns how often a word is in each. What is cut off is left out.
func Count(columns []int, raw []byte) {
	const newColumn = 1
	at := 0
	for len(raw) > 0 {
		n, size := varint(raw)
		if size == 0 {
			return
		}
		raw = raw[size:]
		if n == newColumn {
			column, size := varint(raw)
			if size == 0 || column < 0 {
				return
			}
			raw, at = raw[size:], int(min(column, 1<<16))
			continue
		}
		if at < len(columns) {
			columns[at]++
		}
	}
}
