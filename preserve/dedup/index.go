package dedup

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"quire/internal/sqlite"
)

// Index says where payloads are. It lies in a file, so that it may be larger than memory. It is not safe for concurrent use.
type Index struct {
	db      *sql.DB
	tx      *sql.Tx
	put     *sql.Stmt
	search  *sql.Stmt
	exists  *sql.Stmt
	present *filter // keys that are there; nil when the file has some from before
	names   *filter // the same, of what was noted
}

// schemaVersion is that of the tables. An index of another version is made again.
const schemaVersion = 1

const schema = `
CREATE TABLE IF NOT EXISTS container (id INTEGER PRIMARY KEY, shelf TEXT NOT NULL UNIQUE, name TEXT NOT NULL, state TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS original (
	key BLOB NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL, container INTEGER NOT NULL REFERENCES container(id),
	place INTEGER NOT NULL, uri BLOB NOT NULL, date TEXT NOT NULL, id BLOB NOT NULL, head INTEGER NOT NULL, stored INTEGER NOT NULL,
	inflated INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS original_key ON original (key, start);
CREATE TABLE IF NOT EXISTS capture (key BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
`

// OpenIndex opens the index in a file, and makes it if it is not there. A file that lasts is written so that it survives a
// crash; another is faster.
func OpenIndex(ctx context.Context, path string, lasts bool) (*Index, error) {
	x, err := openIndex(ctx, path, lasts)
	if err != nil && lasts && ctx.Err() == nil { // a cache that cannot be read is made again
		if gone := sqlite.Remove(path); gone != nil {
			return nil, errors.Join(err, gone)
		}
		x, err = openIndex(ctx, path, lasts)
	}
	return x, err
}

func openIndex(ctx context.Context, path string, lasts bool) (*Index, error) {
	pragmas := []string{"synchronous(OFF)", "journal_mode(OFF)", "cache_size(-16384)"}
	if lasts {
		pragmas = []string{"synchronous(NORMAL)", "journal_mode(WAL)"}
	}
	db, err := sqlite.Open(path, sqlite.Options{Pragmas: pragmas})
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // what was added is to be found before it is committed
	x := &Index{db: db}
	if !lasts {
		x.present, x.names = newFilter(), newFilter()
	}
	if err := x.prepare(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("index %s: %w", path, err), db.Close())
	}
	return x, nil
}

func (x *Index) prepare(ctx context.Context) error {
	var version int
	if err := x.db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version != schemaVersion {
		drop := "DROP TABLE IF EXISTS original; DROP TABLE IF EXISTS capture; DROP TABLE IF EXISTS container;"
		if _, err := x.db.ExecContext(ctx, drop+schema+fmt.Sprintf("PRAGMA user_version = %d", schemaVersion)); err != nil {
			return err
		}
	}
	return x.begin(ctx)
}

// begin starts a transaction. All reading and writing is done in it.
func (x *Index) begin(ctx context.Context) (err error) {
	if x.tx, err = x.db.BeginTx(context.WithoutCancel(ctx), nil); err != nil {
		return err
	}
	x.put, err = x.tx.PrepareContext(ctx, `INSERT INTO original (key, start, stop, container, place, uri, date, id, head, stored, inflated)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	x.search, err = x.tx.PrepareContext(ctx, `SELECT o.rowid, o.start, o.stop, o.place, o.uri, o.date, o.id, o.head, o.stored, o.inflated, c.shelf, c.name
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

// Flush brings what was added to the file.
func (x *Index) Flush(ctx context.Context) error {
	if err := errors.Join(x.finish(), x.tx.Commit()); err != nil {
		return fmt.Errorf("writing the index: %w", err)
	}
	return x.begin(ctx)
}

// Close closes the file. What was not flushed is lost.
func (x *Index) Close() error {
	return errors.Join(x.finish(), x.tx.Rollback(), x.db.Close())
}

// container notes a container, and gives its number.
func (x *Index) container(ctx context.Context, shelf, name, state string) (id int64, err error) {
	err = x.tx.QueryRowContext(ctx, `INSERT INTO container (shelf, name, state) VALUES (?, ?, ?)
		ON CONFLICT (shelf) DO UPDATE SET state = excluded.state RETURNING id`, shelf, name, state).Scan(&id)
	return id, err
}

// State is what was noted of a container when it was added, "" when it was not.
func (x *Index) State(ctx context.Context, shelf string) (state string, err error) {
	err = x.tx.QueryRowContext(ctx, "SELECT state FROM container WHERE shelf = ?", shelf).Scan(&state)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return state, err
}

// Forget takes a container and its originals out.
func (x *Index) Forget(ctx context.Context, shelf string) error {
	_, err := x.tx.ExecContext(ctx, "DELETE FROM original WHERE container IN (SELECT id FROM container WHERE shelf = ?)", shelf)
	if err == nil {
		_, err = x.tx.ExecContext(ctx, "DELETE FROM container WHERE shelf = ?", shelf)
	}
	return err
}

// Shelves lists the containers that were added.
func (x *Index) Shelves(ctx context.Context) (shelves []string, err error) {
	rows, err := x.tx.QueryContext(ctx, "SELECT shelf FROM container ORDER BY shelf")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		shelves = append(shelves, s)
	}
	return shelves, rows.Err()
}

// add puts an original in.
func (x *Index) add(ctx context.Context, k key, container int64, o *Original) error {
	_, err := x.put.ExecContext(ctx, []byte(k), o.span.Start, o.span.Stop, container, o.Offset, []byte(o.URI), o.Date, []byte(o.ID),
		o.head, o.stored, o.inflated)
	x.present.add(k)
	return err
}

// find gives the originals of a key that were captured before the instant, the earliest first; at most limit.
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
		if err := rows.Scan(&o.row, &o.span.Start, &o.span.Stop, &o.Offset, &uri, &o.Date, &id, &o.head, &o.stored, &o.inflated, &o.shelf, &o.Container); err != nil {
			return nil, err
		}
		o.URI, o.ID = string(uri), string(id)
		found = append(found, o)
	}
	return found, rows.Err()
}

// has says whether the key is there, whenever it was captured.
func (x *Index) has(ctx context.Context, k key) (there bool, err error) {
	if !x.present.may(k) {
		return false, nil
	}
	err = x.exists.QueryRowContext(ctx, []byte(k)).Scan(&there)
	return there, err
}

// remove takes one original out.
func (x *Index) remove(ctx context.Context, o *Original) error {
	_, err := x.tx.ExecContext(ctx, "DELETE FROM original WHERE rowid = ?", o.row)
	return err
}

// note remembers a key of another kind: a capture that is there, or that something refers to.
func (x *Index) note(ctx context.Context, k key) error {
	x.names.add(k)
	_, err := x.tx.ExecContext(ctx, "INSERT OR IGNORE INTO capture (key) VALUES (?)", []byte(k))
	return err
}

// noted says whether it was.
func (x *Index) noted(ctx context.Context, k key) (there bool, err error) {
	if !x.names.may(k) {
		return false, nil
	}
	err = x.tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM capture WHERE key = ?)", []byte(k)).Scan(&there)
	return there, err
}
