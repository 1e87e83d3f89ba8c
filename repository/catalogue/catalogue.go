package catalogue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"quire/internal/sqlite"
)

// ErrNotFound is returned for a package the catalogue does not know.
var ErrNotFound = errors.New("no such package in the catalogue")

// Catalogue is an open catalogue. It may be used from several goroutines, and several processes may
// hold it open.
type Catalogue struct {
	db   *sql.DB
	path string // of one that is open for reading only; "" of others

	mu      sync.Mutex
	watch   *sql.Conn // of Changes: it never writes
	state   string    // of the files of one that is open for reading only, when they were looked at last
	renewed int64
}

// Open opens the catalogue in the file at path, makes it if it is not there, and brings its schema
// up to date.
func Open(ctx context.Context, path string) (*Catalogue, error) {
	db, err := sqlite.Open(path, promises)
	if err != nil {
		return nil, fmt.Errorf("catalogue %s: %w", path, err)
	}
	if err := migrate(ctx, db); err != nil {
		_ = db.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Catalogue{db: db}, nil
}

// OpenReadOnly opens the catalogue in the file at path, and writes nothing. The error says when its
// schema is not that of today.
func OpenReadOnly(ctx context.Context, path string) (*Catalogue, error) {
	db, err := sqlite.OpenReadOnly(path, sqlite.Options{})
	if err != nil {
		return nil, fmt.Errorf("catalogue %s: %w", path, err)
	}
	c := &Catalogue{db: db, path: path}
	if c.state, err = sqlite.State(path); err == nil {
		err = current(ctx, db)
	}
	if err != nil {
		_ = db.Close() // the error in hand says more
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// promises asks for what the promises of the store need: a write that is acknowledged is on disk
// (synchronous=FULL), and a writer takes the lock when it begins.
var promises = sqlite.Options{Pragmas: []string{"journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)"},
	Immediate: true}

// Close closes the catalogue.
func (c *Catalogue) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var err error
	if c.watch != nil {
		err = c.watch.Close()
		c.watch = nil
	}
	return errors.Join(err, c.db.Close())
}

// Changes is a number that is another one after the catalogue was written to, by whatever process.
// It costs microseconds.
func (c *Catalogue) Changes(ctx context.Context) (n int64, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.path != "" {
		return c.looked()
	}
	if c.watch == nil { // data_version tells of the writes of other connections than the one that asks
		if c.watch, err = c.db.Conn(context.WithoutCancel(ctx)); err != nil {
			return 0, fmt.Errorf("catalogue: asking whether it changed: %w", err)
		}
	}
	// A cancelled question would close the connection, and another one counts anew.
	if err := c.watch.QueryRowContext(context.WithoutCancel(ctx), "PRAGMA data_version").Scan(&n); err != nil {
		return 0, fmt.Errorf("catalogue: asking whether it changed: %w", err)
	}
	return n, nil
}

// looked is Changes of a catalogue that is open for reading only.
func (c *Catalogue) looked() (int64, error) {
	state, err := sqlite.State(c.path)
	if err != nil {
		return 0, fmt.Errorf("catalogue: asking whether it changed: %w", err)
	}
	if state != c.state {
		c.state = state
		c.renewed++
		sqlite.Renew(c.db)
	}
	return c.renewed, nil
}

// inTx runs f in one transaction.
func (c *Catalogue) inTx(ctx context.Context, f func(*sql.Tx) error) error {
	return sqlite.InTx(ctx, c.db, f)
}

// stamp writes a time as the tables keep it.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000000000Z") // fixed width: text order is time order
}

// unstamp reads what stamp wrote.
func unstamp(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{} // only "" gets here: nobody but stamp writes these columns
	}
	return t.UTC()
}
