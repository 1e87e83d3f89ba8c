package catalogue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"quire/internal/sqlite"
)

// inFile is a catalogue in a file of SQLite.
type inFile struct {
	db       *sql.DB
	path     string
	readOnly bool
	schema   atomic.Int64 // the version that was seen last

	mu      sync.Mutex
	watch   *sql.Conn // for changes: it never writes
	version *sql.Stmt // of watch, for changes
	seen    int64     // the version of the file when the number was read
	state   string    // the files when last checked, if open for reading only
	number  int64     // of changes
}

// promises are the settings behind the guarantees of the store. A confirmed write is on disk
// (synchronous=FULL), and a writer takes the lock when it begins.
var promises = sqlite.Options{Pragmas: []string{"journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)"},
	Immediate: true}

func (e *inFile) close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	var err error
	if e.version != nil {
		err = e.version.Close()
	}
	if e.watch != nil {
		err = errors.Join(err, e.watch.Close())
	}
	e.watch, e.version = nil, nil
	return err
}

func (e *inFile) patience(ctx context.Context, conn *sql.Conn, d time.Duration) error {
	_, err := conn.ExecContext(ctx, fmt.Sprintf("PRAGMA busy_timeout = %d", d.Milliseconds()))
	return err
}

// begun does nothing: patience was set before, because a writer waits when it begins.
func (e *inFile) begun(context.Context, *sql.Tx, time.Duration) error { return nil }

// erase writes the file anew, so that no free page and no log has the text of removed rows.
func (e *inFile) erase(ctx context.Context) error {
	_, err := e.db.ExecContext(ctx, "VACUUM")
	if err == nil {
		_, err = e.db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	}
	return err
}

func (e *inFile) busy(err error, waited time.Duration) error {
	if !sqlite.Busy(err) {
		return err
	}
	who, _ := sqlite.WriterOf(e.path)
	return &BusyError{Path: e.path, Waited: waited, Writer: who}
}

func (e *inFile) repeatable(error) bool { return false }

func (e *inFile) statement(text string) string { return text }

func (e *inFile) values(all []any) []any { return all }

func (e *inFile) digest(hex string) any { return packed(hex) }

func (e *inFile) content(ctx context.Context, again bool) bool {
	return e.has(ctx, contentSchema, again)
}

func (e *inFile) copying(ctx context.Context, again bool) bool {
	return e.has(ctx, copyingSchema, again)
}

// has reports whether the schema has a version. If it had not, it looks again if asked.
func (e *inFile) has(ctx context.Context, version int64, again bool) bool {
	if e.schema.Load() < version && again {
		_ = e.look(ctx) // the query that follows fails, too
	}
	return e.schema.Load() >= version
}

// counting does nothing: a file has one writer at a time.
func (e *inFile) counting(context.Context, *transaction, bool) error { return nil }

func (e *inFile) locked() string { return "" }

// numbersSchema is the version of the schema that has the tables of numbers.
const numbersSchema = 3

func (e *inFile) numbers(ctx context.Context) bool {
	return e.look(ctx) == nil && e.schema.Load() >= numbersSchema
}

func (e *inFile) insert(ctx context.Context, tx *transaction, table string, columns []string, rows [][]any) error {
	return insertEach(ctx, tx, table, columns, rows)
}
