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
	if ok, err := l.next(); !ok {
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
	now, least := 0, c.lists[0].row
	for i, l := range c.lists[1:] {
		if l.row < least {
			now, least = i+1, l.row
		}
	}
	c.now, c.Row, c.Raw = now, least, c.lists[now].places
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

// Place is where a word is in a row: the column in its upper half, in the lower the number of the
// word in the column, from 0.
type Place int64

// Column is that of a place.
func (p Place) Column() int { return int(p >> 32) }

// Places reads all places of a row into a list that may be used again. What is cut off is left out.
func Places(into []Place, raw []byte) []Place {
	const newColumn, least = 1, 2
	var at Place
	for i := 0; i < len(raw); {
		n, size := int64(raw[i]), 1
		if n >= 0x80 {
			if n, size = varint(raw[i:]); size == 0 {
				break
			}
		}
		i += size
		if n == newColumn {
			column, size := varint(raw[i:])
			if size == 0 {
				break
			}
			i, at = i+size, Place(column)<<32
			continue
		}
		at += Place(n - least)
		into = append(into, at)
	}
	return into
}

// Count adds to the numbers of the columns how often a word is in each. What is cut off is left
// out.
func Count(columns []int, raw []byte) {
	const newColumn = 1
	column, n := 0, 0
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == newColumn:
			if column < len(columns) {
				columns[column] += n
			}
			next, size := varint(raw[i+1:])
			if size == 0 || next < 0 {
				return
			}
			column, n = int(min(next, 1<<16)), 0
			i += size
		case c < 0x80:
			n++
		default: // a number of several bytes
			_, size := varint(raw[i:])
			if size == 0 {
				i = len(raw)
				break
			}
			n++
			i += size - 1
		}
	}
	if column < len(columns) {
		columns[column] += n
	}
}
