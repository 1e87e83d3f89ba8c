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

// ErrNotFound reports that the catalogue has no package of that id or path.
var ErrNotFound = errors.New("no such package in the catalogue")

// Catalogue is an open catalogue. Several goroutines may use it, and several processes may open it
// at once.
type Catalogue struct {
	db        *sql.DB
	path      string
	readOnly  bool
	patience  time.Duration // of writers
	forEvents time.Duration // of AddEvent, if it is longer
	schema    atomic.Int64  // the version that was seen last

	mu      sync.Mutex
	watch   *sql.Conn // for Changes: it never writes
	version *sql.Stmt // of watch, for Changes
	state   string    // the files when last checked, if open for reading only
	renewed int64
}

// Open opens the catalogue in the file at path. It creates a missing file and migrates the schema
// to the current version. It takes the write lock only for that, and returns a [*BusyError] if
// another process holds it for too long.
func Open(ctx context.Context, path string) (*Catalogue, error) {
	c, err := opened(path)
	if err != nil {
		return nil, err
	}
	return c.checked(c.migrate(ctx))
}

// OpenForReading opens the catalogue in the file at path for a caller that reads, and may write. It
// does not migrate an older schema, and a write does not wait for another process.
func OpenForReading(ctx context.Context, path string) (*Catalogue, error) {
	c, err := opened(path)
	if err != nil {
		return nil, err
	}
	c.patience, c.forEvents = 0, patience
	return c.checked(c.readable(ctx))
}

func opened(path string) (*Catalogue, error) {
	db, err := sqlite.Open(path, promises)
	if err != nil {
		return nil, fmt.Errorf("catalogue %s: %w", path, err)
	}
	return &Catalogue{db: db, path: path, patience: patience}, nil
}

// checked returns the catalogue, or closes it if there is an error.
func (c *Catalogue) checked(err error) (*Catalogue, error) {
	if err == nil {
		return c, nil
	}
	_ = c.db.Close() // the earlier error is more informative
	var busy *BusyError
	if errors.As(err, &busy) {
		return nil, err
	}
	return nil, fmt.Errorf("%s: %w", c.path, err)
}

// OpenReadOnly opens the catalogue in the file at path, and writes nothing. It reads older schemas
// too; the error reports a newer one.
func OpenReadOnly(ctx context.Context, path string) (*Catalogue, error) {
	db, err := sqlite.OpenReadOnly(path, sqlite.Options{})
	if err != nil {
		return nil, fmt.Errorf("catalogue %s: %w", path, err)
	}
	c := &Catalogue{db: db, path: path, readOnly: true}
	if c.state, err = sqlite.State(path); err == nil {
		err = c.readable(ctx)
	}
	return c.checked(err)
}

// promises are the settings behind the guarantees of the store. A confirmed write is on disk
// (synchronous=FULL), and a writer takes the lock when it begins.
var promises = sqlite.Options{Pragmas: []string{"journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)"},
	Immediate: true}

// Close closes the catalogue.
func (c *Catalogue) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var err error
	if c.version != nil {
		err = c.version.Close()
	}
	if c.watch != nil {
		err = errors.Join(err, c.watch.Close())
	}
	c.watch, c.version = nil, nil
	return errors.Join(err, c.db.Close())
}

// Changes returns a number that differs after any process has written to the catalogue. A call
// takes microseconds.
func (c *Catalogue) Changes(ctx context.Context) (n int64, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.readOnly {
		return c.looked()
	}
	// A cancelled query would close the connection, and the data_version of a new connection is not
	// comparable.
	ctx = context.WithoutCancel(ctx)
	if c.watch == nil { // data_version reports only the writes of other connections
		c.watch, err = c.db.Conn(ctx)
	}
	if err == nil && c.version == nil {
		c.version, err = c.watch.PrepareContext(ctx, "PRAGMA data_version")
	}
	if err == nil {
		err = c.version.QueryRowContext(ctx).Scan(&n)
	}
	if err != nil {
		return 0, fmt.Errorf("catalogue: checking for changes: %w", err)
	}
	return n, nil
}

// looked implements Changes for a catalogue that is open for reading only.
func (c *Catalogue) looked() (int64, error) {
	state, err := sqlite.State(c.path)
	if err != nil {
		return 0, fmt.Errorf("catalogue: checking for changes: %w", err)
	}
	if state != c.state {
		c.state = state
		c.renewed++
		sqlite.Renew(c.db)
	}
	return c.renewed, nil
}

// stamp formats a time for the tables.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000000000Z") // fixed width: text order is time order
}

// unstamp parses a time that stamp formatted.
func unstamp(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{} // only "" gets here: stamp is the only writer of these columns
	}
	return t.UTC()
}
