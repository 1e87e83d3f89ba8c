package catalogue

import (
	"context"
	"database/sql"

	"quire/internal/sqlite"
)

// changesSchema is the version of the schema that counts its transactions. In an older one, each write to the file
// counts, also one of the queue.
const changesSchema = 6

// ending counts the transaction.
func (e *inFile) ending(ctx context.Context, tx *sql.Tx) error {
	if e.schema.Load() < changesSchema { // or another process has migrated it meanwhile
		var now int64
		if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&now); err != nil || now < changesSchema {
			return err
		}
	}
	_, err := tx.ExecContext(ctx,
		"INSERT INTO changes (slot, number) VALUES (0, 1) ON CONFLICT (slot) DO UPDATE SET number = number + 1")
	return err
}

// changes asks the version of the file, which is in memory. It reads the number if that has changed.
func (e *inFile) changes(ctx context.Context) (int64, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	// A cancelled query would close the connection, and the data_version of a new connection is not
	// comparable.
	ctx = context.WithoutCancel(ctx)
	if e.readOnly {
		return e.looked(ctx)
	}
	var err error
	if e.watch == nil { // data_version reports only the writes of other connections
		e.watch, err = e.db.Conn(ctx)
	}
	if err == nil && e.version == nil {
		e.version, err = e.watch.PrepareContext(ctx, "PRAGMA data_version")
	}
	if err != nil {
		return 0, err
	}
	var version int64
	if err := e.version.QueryRowContext(ctx).Scan(&version); err != nil || version == e.seen {
		return e.number, err
	}
	number, err := e.counted(ctx, e.watch, version)
	if err == nil {
		e.seen, e.number = version, number
	}
	return number, err
}

// looked implements changes for a catalogue that is open for reading only.
func (e *inFile) looked(ctx context.Context) (int64, error) {
	state, err := sqlite.State(e.path)
	if err != nil || state == e.state {
		return e.number, err
	}
	sqlite.Renew(e.db)
	number, err := e.counted(ctx, e.db, e.number+1)
	if err == nil {
		e.state, e.number = state, number
	}
	return number, err
}

// counted returns the number of transactions, or other for a schema that does not count them.
func (e *inFile) counted(ctx context.Context, db interface {
	QueryRowContext(ctx context.Context, query string, values ...any) *sql.Row
}, other int64) (n int64, err error) {
	if !e.has(ctx, changesSchema, true) {
		return other, nil
	}
	return n, db.QueryRowContext(ctx, "SELECT coalesce(max(number), 0) FROM changes").Scan(&n)
}
