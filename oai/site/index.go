package site

import (
	"context"
	"database/sql"
	_ "embed" // the schema
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"quire/internal/filelock"
	"quire/internal/sqlite"
)

//go:embed schema.sql
var schema string

// version is the version of the schema.
const version = 1

// index is the open index of one site. Sites in one process with the same state folder share it,
// because a web server that reloads its configuration opens the new site before it closes the old
// one.
type index struct {
	path  string
	db    *sql.DB
	get   *sql.Stmt // getQuery
	now   func() time.Time
	users int // under open.mu
	lock  *os.File

	// reading is read-locked while a page is read, and locked while changes are written. Otherwise
	// a change could get a datestamp earlier than a list that does not contain the change.
	reading sync.RWMutex
	latest  int64 // the last datestamp used, under reading
	changes int64 // number of writes, under reading
}

// open holds the open indexes of this process.
var open = struct {
	mu    sync.Mutex
	paths map[string]*index
}{paths: map[string]*index{}}

// openIndex opens or creates the index in a state folder.
func openIndex(ctx context.Context, state string) (*index, error) {
	if err := os.MkdirAll(state, 0o700); err != nil {
		return nil, fmt.Errorf("the index of the site: %w", err)
	}
	path, err := filepath.Abs(filepath.Join(state, "site.db"))
	if err != nil {
		return nil, fmt.Errorf("the index of the site: %w", err)
	}
	open.mu.Lock()
	defer open.mu.Unlock()
	if x := open.paths[path]; x != nil {
		x.users++
		return x, nil
	}
	lock, err := lockState(state)
	if err != nil {
		return nil, err
	}
	db, err := sqlite.Open(path, options)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the index of the site, %s: %w", path, err), lock.Close())
	}
	x := &index{path: path, db: db, users: 1, now: time.Now, lock: lock}
	if err := x.prepare(ctx); err != nil {
		_, _ = db.Close(), lock.Close() // the first error has more information
		return nil, fmt.Errorf("the index of the site, %s: %w%s", path, err, remedy(err))
	}
	open.paths[path] = x
	return x, nil
}

// ErrInUse means that another process holds the index of a site. Two processes would each mark
// resources as deleted that only the other finds.
var ErrInUse = errors.New("another process holds the index of its site there: end that process, or set " +
	"another state folder")

// lockState locks a state folder against other processes.
func lockState(state string) (*os.File, error) {
	lock, err := os.OpenFile(filepath.Join(state, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the index of the site: %w", err)
	}
	err = filelock.Try(lock)
	if errors.Is(err, filelock.ErrHeld) {
		return nil, errors.Join(fmt.Errorf("the state folder %s: %w", state, ErrInUse), lock.Close())
	}
	return lock, nil // serve even if the file system has no locks
}

// remedy returns the advice for an unreadable index.
func remedy(err error) string {
	if sqlite.Damaged(err) {
		return ": restore a copy or remove it; a new index has no deleted records, so harvesters should " +
			"then request everything again"
	}
	return ""
}

// options are for many readers and one writer. After a power failure recent commits may be lost
// (synchronous=NORMAL), but never half done. The next look then detects the change again, with a
// later datestamp.
var options = sqlite.Options{Pragmas: []string{"journal_mode(WAL)", "synchronous(NORMAL)", "temp_store(FILE)"},
	Immediate: true}

func (x *index) prepare(ctx context.Context) error {
	err := x.inTx(ctx, func(tx *sql.Tx) error {
		var have int
		if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil {
			return err
		}
		switch {
		case have > version:
			return fmt.Errorf("it has version %d, but this program supports up to %d: use a newer quire", have,
				version)
		case have == version:
			return nil
		}
		if _, err := tx.ExecContext(ctx, schema); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version))
		return err
	})
	if err != nil {
		return err
	}
	if x.get, err = x.db.PrepareContext(ctx, getQuery); err != nil {
		return err
	}
	return x.db.QueryRowContext(ctx, "SELECT coalesce(max(datestamp), 0) FROM resource").Scan(&x.latest)
}

// close releases the index.
func (x *index) close() error {
	open.mu.Lock()
	defer open.mu.Unlock()
	if x.users--; x.users > 0 {
		return nil
	}
	delete(open.paths, x.path)
	return errors.Join(x.get.Close(), x.db.Close(), x.lock.Close())
}

// inTx runs f in one transaction.
func (x *index) inTx(ctx context.Context, f func(*sql.Tx) error) error {
	return sqlite.InTx(ctx, x.db, f)
}

// fact returns a number stored in the index, or 0.
func (x *index) fact(ctx context.Context, name string) (n int64, err error) {
	err = x.db.QueryRowContext(ctx, "SELECT value FROM fact WHERE name = ?", name).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return n, err
}

func (x *index) setFact(ctx context.Context, name string, n int64) error {
	_, err := x.db.ExecContext(ctx,
		"INSERT INTO fact VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", name, n)
	return err
}
