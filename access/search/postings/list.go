package postings

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
)

// list is the list of a word in one segment. It continues over as many pages as needed: record 3 of
// the format.
type list struct {
	rows   *sql.Rows // the pages
	page   []byte    // a copy: with the driver's bytes, a cancelled query would wait for itself
	at     int       // offset of the next entry in the page
	end    int       // offset of the list's end on the page
	more   bool      // the list may continue on the next page
	row    int64
	base   int64  // base of the next row's delta
	places []byte // positions of the word in the row
	whole  []byte // joined positions from two pages
	gone   map[int64]bool
}

// open finds a word in a segment; nil if it is missing.
func (v *View) open(ctx context.Context, s *segment, word string) (*list, error) {
	term := []byte(mainIndex + word)
	var page int64
	err := v.find.QueryRowContext(ctx, s.id, term).Scan(&page)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, err
	}
	page = max(page>>1, s.first) // the lowest bit is a flag
	if page > s.last {
		return nil, nil
	}
	query := `SELECT block FROM ` + v.table + `_data WHERE id BETWEEN ? AND ? ORDER BY id`
	first, last := s.id<<segmentShift+page, s.id<<segmentShift+s.last
	rows, err := v.tx.QueryContext(ctx, query, first, last) //nolint:gosec,rowserrcheck // our own table; turn checks Err
	if err != nil {
		return nil, err
	}
	l := &list{rows: rows, gone: s.gone}
	found, err := l.find(term)
	if err != nil || !found {
		return nil, errors.Join(err, rows.Close()) //nolint:sqlclosecheck // what is found is closed with its cursor
	}
	return l, nil
}

var errPage = fmt.Errorf("%w: a page", ErrDamaged)

// head is the length of a page header.
const head = 4

// turn reads the next page. ok is false if there is none. The page header has two offsets: the
// offset of the first row, if a row begins before the first word, and the offset of the word list.
func (l *list) turn() (first, words int, ok bool, err error) {
	if !l.rows.Next() {
		return 0, 0, false, l.rows.Err()
	}
	if err := l.rows.Scan(&l.page); err != nil {
		return 0, 0, false, err
	}
	if len(l.page) < head {
		return 0, 0, false, errPage
	}
	first, words = int(binary.BigEndian.Uint16(l.page)), int(binary.BigEndian.Uint16(l.page[2:]))
	if words < head || words > len(l.page) || first >= words && first > 0 || first > 0 && first < head {
		return 0, 0, false, errPage
	}
	return first, words, true, nil
}

// find searches the first page for a word.
func (l *list) find(term []byte) (bool, error) {
	_, words, ok, err := l.turn()
	if err != nil || !ok {
		return false, err
	}
	w := l.words(words)
	for w.next() {
		switch bytes.Compare(w.word, term) {
		case 0:
			l.at, l.end, l.more = w.rows, words, true
			if end, there := w.end(); there {
				l.end, l.more = end, false
			}
			if l.end > words || l.end < l.at {
				return false, errPage
			}
			return true, nil
		case 1:
			return false, nil
		}
	}
	return false, w.err
}

// next advances to the next row; false after the last.
func (l *list) next() (bool, error) {
	for {
		for l.at >= l.end {
			if !l.more {
				return false, nil
			}
			if err := l.goOn(); err != nil {
				return false, err
			}
		}
		step, n := varint(l.page[l.at:l.end])
		size, m := varint(l.page[l.at+n : l.end])
		if n == 0 || m == 0 || size < 0 {
			return false, errPage
		}
		l.base += step
		l.row = l.base
		if from := l.at + n + m; int(size>>1) <= l.end-from {
			l.places, l.at = l.page[from:from+int(size>>1)], from+int(size>>1)
		} else if err := l.goOver(from, int(size>>1)); err != nil {
			return false, err
		}
		if deleted := size&1 == 1; !deleted && len(l.places) > 0 && (l.gone == nil || !l.gone[l.row]) {
			return true, nil
		}
	}
}

// goOn reads the next page. The list may continue or end on this page. The first row of a page is
// stored in full.
func (l *list) goOn() error {
	first, words, ok, err := l.turn()
	if err != nil || !ok {
		l.at, l.end, l.more = 0, 0, false
		return err
	}
	l.base, l.end = 0, words
	if len(l.page) > words { // a new word begins on it: the list ends before the first one
		footer := reader{b: l.page[words:]}
		end := footer.number()
		if footer.short || end < head || end > int64(words) {
			return errPage
		}
		l.end, l.more = int(end), false
	}
	if l.at = first; first == 0 {
		l.at = l.end
	}
	if l.at > l.end {
		return errPage
	}
	return nil
}

// goOver joins the positions of a row that continue on the next pages.
func (l *list) goOver(from, size int) error {
	l.whole = append(l.whole[:0], l.page[from:l.end]...)
	for len(l.whole) < size {
		if !l.more {
			return errPage
		}
		if err := l.goOn(); err != nil {
			return err
		}
		if l.at < head { // there is no next page
			return errPage
		}
		here := l.page[head:l.at] // up to the first row on this page, or the end of the list
		l.whole = append(l.whole, here[:min(len(here), size-len(l.whole))]...)
	}
	l.places = l.whole
	return nil
}
