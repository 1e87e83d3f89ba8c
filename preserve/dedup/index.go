package dedup

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"quire/internal/sqlite"
)

// Index maps payloads to their locations. It is kept in a file, so it may be larger than memory. It
// is not safe for concurrent use.
type Index struct {
	db      *sql.DB
	tx      *sql.Tx
	put     *sql.Stmt
	search  *sql.Stmt
	exists  *sql.Stmt
	present *filter // keys in the index
	names   *filter // the same for noted keys
}

const schema = `
CREATE TABLE container (id INTEGER PRIMARY KEY, shelf TEXT NOT NULL UNIQUE, name TEXT NOT NULL) STRICT;
CREATE TABLE original (
	key BLOB NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL, container INTEGER NOT NULL REFERENCES ` +
	`container(id),
	place INTEGER NOT NULL, uri BLOB NOT NULL, date TEXT NOT NULL, id BLOB NOT NULL, head INTEGER NOT NULL, ` +
	`stored INTEGER NOT NULL,
	inflated INTEGER NOT NULL
) STRICT;
CREATE INDEX original_key ON original (key, start);
CREATE TABLE capture (key BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
`

// OpenIndex makes an index in a file for temporary use: it does not survive a crash.
func OpenIndex(ctx context.Context, path string) (*Index, error) {
	db, err := sqlite.Open(path, sqlite.Options{Pragmas: []string{"synchronous(OFF)", "journal_mode(OFF)",
		"cache_size(-16384)"}})
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // added rows must be visible before they are committed
	x := &Index{db: db, present: newFilter(), names: newFilter()}
	if _, err = db.ExecContext(ctx, schema); err == nil {
		err = x.begin(ctx)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("index %s: %w", path, err), db.Close())
	}
	return x, nil
}

// begin starts a transaction. All reads and writes use it.
func (x *Index) begin(ctx context.Context) (err error) {
	if x.tx, err = x.db.BeginTx(context.WithoutCancel(ctx), nil); err != nil {
		return err
	}
	x.put, err = x.tx.PrepareContext(ctx,
		`INSERT INTO original (key, start, stop, container, place, uri, date, id, head, stored, inflated)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	x.search, err = x.tx.PrepareContext(ctx,
		`SELECT o.rowid, o.start, o.stop, o.place, o.uri, o.date, o.id, o.head, o.stored, o.inflated, c.shelf, c.name
		FROM original o JOIN container c ON c.id = o.container
		WHERE o.key = ? AND o.stop <= ? ORDER BY o.start, o.stop, c.name, c.shelf, o.place LIMIT ?`)
	if err != nil {
		return err
	}
	x.exists, err = x.tx.PrepareContext(ctx, "SELECT EXISTS (SELECT 1 FROM original WHERE key = ?)")
	return err
}

// finish ends the statements of a transaction.
func (x *Index) finish() error {
	return errors.Join(x.put.Close(), x.search.Close(), x.exists.Close())
}

// Flush writes the added rows to the file.
func (x *Index) Flush(ctx context.Context) error {
	if err := errors.Join(x.finish(), x.tx.Commit()); err != nil {
		return fmt.Errorf("writing the index: %w", err)
	}
	return x.begin(ctx)
}

// Close closes the file. Rows that were not flushed are lost.
func (x *Index) Close() error {
	return errors.Join(x.finish(), x.tx.Rollback(), x.db.Close())
}

// container adds a container, and returns its number.
func (x *Index) container(ctx context.Context, shelf, name string) (id int64, err error) {
	err = x.tx.QueryRowContext(ctx, `INSERT INTO container (shelf, name) VALUES (?, ?)
		ON CONFLICT (shelf) DO UPDATE SET name = excluded.name RETURNING id`, shelf, name).Scan(&id)
	return id, err
}

// add adds an original.
func (x *Index) add(ctx context.Context, k key, container int64, o *Original) error {
	_, err := x.put.ExecContext(ctx, []byte(k), o.span.Start, o.span.Stop, container, o.Offset, []byte(o.URI), o.Date,
		[]byte(o.ID),
		o.head, o.stored, o.inflated)
	x.present.add(k)
	return err
}

// find returns the originals of a key that were captured before the instant, the earliest first; at
// most limit.
func (x *Index) find(ctx context.Context, k key, before instant, limit int) (found []Original, err error) {
	if !x.present.may(k) {
		return nil, nil
	}
	rows, err := x.search.QueryContext(ctx, []byte(k), before.Start, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		o := Original{Evidence: ByRecord}
		var uri, id []byte
		if err := rows.Scan(&o.row, &o.span.Start, &o.span.Stop, &o.Offset, &uri, &o.Date, &id, &o.head, &o.stored,
			&o.inflated, &o.shelf, &o.Container); err != nil {
			return nil, err
		}
		o.URI, o.ID = string(uri), string(id)
		found = append(found, o)
	}
	return found, rows.Err()
}

// has reports whether the index has the key, with any capture time.
func (x *Index) has(ctx context.Context, k key) (there bool, err error) {
	if !x.present.may(k) {
		return false, nil
	}
	err = x.exists.QueryRowContext(ctx, []byte(k)).Scan(&there)
	return there, err
}

// remove removes one original.
func (x *Index) remove(ctx context.Context, o *Original) error {
	_, err := x.tx.ExecContext(ctx, "DELETE FROM original WHERE rowid = ?", o.row)
	return err
}

// note adds a key of another kind: an existing capture, or the target of a reference.
func (x *Index) note(ctx context.Context, k key) error {
	x.names.add(k)
	_, err := x.tx.ExecContext(ctx, "INSERT OR IGNORE INTO capture (key) VALUES (?)", []byte(k))
	return err
}

// noted reports whether the key was noted.
func (x *Index) noted(ctx context.Context, k key) (there bool, err error) {
	if !x.names.may(k) {
		return false, nil
	}
	err = x.tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM capture WHERE key = ?)", []byte(k)).Scan(&there)
	return there, err
}
