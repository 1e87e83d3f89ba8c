package catalogue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"quire/internal/sqlite"
)

// ErrNotFound reports that the catalogue has no package of that id or path.
var ErrNotFound = errors.New("no such package in the catalogue")

// Catalogue is an open catalogue. Several goroutines may use it, and several processes may open it
// at once.
type Catalogue struct {
	db        *sql.DB
	engine    engine
	path      string        // of the file, or the place in a database
	patience  time.Duration // of writers
	forEvents time.Duration // of AddEvent, if it is longer
}

// Open opens the catalogue in the file at path. It creates a missing file and migrates the schema
// to the current version. It takes the write lock only for that, and returns a [*BusyError] if
// another process holds it for too long.
func Open(ctx context.Context, path string) (*Catalogue, error) {
	c, err := opened(path)
	if err != nil {
		return nil, err
	}
	return c.checked(c.engine.migrate(ctx))
}

// OpenForReading opens the catalogue in the file at path for a caller that reads, and may write. It
// does not migrate an older schema, and a write does not wait for another process.
func OpenForReading(ctx context.Context, path string) (*Catalogue, error) {
	c, err := opened(path)
	if err != nil {
		return nil, err
	}
	c.patience, c.forEvents = 0, patience
	return c.checked(c.engine.readable(ctx))
}

func opened(path string) (*Catalogue, error) {
	db, err := sqlite.Open(path, promises)
	if err != nil {
		return nil, fmt.Errorf("catalogue %s: %w", path, err)
	}
	return &Catalogue{db: db, path: path, patience: patience, engine: &inFile{db: db, path: path}}, nil
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
	e := &inFile{db: db, path: path, readOnly: true}
	c := &Catalogue{db: db, path: path, patience: patience, engine: e}
	if e.state, err = sqlite.State(path); err == nil {
		err = e.readable(ctx)
	}
	return c.checked(err)
}

// Close closes the catalogue.
func (c *Catalogue) Close() error { return errors.Join(c.engine.close(), c.db.Close()) }

// Changes returns a number that differs after any process has written to the catalogue. A call
// takes microseconds, or with a database the time of one answer.
func (c *Catalogue) Changes(ctx context.Context) (int64, error) {
	n, err := c.engine.changes(ctx)
	if err != nil {
		return 0, fmt.Errorf("catalogue: checking for changes: %w", err)
	}
	return n, nil
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
