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
		_, at, ok, err := l.turn()
		if err != nil || !ok {
			return n, err
		}
		n++
		all := l.words(at)
		if more, err := all.beginning(begin, f); err != nil || !more {
			return n, err
		}
	}
}

// words are the words of a page, in order. The list of words at the end of the page has the distance of each from
// the one before. Words after the first are stored without the prefix shared with the word before.
type words struct {
	page   []byte // without the list of words
	footer reader
	at     int // of the word
	word   []byte
	rows   int // the offset of its first row
	err    error
}

// words returns the words of the page. The list of words begins at an offset.
func (l *list) words(list int) words {
	return words{page: l.page[:list], footer: reader{b: l.page[list:]}}
}

// next advances to the next word; false after the last, and after an error.
func (w *words) next() bool {
	if len(w.footer.b) == 0 || w.err != nil {
		return false
	}
	step := w.footer.number()
	if w.footer.short || step > int64(len(w.page)-w.at) || step < 0 {
		w.err = errPage
		return false
	}
	entry := reader{b: w.page[w.at+int(step):]}
	same := int64(0)
	if w.at > 0 {
		same = entry.number()
	}
	w.at += int(step)
	size := entry.number()
	if entry.short || same > int64(len(w.word)) || size > int64(len(entry.b)) || same < 0 || size < 0 {
		w.err = errPage
		return false
	}
	w.word = append(w.word[:same], entry.b[:size]...)
	w.rows = len(w.page) - len(entry.b) + int(size)
	return true
}

// end returns where the rows of the word end, if another word follows on the page. It ends the reading of words.
func (w *words) end() (end int, there bool) {
	if len(w.footer.b) == 0 {
		return 0, false
	}
	return w.at + int(w.footer.number()), true
}

// beginning calls f with the words that begin so. It returns false if later pages have none.
func (w *words) beginning(begin []byte, f func([]byte)) (more bool, err error) {
	for w.next() {
		switch {
		case bytes.HasPrefix(w.word, begin):
			f(w.word[len(mainIndex):])
		case bytes.Compare(w.word, begin) > 0:
			return false, nil
		}
	}
	return w.err == nil, w.err
}
