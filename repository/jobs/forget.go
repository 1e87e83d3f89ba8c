package jobs

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quire/repository/place"
)

const (
	// forgetEvery is the time between two runs over the deliveries of a source that were submitted.
	forgetEvery = time.Hour
	// awayFor is how long a delivery must be away from its source before it is forgotten. A disk that is not mounted
	// for some days must not make all its deliveries new.
	awayFor = 30 * day
)

// arrived is a row of the deliveries that were submitted.
type arrived struct {
	path string
	job  sql.NullInt64 // NULL for rows of older programs
	gone sql.NullInt64 // since when the delivery is away, in milliseconds since 1970
	now  int64
}

// forget removes the deliveries of a source that have been away for long, and whose jobs are no longer listed. One that
// is still there stays: it would be submitted again.
func (w *watch) forget(ctx context.Context, source string) error {
	if last, ran := w.forgotten[source]; ran && time.Since(last) < forgetEvery {
		return nil
	}
	in := w.forgetInFolder
	if place.IsURL(source) {
		in = w.forgetInPlace
	}
	if err := in(ctx, source); err != nil {
		return err
	}
	w.forgotten[source] = time.Now()
	return nil
}

func (w *watch) forgetInFolder(ctx context.Context, source string) error {
	folder, err := filepath.Abs(source)
	if err != nil {
		return err
	}
	for row, err := range w.queue.arrivedIn(ctx, storable(strings.TrimSuffix(folder, "/")+"/")) {
		if err != nil {
			return err
		}
		_, err = os.Lstat(row.path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return &unreadableError{err}
		}
		if err := w.queue.mark(ctx, row, err == nil); err != nil {
			return err
		}
	}
	return nil
}

// forgetInPlace lists the place once, however many deliveries it had.
func (w *watch) forgetInPlace(ctx context.Context, source string) error {
	p, err := place.Open(source)
	if err != nil {
		return &unreadableError{err}
	}
	folder := storable(p.URL() + "/")
	next, stop := iter.Pull2(w.queue.arrivedIn(ctx, folder))
	defer stop()
	m := &merging{next: next, mark: func(a arrived, there bool) error { return w.queue.mark(ctx, a, there) }}
	if err := m.advance(); err != nil {
		return err
	}
	for e, err := range p.List(ctx, "") {
		if err != nil {
			return &unreadableError{err}
		}
		if m.ended && len(m.open) == 0 {
			break
		}
		if e.Name != storable(e.Name) {
			continue // no row has this name
		}
		if err := m.name(folder + e.Name); err != nil {
			return err
		}
	}
	return m.end()
}

// merging goes through the deliveries and the names of a place, both sorted. The names of a delivery need not follow
// its own: "a-x/1" comes between "a" and "a/1".
type merging struct {
	next  func() (arrived, error, bool)
	mark  func(a arrived, there bool) error
	row   arrived   // the next one
	ended bool      // there is none
	open  []arrived // the last name begins with theirs: one may still follow that is below them
}

func (m *merging) advance() error {
	row, err, more := m.next()
	m.row, m.ended = row, !more
	return err
}

// name marks the deliveries about which a name decides.
func (m *merging) name(name string) error {
	open := m.open
	m.open = m.open[:0]
	for _, row := range open {
		if err := m.decide(row, name); err != nil {
			return err
		}
	}
	for !m.ended && m.row.path <= name {
		if err := m.decide(m.row, name); err != nil {
			return err
		}
		if err := m.advance(); err != nil {
			return err
		}
	}
	return nil
}

func (m *merging) decide(row arrived, name string) error {
	below, begins := strings.CutPrefix(name, row.path)
	there := begins && (below == "" || below[0] == '/')
	if begins && !there {
		m.open = append(m.open, row)
		return nil
	}
	return m.mark(row, there)
}

// end marks the others as away.
func (m *merging) end() error {
	for _, row := range m.open {
		if err := m.mark(row, false); err != nil {
			return err
		}
	}
	for !m.ended {
		if err := m.mark(m.row, false); err != nil {
			return err
		}
		if err := m.advance(); err != nil {
			return err
		}
	}
	return nil
}

// arrivedAtOnce is the number of deliveries that are in memory.
const arrivedAtOnce = 10_000

// arrivedIn yields the deliveries of a folder whose jobs are no longer listed, sorted by the bytes of their paths.
func (q *Queue) arrivedIn(ctx context.Context, folder string) iter.Seq2[arrived, error] {
	return func(yield func(arrived, error) bool) {
		for after := ""; ; {
			rows, err := q.arrived(ctx, folder, after)
			if err != nil {
				yield(arrived{}, err)
				return
			}
			if len(rows) == 0 {
				return
			}
			for _, row := range rows {
				after = row.path
				if !yield(row, nil) {
					return
				}
			}
		}
	}
}

// arrived returns some deliveries of a folder after a path.
func (q *Queue) arrived(ctx context.Context, folder, after string) (all []arrived, err error) {
	path := "path" + q.dialect.bytewise
	rows, err := q.db.QueryContext(ctx, q.statement("SELECT path, job, gone, "+q.dialect.now+" FROM jobs_arrivals a "+
		"WHERE "+path+" > ? AND substr(path, 1, ?) = ? AND (job IS NULL OR NOT EXISTS (SELECT 1 FROM river_job "+
		"WHERE id = a.job)) ORDER BY "+path+" LIMIT ?"), after, len([]rune(folder)), folder, arrivedAtOnce)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var a arrived
		if err := rows.Scan(&a.path, &a.job, &a.gone, &a.now); err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, rows.Err()
}

// mark keeps since when a delivery is away, and removes one that has been for long. A delivery that was submitted again
// meanwhile stays as it is.
func (q *Queue) mark(ctx context.Context, a arrived, there bool) (err error) {
	const same = " WHERE path = ? AND coalesce(job, 0) = ?"
	switch {
	case there && a.gone.Valid:
		_, err = q.exec(ctx, "UPDATE jobs_arrivals SET gone = NULL"+same, a.path, a.job.Int64)
	case !there && !a.gone.Valid:
		_, err = q.exec(ctx, "UPDATE jobs_arrivals SET gone = ?"+same, a.now, a.path, a.job.Int64)
	case !there && a.now-a.gone.Int64 > awayFor.Milliseconds():
		_, err = q.exec(ctx, "DELETE FROM jobs_arrivals"+same, a.path, a.job.Int64)
	}
	return err
}
