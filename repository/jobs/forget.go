package jobs

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
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
	is, folder, err := thereIn(source)
	if err != nil {
		return err
	}
	for after := ""; ; {
		rows, err := w.queue.arrived(ctx, storable(folder), after)
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			w.forgotten[source] = time.Now()
			return nil
		}
		for _, row := range rows {
			after = row.path
			there, err := is(ctx, row.path)
			if err != nil {
				return &unreadableError{err}
			}
			if err := w.queue.mark(ctx, row, there); err != nil {
				return err
			}
		}
	}
}

// thereIn returns a function that reports whether a delivery is in its source, and the beginning of the paths there.
func thereIn(source string) (is func(ctx context.Context, path string) (bool, error), folder string, err error) {
	if !place.IsURL(source) {
		folder, err = filepath.Abs(source)
		return func(_ context.Context, path string) (bool, error) {
			_, err := os.Lstat(path)
			if errors.Is(err, fs.ErrNotExist) {
				return false, nil
			}
			return err == nil, err
		}, strings.TrimSuffix(folder, "/") + "/", err
	}
	p, err := place.Open(source)
	if err != nil {
		return nil, "", &unreadableError{err}
	}
	folder = p.URL() + "/"
	return func(ctx context.Context, path string) (bool, error) {
		base := strings.TrimPrefix(path, folder)
		for e, err := range p.List(ctx, base) {
			if err != nil {
				return false, err
			}
			if e.Name == base || strings.HasPrefix(e.Name, base+"/") {
				return true, nil
			}
		}
		return false, nil
	}, folder, nil
}

// arrived returns deliveries of a folder whose jobs are no longer listed, after a path.
func (q *Queue) arrived(ctx context.Context, folder, after string) (all []arrived, err error) {
	rows, err := q.db.QueryContext(ctx, q.statement("SELECT path, job, gone, "+q.dialect.now+" FROM jobs_arrivals a "+
		"WHERE path > ? AND substr(path, 1, ?) = ? AND (job IS NULL OR NOT EXISTS (SELECT 1 FROM river_job "+
		"WHERE id = a.job)) ORDER BY path LIMIT ?"), after, len([]rune(folder)), folder, pruned)
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
