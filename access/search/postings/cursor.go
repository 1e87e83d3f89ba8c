package postings

import (
	"context"
	"errors"
)

// Cursor iterates over the rows that contain a word, ascending.
type Cursor struct {
	Row int64
	Raw []byte // positions of the word, in FTS5's encoding: for [Place]; valid until the next call of Next

	lists []*list // lists not at their end
	now   int     // the current one of Row; -1 before the first
	err   error
}

// Word finds a word in the form of the tokenizer.
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

// step advances one list, and drops it at its end.
func (c *Cursor) step(i int) {
	l := c.lists[i]
	if ok, err := l.next(); !ok {
		c.err = errors.Join(c.err, err, l.rows.Close())
		c.lists = append(c.lists[:i], c.lists[i+1:]...)
	}
}

// Next advances to the next row. It returns false after the last, and after an error, which Close
// returns.
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

// Close ends the iteration, and returns its error.
func (c *Cursor) Close() error {
	for _, l := range c.lists {
		c.err = errors.Join(c.err, l.rows.Close())
	}
	c.lists = nil
	return c.err
}

// Place is the position of a word in a row: the upper half is the column, the lower half the index
// of the word in it, from 0.
type Place int64

// Column returns the column of a place.
func (p Place) Column() int { return int(p >> 32) }

// Places decodes all places of a row into a reusable list. It ignores a truncated end.
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
