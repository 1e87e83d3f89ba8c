package postings

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrDamaged reports that the FTS5 data do not have the expected format.
var ErrDamaged = errors.New("the word lists are damaged, or of an unknown FTS5 version: rebuild the " +
	"index with quire index --rebuild")

// Row IDs in the data table (FTS5_STRUCTURE_ROWID, fts5_dri).
const (
	structureRow    = 10
	segmentShift    = 37
	tombstoneOffset = 1 << 16 // added to a segment number: its deleted rows
	mainIndex       = "0"     // prefix of words in the main index, not the prefix indexes
	maxSegments     = 2000    // FTS5_MAX_SEGMENT
)

// View is the index of an FTS5 table in a transaction. It is not safe for concurrent use.
type View struct {
	tx       *sql.Tx
	table    string
	segments []segment
	find     *sql.Stmt // finds the page that may contain a word
	pages    *sql.Stmt // reads pages for Words; nil before its first call
}

// segment is a part of the index: sorted words with their lists, in pages.
type segment struct {
	id, first, last int64
	gone            map[int64]bool // deleted rows; nil for none
}

// Open reads the structure of a table's index. The table name must come from the caller's code.
func Open(ctx context.Context, tx *sql.Tx, table string) (*View, error) {
	v := &View{tx: tx, table: table}
	b, err := v.data(ctx, structureRow)
	if err != nil {
		return nil, err
	}
	tombstones, err := v.structure(b)
	if err != nil {
		return nil, err
	}
	for i := range v.segments {
		if err := v.readGone(ctx, &v.segments[i], tombstones[i]); err != nil {
			return nil, err
		}
	}
	v.find, err = tx.PrepareContext(ctx,
		`SELECT pgno FROM `+table+
			`_idx WHERE segid = ? AND term <= ? ORDER BY term DESC LIMIT 1`) //nolint:gosec // the table is the caller's own
	// closed with the transaction
	return v, err
}

// data returns one record of the data table.
func (v *View) data(ctx context.Context, id int64) (b []byte, err error) {
	err = v.tx.QueryRowContext(ctx, `SELECT block FROM `+v.table+`_data WHERE id = ?`,
		id).Scan(&b) //nolint:gosec // the table is our own
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("%w: record %d of %s is missing", ErrDamaged, id, v.table)
	}
	return b, err
}

// structure reads the list of segments, and the number of tombstone pages of each: record 1 of the
// format, of tables with contentless_delete (V2).
func (v *View) structure(b []byte) (tombstones []int64, err error) {
	wrong := fmt.Errorf("%w: the structure of %s cannot be read", ErrDamaged, v.table)
	mark := []byte("\xff\x00\x00\x01")
	if len(b) < 8 || !bytes.Equal(b[4:8], mark) {
		return nil, wrong
	}
	r := reader{b: b[8:]}
	levels, all := r.number(), r.number()
	r.number() // write counter
	if levels > maxSegments || all > maxSegments {
		return nil, wrong
	}
	for range levels {
		r.number() // segments being merged: until the end, each list is in the old or the new one
		for n := r.number(); n > 0 && !r.short; n-- {
			s := segment{id: r.number(), first: r.number(), last: r.number()}
			r.number() // first and last write of the segment
			r.number()
			gone := r.number()
			r.number()                   // entries that count
			r.number()                   // rows
			if s.first == 0 || r.short { // completely merged
				continue
			}
			if s.last < s.first || s.last >= 1<<31 || s.id >= 1<<16 || gone > 1<<31 {
				return nil, wrong
			}
			v.segments, tombstones = append(v.segments, s), append(tombstones, gone)
		}
	}
	if r.short {
		return nil, wrong
	}
	return tombstones, nil
}

// readGone reads the deleted rows of a segment: record 6 of the format.
func (v *View) readGone(ctx context.Context, s *segment, pages int64) error {
	for p := range pages {
		b, err := v.data(ctx, (s.id+tombstoneOffset)<<segmentShift+p)
		if err != nil {
			return err
		}
		const head = 8
		if len(b) < head || b[0] != 4 && b[0] != 8 {
			return fmt.Errorf("%w: deleted rows of %s", ErrDamaged, v.table)
		}
		if s.gone == nil {
			s.gone = map[int64]bool{}
		}
		for at := head; at+int(b[0]) <= len(b); at += int(b[0]) {
			row := int64(binary.BigEndian.Uint32(b[at:]))
			if b[0] == 8 {
				row = int64(binary.BigEndian.Uint64(b[at:])) //nolint:gosec // as it was written
			}
			if row != 0 {
				s.gone[row] = true
			}
		}
		if b[1] != 0 {
			s.gone[0] = true
		}
	}
	return nil
}

// reader decodes consecutive numbers.
type reader struct {
	b     []byte
	short bool // the data ended early
}

func (r *reader) number() int64 {
	n, size := varint(r.b)
	if size == 0 {
		r.short = true
		return 0
	}
	r.b = r.b[size:]
	return n
}

// varint decodes an SQLite varint: seven bits per byte, the highest first; a ninth byte has eight.
// The size is 0 if it is truncated.
func varint(b []byte) (n int64, size int) {
	if len(b) > 0 && b[0] < 0x80 {
		return int64(b[0]), 1
	}
	const longest = 9
	var u uint64
	for i, c := range b[:min(len(b), longest)] {
		if i == longest-1 {
			return int64(u<<8 | uint64(c)), longest //nolint:gosec // as it was written
		}
		u = u<<7 | uint64(c&0x7f)
		if c < 0x80 {
			return int64(u), i + 1 //nolint:gosec // 56 bits at most
		}
	}
	return 0, 0
}

// Length returns the number of words of a row in its first columns, from its docsize record: a number
// for each column.
func Length(sizes []byte, columns int) (words int64) {
	for r := (reader{b: sizes}); columns > 0 && len(r.b) > 0 && !r.short; columns-- {
		words += r.number()
	}
	return max(words, 0)
}
