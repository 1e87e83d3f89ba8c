package postings

import (
	"context"
	"errors"
)

// Each calls visit with each row that contains a word, and its raw positions, valid until visit returns: ascending in
// each segment of the index, so not over all. It costs less than a [Cursor], which merges the segments.
func (v *View) Each(ctx context.Context, word string, visit func(row int64, raw []byte)) error {
	for i := range v.segments {
		l, err := v.open(ctx, &v.segments[i], word)
		if err != nil {
			return err
		}
		if l == nil {
			continue
		}
		for err == nil {
			var ok bool
			if ok, err = l.next(); !ok {
				break
			}
			visit(l.row, l.places)
		}
		if err = errors.Join(err, l.rows.Close()); err != nil {
			return err
		}
	}
	return nil
}

// Count adds the number of occurrences in each column. It ignores a truncated end.
func Count(columns []int, raw []byte) {
	const newColumn = 1
	column, n := 0, 0
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c > newColumn && c < 0x80:
			n++
		case c >= 0x80: // a multi-byte number
			_, size := varint(raw[i:])
			if size == 0 {
				i = len(raw)
				break
			}
			n++
			i += size - 1
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
		default:
			n++
		}
	}
	if column < len(columns) {
		columns[column] += n
	}
}
