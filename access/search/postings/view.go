package postings

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrDamaged says that what FTS5 keeps is not as its format has it.
var ErrDamaged = errors.New("the lists of words are damaged, or of an FTS5 that is not known: quire index --rebuild " +
	"makes them again")

// Where in the table of data something is (FTS5_STRUCTURE_ROWID, fts5_dri).
const (
	structureRow    = 10
	segmentShift    = 37
	tombstoneOffset = 1 << 16 // added to the number of a segment: where its deleted rows are
	mainIndex       = "0"     // begins each word of the index that is not one of prefixes
	maxSegments     = 2000    // FTS5_MAX_SEGMENT
)

// View is the index of an FTS5 table as a transaction sees it. It must not be used by two
// goroutines at the same time.
type View struct {
	tx       *sql.Tx
	table    string
	segments []segment
	find     *sql.Stmt // the page on which a word may be
}

// segment is a part of the index: sorted words with their lists, in pages.
type segment struct {
	id, first, last int64
	gone            map[int64]bool // rows that were deleted; nil when none was
}

// Open looks at how the index of a table is made up. The table is one of the caller's own names.
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
	// it is closed with the transaction
	return v, err
}

// data is one record of the table of data.
func (v *View) data(ctx context.Context, id int64) (b []byte, err error) {
	err = v.tx.QueryRowContext(ctx, `SELECT block FROM `+v.table+`_data WHERE id = ?`,
		id).Scan(&b) //nolint:gosec // the table is our own
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("%w: record %d of %s is missing", ErrDamaged, id, v.table)
	}
	return b, err
}

// structure reads which segments there are, and how many pages of deleted rows each has: record 1
// of the format, of tables with contentless_delete (V2).
func (v *View) structure(b []byte) (tombstones []int64, err error) {
	wrong := fmt.Errorf("%w: how %s is made up cannot be read", ErrDamaged, v.table)
	mark := []byte("\xff\x00\x00\x01")
	if len(b) < 8 || !bytes.Equal(b[4:8], mark) {
		return nil, wrong
	}
	r := reader{b: b[8:]}
	levels, all := r.number(), r.number()
	r.number() // how much was ever written
	if levels > maxSegments || all > maxSegments {
		return nil, wrong
	}
	for range levels {
		r.number() // segments that are being merged: until it is done, each list is in the old one or in the new
		for n := r.number(); n > 0 && !r.short; n-- {
			s := segment{id: r.number(), first: r.number(), last: r.number()}
			r.number() // the first and the last writing that it is of
			r.number()
			gone := r.number()
			r.number()                   // of these, how many count
			r.number()                   // rows
			if s.first == 0 || r.short { // all of it is merged
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

// readGone reads which rows of a segment were deleted: record 6 of the format.
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

// reader reads numbers one behind the other.
type reader struct {
	b     []byte
	short bool // there was not what should be
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

// varint reads a number as SQLite writes it: seven bits a byte, the highest first; a ninth byte has
// eight. The size is 0 when it is cut off.
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

// Length is how many words a row has, in all columns, by what the table of sizes has of it
// (docsize): a number for each column.
func Length(sizes []byte) (words int64) {
	for r := (reader{b: sizes}); len(r.b) > 0 && !r.short; {
		words += r.number()
	}
	return max(words, 0)
}
