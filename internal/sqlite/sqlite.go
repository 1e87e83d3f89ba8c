// Package sqlite opens SQLite databases in files, without C, in the same way for all of Quire.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	sqlite "modernc.org/sqlite" // also registers the driver "sqlite"
)

// Options are the options for opening a database.
type Options struct {
	Pragmas []string // for each connection: "synchronous(FULL)"

	// Immediate makes a transaction take the write lock at its start, instead of later, where it
	// could fail.
	Immediate bool

	PageSize int // bytes, of a new database; 0 for SQLite's default
}

// Open opens the database in a file, which is created by the first write. It reads nothing yet: the
// first query reports a file that is not a database. A writer waits up to 30 s for another one,
// unless a pragma sets another time.
func Open(path string, o Options) (*sql.DB, error) {
	path, err := filepath.Abs(path) // in a URL, the first folder of a relative path would be the host
	if err != nil {
		return nil, err
	}
	return openPatient(name(path, url.Values{}, o))
}

// name returns the driver's data source name: the file, and the options for opening it.
func name(path string, q url.Values, o Options) string {
	q["_pragma"] = append([]string{"busy_timeout(30000)"}, o.Pragmas...)
	if o.PageSize > 0 {
		// the driver sorts pragmas, and the page size must come before the journal mode
		q.Add("_pragma", fmt.Sprintf("/* first */ page_size(%d)", o.PageSize))
	}
	if o.Immediate {
		q.Set("_txlock", "immediate")
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: q.Encode()}).String()
}

// InTx runs f in one transaction: everything is committed, or nothing.
func InTx(ctx context.Context, db *sql.DB, f func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		_ = tx.Rollback() // the first error is more useful
		return err
	}
	return tx.Commit()
}

// Damaged reports whether an error means that the file is not a database, or that its content is
// damaged (SQLITE_NOTADB, SQLITE_CORRUPT).
func Damaged(err error) bool {
	const corrupt, notADatabase = 11, 26
	var e *sqlite.Error
	return errors.As(err, &e) && (e.Code()&0xff == corrupt || e.Code()&0xff == notADatabase)
}

// Failed reports whether an error is one of a database.
func Failed(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e)
}

// Busy reports whether an error means that another connection holds a lock of the database, and held
// it for longer than this one waited (SQLITE_BUSY, SQLITE_LOCKED).
func Busy(err error) bool {
	const busy, locked = 5, 6
	var e *sqlite.Error
	return errors.As(err, &e) && (e.Code()&0xff == busy || e.Code()&0xff == locked)
}

// Denied reports whether an error means that this process may not write to a database or to its
// folder, or may not open it (SQLITE_PERM, SQLITE_READONLY, SQLITE_CANTOPEN).
func Denied(err error) bool {
	const perm, readOnly, cannotOpen = 3, 8, 14
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	code := e.Code() & 0xff
	return code == perm || code == readOnly || code == cannotOpen
}

// Remove removes the file of a database and the files that belong to it. A missing file is not an
// error.
func Remove(path string) error {
	for _, end := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
