package archive

import (
	"context"
	"database/sql"
	_ "embed" // for the tables
	"errors"
	"fmt"

	"quire/internal/sqlite"
)

// schemaVersion is the version of the tables. Version 1 is migrated; an index of a later version is
// rebuilt.
const schemaVersion = 2

var (
	//go:embed schema.sql
	schema string
	//go:embed migrate.sql
	migrate string
)

// index is the database.
type index struct{ db *sql.DB }

// openIndex opens the index. It rebuilds an index that is missing, unreadable or of another
// version, because it is a cache.
func openIndex(ctx context.Context, path string) (*index, error) {
	x, err := tryIndex(ctx, path)
	if err == nil || ctx.Err() != nil {
		return x, err
	}
	if gone := sqlite.Remove(path); gone != nil {
		return nil, errors.Join(err, gone)
	}
	return tryIndex(ctx, path)
}

var errOtherSchema = errors.New("it has the schema of another version of quire")

func tryIndex(ctx context.Context, path string) (_ *index, err error) {
	// A cache must stay consistent after a power failure, but may lose the last second (synchronous
	// NORMAL).
	db, err := sqlite.Open(path, sqlite.Options{Pragmas: []string{"synchronous(NORMAL)", "journal_mode(WAL)",
		"cache_size(-16384)"}, Immediate: true})
	if err != nil {
		return nil, err
	}
	x := &index{db: db}
	if err := x.prepare(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("the index %s: %w", path, err), db.Close())
	}
	return x, nil
}

func (x *index) prepare(ctx context.Context) error {
	return x.write(ctx, func(tx *sql.Tx) error {
		var version int
		if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
			return err
		}
		switch version {
		case schemaVersion:
			return nil
		case 0, 1:
			script := [...]string{schema, migrate}[version]
			_, err := tx.ExecContext(ctx, script+fmt.Sprintf("PRAGMA user_version = %d;", schemaVersion))
			return err
		}
		return errOtherSchema
	})
}

// write runs f in one transaction.
func (x *index) write(ctx context.Context, f func(*sql.Tx) error) error {
	return sqlite.InTx(ctx, x.db, f)
}

func (x *index) close() error { return x.db.Close() }

// setting returns a value, or "" if it was never set.
func (x *index) setting(ctx context.Context, name string) (value string, err error) {
	err = x.db.QueryRowContext(ctx, "SELECT value FROM setting WHERE name = ?", name).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

// set stores a value.
func set(ctx context.Context, tx *sql.Tx, name, value string) error {
	_,
		err := tx.ExecContext(ctx,
		"INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", name, value)
	return err
}

// each runs a query and calls row for each row.
func each(ctx context.Context, q querier, row func(scan func(...any) error) error, query string, args ...any) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err returns the error
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}
