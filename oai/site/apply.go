package site

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"quire/oai/protocol"
)

// row is a resource in the index.
type row struct {
	datestamp int64
	deleted   bool
	mime      string
	year      string // setSpec
	modified  sql.NullInt64
	etag      string
	size      int64
	sha256    []byte
	evidence  string
	checked   int64
}

// querier is a database, a connection or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// get returns the row of a URL, or nil.
func get(ctx context.Context, db querier, url string) (*row, error) {
	return scanRow(db.QueryRowContext(ctx, getQuery, url))
}

const getQuery = "SELECT datestamp, deleted, mime, yearset, modified, etag, size, sha256, evidence, checked FROM " +
	"resource WHERE url = ?"

func scanRow(found *sql.Row) (*row, error) {
	var r row
	err := found.Scan(&r.datestamp, &r.deleted, &r.mime, &r.year, &r.modified, &r.etag, &r.size, &r.sha256, &r.evidence,
		&r.checked)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &r, err
}

// apply stores the results of looks. All changes get the current datestamp while no list is read,
// so that no later answered list lacks them. During the first scan no list exists yet; the
// datestamps are then the server's times of last change.
func (x *index) apply(ctx context.Context, looks []look, first bool) error {
	if len(looks) == 0 {
		return nil
	}
	x.reading.Lock()
	defer x.reading.Unlock()
	now := max(x.now().Unix(), x.latest) // if the clock was set back, the datestamp must still follow the lists
	w := writer{now: now, first: first, members: map[string]int{}}
	err := x.inTx(ctx, func(tx *sql.Tx) error {
		w.tx = tx
		for i := range looks {
			if err := w.put(ctx, &looks[i]); err != nil {
				return err
			}
		}
		return w.count(ctx)
	})
	if err == nil && w.changed {
		x.latest = now
		x.changes++
	}
	return err
}

// writer stores looks within a transaction.
type writer struct {
	tx      *sql.Tx
	now     int64
	first   bool
	changed bool
	members map[string]int // the growth of each set
}

func (w *writer) put(ctx context.Context, l *look) error {
	if l.state == unknown {
		return nil
	}
	old, err := get(ctx, w.tx, l.url)
	switch {
	case err != nil:
		return err
	case l.state == gone:
		if old == nil || old.deleted {
			return nil
		}
		w.changed = true
		_, err = w.tx.ExecContext(ctx,
			"UPDATE resource SET deleted = 1, datestamp = ?, evidence = '', checked = ? WHERE url = ?", w.now, w.now,
			l.url)
		return err
	case old == nil:
		return w.insert(ctx, l)
	case old.deleted || l.changed(old):
		return w.replace(ctx, l, old)
	}
	return w.same(ctx, l, old)
}

func (w *writer) insert(ctx context.Context, l *look) error {
	stamp := w.now
	if w.first && !l.modified.IsZero() {
		stamp = min(stamp, l.modified.Unix())
	}
	s := w.sets(l, 1)
	w.changed = true
	_, err := w.tx.ExecContext(ctx,
		`INSERT INTO resource (url, datestamp, born, mime, mimetop, mimeset, yearset, modified, etag, size, `+
			`sha256, evidence, checked)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		l.url, stamp, stamp, l.mime, s.top, s.mime, s.year, seconds(l.modified), l.etag, l.size, l.sha256, l.evidence,
		l.checked)
	return err
}

func (w *writer) replace(ctx context.Context, l *look, old *row) error {
	w.leave(old)
	s := w.sets(l, 1)
	w.changed = true
	_, err := w.tx.ExecContext(ctx,
		`UPDATE resource SET born = iif(deleted, ?1, born), datestamp = ?1, deleted = 0, mime = ?, mimetop = `+
			`?, mimeset = ?, yearset = ?,
		modified = ?, etag = ?, size = ?, sha256 = ?, evidence = ?, checked = ? WHERE url = ?`,
		w.now, l.mime, s.top, s.mime, s.year, seconds(l.modified), l.etag, l.size, l.sha256, l.evidence, l.checked,
		l.url)
	return err
}

// same updates the values for detecting the next change.
func (w *writer) same(ctx context.Context, l *look, old *row) error {
	if l.sha256 == nil {
		l.sha256 = old.sha256
	}
	if l.size < 0 {
		l.size = old.size
	}
	if l.evidence == "" {
		l.evidence = old.evidence
	}
	_, err := w.tx.ExecContext(ctx,
		"UPDATE resource SET modified = ?, etag = ?, size = ?, sha256 = ?, evidence = ?, checked = ? WHERE url = ?",
		seconds(l.modified), l.etag, l.size, l.sha256, l.evidence, l.checked, l.url)
	return err
}

func seconds(t time.Time) sql.NullInt64 { return sql.NullInt64{Int64: t.Unix(), Valid: !t.IsZero()} }

// sets adds a resource to its sets and returns their names.
type sets struct{ top, mime, year string }

func (w *writer) sets(l *look, n int) sets {
	top, _, _ := strings.Cut(l.mime, "/")
	changed := l.modified
	if changed.IsZero() {
		changed = time.Unix(w.now, 0).UTC()
	}
	s := sets{top: protocol.MIMESet(top), mime: protocol.MIMESet(l.mime), year: protocol.YearSet(changed.Year())}
	w.add(s.top, s.mime, s.year, n)
	return s
}

// leave subtracts a resource from the counts of its sets.
func (w *writer) leave(old *row) {
	top, _, _ := strings.Cut(old.mime, "/")
	w.add(protocol.MIMESet(top), protocol.MIMESet(old.mime), old.year, -1)
}

func (w *writer) add(top, mime, year string, n int) {
	w.members[""] += n
	w.members[top] += n
	w.members[mime] += n
	w.members[year] += n
}

// count stores the changed counts of the sets.
func (w *writer) count(ctx context.Context) error {
	for spec, n := range w.members {
		if n == 0 {
			continue
		}
		if _, err := w.tx.ExecContext(ctx,
			"INSERT INTO member VALUES (?, ?) ON CONFLICT (spec) DO UPDATE SET n = n + "+
				"excluded.n", spec, n); err != nil {
			return err
		}
	}
	_, err := w.tx.ExecContext(ctx, "DELETE FROM member WHERE n <= 0")
	return err
}
