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

// version of the schema.
const version = 1

// index is the open index of one site. Sites of one process that have the same state folder share
// it: a web server that reads its configuration anew has the next one open before it closes the
// last.
type index struct {
	path  string
	db    *sql.DB
	get   *sql.Stmt // getQuery
	now   func() time.Time
	users int // under open.mu
	lock  *os.File

	// reading is held while a page is read, writing while changes are written: so nothing gets a
	// datestamp of before a list that does not have it.
	reading sync.RWMutex
	latest  int64 // the last datestamp that was given, under reading
	changes int64 // how often something was written, under reading
}

// open are the indexes of this process.
var open = struct {
	mu    sync.Mutex
	paths map[string]*index
}{paths: map[string]*index{}}

// openIndex opens the index in a state folder, or makes it.
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
		_, _ = db.Close(), lock.Close() // the error in hand says more
		return nil, fmt.Errorf("the index of the site, %s: %w%s", path, err, remedy(err))
	}
	open.paths[path] = x
	return x, nil
}

// ErrInUse says that another process keeps the index of a site. Two would each take for gone what
// only the other one finds.
var ErrInUse = errors.New("another process keeps the index of its site there: end that one, or name another state " +
	"folder")

// lockState keeps other processes away from a state folder.
func lockState(state string) (*os.File, error) {
	lock, err := os.OpenFile(filepath.Join(state, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the index of the site: %w", err)
	}
	err = filelock.Try(lock)
	if errors.Is(err, filelock.ErrHeld) {
		return nil, errors.Join(fmt.Errorf("the state folder %s: %w", state, ErrInUse), lock.Close())
	}
	return lock, nil // a file system that cannot lock is no reason not to serve
}

// remedy says what to do about an index that cannot be read.
func remedy(err error) string {
	if sqlite.Damaged(err) {
		return ": put a copy of it back, or remove it; an index that is made anew has no tombstones, so harvesters " +
			"should then ask for everything again"
	}
	return ""
}

// options are for many readers and one writer. What is committed when the power fails may be undone
// (synchronous=NORMAL), never half done: then the next look sees the change again, and gives it a
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
			return fmt.Errorf("it has version %d, which is newer than this program knows (%d): use a newer quire", have,
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

// close gives the index back.
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

// fact gives a number that the index keeps of itself; 0 when it does not.
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
