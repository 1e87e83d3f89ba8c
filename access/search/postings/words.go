package postings

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
)

// Words calls f with the words that begin with a prefix, in no order, and possibly several times. It reads at most
// a number of pages. A word may be one of deleted rows alone. f must not call Words of the same view.
func (v *View) Words(ctx context.Context, prefix string, pages int, f func(word []byte)) error {
	begin := []byte(mainIndex + prefix)
	for i := len(v.segments) - 1; i >= 0 && pages > 0; i-- {
		n, err := v.wordsOf(ctx, &v.segments[i], begin, pages, f)
		if err != nil {
			return err
		}
		pages -= n
	}
	return nil
}

// wordsOf reads the words of one segment. It returns the number of pages read.
func (v *View) wordsOf(ctx context.Context, s *segment, begin []byte, pages int, f func([]byte)) (n int, err error) {
	var page int64
	err = v.find.QueryRowContext(ctx, s.id, begin).Scan(&page)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, err
	}
	page = max(page>>1, s.first)
	if v.pages == nil { // closed with the transaction
		query := `SELECT block FROM ` + v.table + `_data WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?`
		if v.pages, err = v.tx.PrepareContext(ctx, query); err != nil { //nolint:gosec // as in open
			return 0, err
		}
	}
	first, last := s.id<<segmentShift+page, s.id<<segmentShift+s.last
	rows, err := v.pages.QueryContext(ctx, first, last, pages) //nolint:rowserrcheck // turn checks it
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	l := &list{rows: rows}
	for {
		_, words, ok, err := l.turn()
		if err != nil || !ok {
			return n, err
		}
		n++
		more, err := l.words(words, begin, f)
		if err != nil || !more {
			return n, err
		}
	}
}

// words calls f with the words of a page that begin so. It returns false if later pages have none.
func (l *list) words(words int, begin []byte, f func([]byte)) (bool, error) {
	footer := reader{b: l.page[words:]}
	var word []byte
	for at := 0; len(footer.b) > 0; {
		step := footer.number()
		if footer.short || step > int64(words-at) || step < 0 {
			return false, errPage
		}
		entry := reader{b: l.page[at+int(step) : words]}
		same := int64(0)
		if at > 0 {
			same = entry.number()
		}
		at += int(step)
		size := entry.number()
		if entry.short || same > int64(len(word)) || size > int64(len(entry.b)) || same < 0 || size < 0 {
			return false, errPage
		}
		word = append(word[:same], entry.b[:size]...)
		switch {
		case bytes.HasPrefix(word, begin):
			f(word[len(mainIndex):])
		case bytes.Compare(word, begin) > 0:
			return false, nil
		}
	}
	return true, nil
}
