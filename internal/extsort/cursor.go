package extsort

import "bytes"

// Cursor is a position between the items of a Sorter.
type Cursor struct {
	arena []byte // of items in memory
	items []item // the rest of them
	runs  heads
	begun bool // the first of runs was returned
}

// Next moves behind the next item and returns it; more is false after the last. Key and value are
// valid until the next call.
func (c *Cursor) Next() (key, value []byte, more bool, err error) {
	if len(c.items) > 0 {
		i := c.items[0]
		c.items = c.items[1:]
		return c.arena[i.at:i.key:i.key], c.arena[i.key:i.end:i.end], true, nil
	}
	if c.begun {
		if err := c.runs.advance(); err != nil {
			return nil, nil, false, err
		}
	}
	if c.begun = len(c.runs) > 0; !c.begun {
		return nil, nil, false, nil
	}
	return c.runs[0].key, c.runs[0].value, true, nil
}

func (c *Cursor) each(visit func(key, value []byte) error) error {
	for {
		key, value, more, err := c.Next()
		if err == nil && more {
			err = visit(key, value)
		}
		if err != nil || !more {
			return err
		}
	}
}

// merge visits the items of the runs in the order of the keys; equal keys in the order of the runs.
func merge(runs []*run, visit func(key, value []byte) error) error {
	c, err := mergeOf(runs)
	if err != nil {
		return err
	}
	return c.each(visit)
}

func mergeOf(runs []*run) (*Cursor, error) {
	c := &Cursor{}
	for order, r := range runs {
		place, err := r.cursor(order)
		if err != nil {
			return nil, err
		}
		if !place.done {
			c.runs = append(c.runs, place)
		}
	}
	for i := len(c.runs)/2 - 1; i >= 0; i-- {
		c.runs.sink(i)
	}
	return c, nil
}

// heads is a heap of the runs that have more items, with the smallest key on top. container/heap
// would call a method for each comparison.
type heads []*cursor

// advance moves the run on top to its next item.
func (h *heads) advance() error {
	top := (*h)[0]
	if err := top.next(); err != nil {
		return err
	}
	if top.done {
		last := len(*h) - 1
		(*h)[0] = (*h)[last]
		*h = (*h)[:last]
	}
	h.sink(0)
	return nil
}

// sink moves an entry down to its place.
func (h heads) sink(i int) {
	for {
		least := 2*i + 1
		if least >= len(h) {
			return
		}
		if other := least + 1; other < len(h) && h[other].before(h[least]) {
			least = other
		}
		if !h[least].before(h[i]) {
			return
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}

// before reports whether the item of c comes before that of d.
func (c *cursor) before(d *cursor) bool {
	if c.head != d.head {
		return c.head < d.head
	}
	if order := bytes.Compare(c.key, d.key); order != 0 {
		return order < 0
	}
	return c.order < d.order
}
