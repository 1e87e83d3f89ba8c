package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"quire/internal/sqlite"
)

// schemaVersion is that of the tables. An index of another version is made again.
const schemaVersion = 1

// The tables. What a container holds is read once (content, record, holds); what of it is shown, and since when, is worked out anew
// when a package has a new version (batch, listed, member, tally).
//
// A batch is the records of a package that appear, or are deleted, at one moment. Within it they are numbered in the order of their
// identifiers: so a list is the batches one behind the other, and a page of it is found at once, wherever it begins. A batch is in
// force from stamp on, and until then; the state that a record has later stands in another batch, so that an embargo ends by itself.
const schema = `
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE package (
	id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, inventory TEXT NOT NULL, -- SHA-512 of what was looked at; "" is: look again
	problem TEXT NOT NULL, tries INTEGER NOT NULL, retry INTEGER NOT NULL,
	shown INTEGER NOT NULL, hidden INTEGER NOT NULL, unstated INTEGER NOT NULL, left_out TEXT NOT NULL
) STRICT;
CREATE TABLE content (id INTEGER PRIMARY KEY, package INTEGER NOT NULL, sha512 TEXT NOT NULL, left_out TEXT NOT NULL, UNIQUE (package, sha512)) STRICT;
CREATE TABLE record (
	id INTEGER PRIMARY KEY, package INTEGER NOT NULL, mark INTEGER NOT NULL, identifier TEXT NOT NULL, -- mark is that of the identifier
	mime INTEGER NOT NULL, major INTEGER NOT NULL, host INTEGER NOT NULL, year INTEGER NOT NULL -- sets; 0 is none
) STRICT;
CREATE INDEX record_mark ON record (mark);
CREATE INDEX record_package ON record (package);
CREATE TABLE holds (
	content INTEGER NOT NULL, ord INTEGER NOT NULL, record INTEGER NOT NULL,
	type TEXT NOT NULL, offset INTEGER NOT NULL, inflated INTEGER NOT NULL, stored INTEGER NOT NULL, length INTEGER NOT NULL,
	head INTEGER NOT NULL, body INTEGER NOT NULL, sum BLOB NOT NULL, size INTEGER NOT NULL, mime TEXT NOT NULL, coding TEXT NOT NULL, note TEXT NOT NULL,
	sha1 INTEGER NOT NULL, sha256 INTEGER NOT NULL, -- how the digests of the payload begin, for revisits to find it by; 0 is not known
	PRIMARY KEY (content, ord)
) STRICT, WITHOUT ROWID;
CREATE INDEX holds_record ON holds (record);
CREATE INDEX holds_sha1 ON holds (sha1);
CREATE INDEX holds_sha256 ON holds (sha256);
CREATE TABLE revisit (
	content INTEGER NOT NULL, ord INTEGER NOT NULL, record INTEGER NOT NULL,
	offset INTEGER NOT NULL, inflated INTEGER NOT NULL, stored INTEGER NOT NULL, length INTEGER NOT NULL, head INTEGER NOT NULL,
	algorithm TEXT NOT NULL, digest BLOB NOT NULL, begins INTEGER NOT NULL, -- of the payload, as the record states it
	PRIMARY KEY (content, ord)
) STRICT, WITHOUT ROWID;
CREATE INDEX revisit_record ON revisit (record);
CREATE INDEX revisit_begins ON revisit (begins);
CREATE TABLE place (
	package INTEGER NOT NULL, version INTEGER NOT NULL, path TEXT NOT NULL, content INTEGER NOT NULL, events TEXT NOT NULL,
	PRIMARY KEY (package, version, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX place_content ON place (content, version);
CREATE TABLE description (sum INTEGER PRIMARY KEY, mods TEXT NOT NULL) STRICT;
CREATE TABLE member_of (collection INTEGER NOT NULL, name TEXT NOT NULL, harvest INTEGER NOT NULL, since INTEGER NOT NULL, title TEXT NOT NULL,
	PRIMARY KEY (name, collection)) STRICT, WITHOUT ROWID;
CREATE TABLE grouped (package INTEGER NOT NULL, spec INTEGER NOT NULL, PRIMARY KEY (package, spec)) STRICT, WITHOUT ROWID;
CREATE TABLE spec (id INTEGER PRIMARY KEY, spec TEXT NOT NULL UNIQUE, title TEXT NOT NULL) STRICT;
CREATE TABLE batch (
	id INTEGER PRIMARY KEY, package INTEGER NOT NULL, stamp INTEGER NOT NULL, until INTEGER NOT NULL, deleted INTEGER NOT NULL,
	description INTEGER NOT NULL, n INTEGER NOT NULL
) STRICT;
CREATE INDEX batch_stamp ON batch (stamp, until);
CREATE INDEX batch_package ON batch (package);
CREATE TABLE listed (batch INTEGER NOT NULL, ordinal INTEGER NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (batch, ordinal)) STRICT, WITHOUT ROWID;
CREATE INDEX listed_record ON listed (record);
CREATE TABLE member (spec INTEGER NOT NULL, batch INTEGER NOT NULL, ordinal INTEGER NOT NULL, PRIMARY KEY (spec, batch, ordinal)) STRICT, WITHOUT ROWID;
CREATE TABLE tally (batch INTEGER NOT NULL, spec INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (batch, spec)) STRICT, WITHOUT ROWID;
CREATE INDEX tally_spec ON tally (spec, batch);
`

// index is the database.
type index struct{ db *sql.DB }

// openIndex opens the index, and makes it when it is not there, is of another version, or cannot be read: it is a cache.
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

var errOtherSchema = errors.New("it was made by another version of quire")

func tryIndex(ctx context.Context, path string) (_ *index, err error) {
	// A cache need not survive the power failing in its last second (synchronous NORMAL), only stay whole.
	db, err := sqlite.Open(path, sqlite.Options{Pragmas: []string{"synchronous(NORMAL)", "journal_mode(WAL)", "cache_size(-16384)"}, Immediate: true})
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
		case 0:
			_, err := tx.ExecContext(ctx, schema+fmt.Sprintf("PRAGMA user_version = %d;", schemaVersion))
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

// setting gives a value, "" when it was never set.
func (x *index) setting(ctx context.Context, name string) (value string, err error) {
	err = x.db.QueryRowContext(ctx, "SELECT value FROM setting WHERE name = ?", name).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

// each runs a query, and hands over each row.
func each(ctx context.Context, q querier, row func(scan func(...any) error) error, query string, args ...any) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err tells what went wrong
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
