package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"

	"quire/internal/postgres"
)

// Queue is the open queue of a repository. Several goroutines and processes may use it.
type Queue struct {
	place   Place
	db      *sql.DB
	driver  riverdriver.Driver[*sql.Tx]
	dialect dialect
	client  *river.Client[*sql.Tx] // inserts and controls; it works on nothing
	damaged []error                // see Damaged
}

// Open opens the queue of a repository. It makes missing tables, and jobs of submissions that have none yet: a
// kill or a new catalogue left them. The caller keeps the repository open meanwhile, so that no rebuild
// replaces the database.
func Open(ctx context.Context, p Place) (*Queue, error) {
	if err := os.MkdirAll(p.folder(), 0o777); err != nil { //nolint:gosec // the umask decides, as for the repository
		return nil, fmt.Errorf("the folder of submissions: %w", err)
	}
	db, driver, d, err := p.open()
	if err != nil {
		return nil, fmt.Errorf("the queue: %w", err)
	}
	q := &Queue{place: p, db: db, driver: driver, dialect: d}
	err = q.migrate(ctx)
	if err == nil {
		q.client, err = river.NewClient(driver, &river.Config{Logger: quiet()})
	}
	if err == nil {
		err = q.restore(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return q, nil
}

// Close closes the queue.
func (q *Queue) Close() error { return q.db.Close() }

// quiet is the log of a client that works on nothing.
func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// statement returns a statement with ? for each value in the form of the database.
func (q *Queue) statement(text string) string {
	if q.place.Database != nil {
		return postgres.Numbered(text)
	}
	return text
}

func (q *Queue) exec(ctx context.Context, text string, values ...any) (int64, error) {
	return changed(q.db.ExecContext(ctx, q.statement(text), values...))
}

func (q *Queue) execIn(ctx context.Context, tx *sql.Tx, text string, values ...any) (int64, error) {
	return changed(tx.ExecContext(ctx, q.statement(text), values...))
}

// changed returns the number of rows that a statement changed.
func changed(r sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

func (q *Queue) row(ctx context.Context, text string, values ...any) *sql.Row {
	return q.db.QueryRowContext(ctx, q.statement(text), values...)
}

// marks returns n question marks, for a list of values.
func marks(n int) string { return strings.TrimPrefix(strings.Repeat(", ?", n), ", ") }

// firstColumn returns the first column of a query.
func firstColumn[T any](ctx context.Context, q *Queue, text string, values ...any) (all []T, err error) {
	rows, err := q.db.QueryContext(ctx, q.statement(text), values...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var n T
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, rows.Err()
}
