// Package sqlite opens databases of SQLite in files, without C, in one way for the whole house.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	sqlite "modernc.org/sqlite" // which registers the driver "sqlite", too
)

// Options say how a database is opened.
type Options struct {
	Pragmas []string // of each connection: "synchronous(FULL)"

	// Immediate has a transaction take the lock of the writer when it begins, rather than half-way
	// through, where it would fail.
	Immediate bool
}

// Open opens the database in a file, which is made with the first write. Nothing is read yet: the
// first question reports a file that is none. A writer that meets another waits up to 30 s, unless
// a pragma says otherwise.
func Open(path string, o Options) (*sql.DB, error) {
	path, err := filepath.Abs(path) // as a URL, a relative one would have its first folder for a host
	if err != nil {
		return nil, err
	}
	return sql.Open("sqlite", name(path, url.Values{}, o))
}

// name is the data source name of the driver: the file, and how to open it.
func name(path string, q url.Values, o Options) string {
	q["_pragma"] = append([]string{"busy_timeout(30000)"}, o.Pragmas...)
	if o.Immediate {
		q.Set("_txlock", "immediate")
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: q.Encode()}).String()
}

// InTx runs f in one transaction: all of it, or nothing.
func InTx(ctx context.Context, db *sql.DB, f func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		_ = tx.Rollback() // the error in hand says more
		return err
	}
	return tx.Commit()
}

// Damaged says whether an error means that the file is no database, or that something in it is
// wrong (SQLITE_NOTADB, SQLITE_CORRUPT).
func Damaged(err error) bool {
	const corrupt, notADatabase = 11, 26
	var e *sqlite.Error
	return errors.As(err, &e) && (e.Code()&0xff == corrupt || e.Code()&0xff == notADatabase)
}

// Remove removes the file of a database with those beside it. It is no error that there is none.
func Remove(path string) error {
	for _, end := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
