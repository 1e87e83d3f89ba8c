package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// ErrHeld reports that another session, or another part of this process, holds a lock.
var ErrHeld = errors.New("the lock is held")

// ErrLost reports that the connection to the database was lost, and the locks with it. Other processes may
// hold them now.
var ErrLost = errors.New("the connection to the database was lost, and the locks with it; run the command again")

// Locks holds locks for one process, by its own session of the database (PostgreSQL, clause 13.3.5, advisory
// locks). The server frees them when the process or its machine ends. Several goroutines may use it.
type Locks struct {
	place Place
	name  string

	mu   sync.Mutex
	conn *pgx.Conn
	held map[string]*heldLock // name → the lock, if this process holds it
	lost bool                 // the connection was lost while locks were held
}

// heldLock is a lock of this process. A session may take a lock again that it holds, so the parts of the
// process exclude each other here.
type heldLock struct {
	shared int  // number of readers; 0: one writer
	kept   bool // see Keep
}

// NewLocks returns the locks of a process. It connects with the first lock.
func NewLocks(p Place, name string) *Locks {
	return &Locks{place: p, name: name, held: map[string]*heldLock{}}
}

// Try takes a lock, or returns an error that is [ErrHeld] at once. The holder of an exclusive lock may leave
// its description for [Locks.Holder].
func (l *Locks) Try(ctx context.Context, name string, shared bool, holder string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	ctx, cancel := lasting(ctx)
	defer cancel()
	if h := l.held[name]; h != nil {
		if !shared || h.shared == 0 {
			return ErrHeld
		}
		if err := l.alive(ctx); err != nil {
			return err
		}
		h.shared++
		return nil
	}
	if err := l.connect(ctx); err != nil {
		return err
	}
	function := "pg_try_advisory_lock"
	if shared {
		function += "_shared"
	}
	got, err := l.take(ctx, function, name)
	if err != nil && l.conn.IsClosed() && l.onlyKept() { // it ended since the last call
		if err = l.connect(ctx); err == nil {
			got, err = l.take(ctx, function, name)
		}
	}
	if err != nil {
		return l.failed(err)
	}
	if !got {
		return ErrHeld
	}
	h := &heldLock{}
	if shared {
		h.shared = 1
	}
	l.held[name] = h
	if shared || holder == "" {
		return nil
	}
	// Without the table, in a database that is made again, only the name of the holder is missing.
	_, err = l.conn.Exec(ctx, "INSERT INTO locks (name, holder) VALUES ($1, $2) "+
		"ON CONFLICT (name) DO UPDATE SET holder = excluded.holder", name, holder)
	if err != nil && l.conn.IsClosed() {
		return errors.Join(l.failed(err), l.free(ctx, name, false))
	}
	return nil
}

func (l *Locks) take(ctx context.Context, function, name string) (got bool, err error) {
	err = l.conn.QueryRow(ctx, "SELECT "+function+"($1)", l.key(name)).Scan(&got)
	return got, err
}

// patience bounds each statement. A cancelled statement would close the connection, and lose all locks. So
// they end by themselves.
const patience = 30 * time.Second

func lasting(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), patience)
}

// Keep makes a shared lock outlast its session: it only says that the process is there, and protects no change.
// If no other lock was held when the session ended, the next call begins another session and takes it again.
func (l *Locks) Keep(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if h := l.held[name]; h != nil && h.shared > 0 {
		h.kept = true
	}
}

// onlyKept reports whether no lock is held that protects a change.
func (l *Locks) onlyKept() bool {
	for _, h := range l.held {
		if !h.kept {
			return false
		}
	}
	return true
}

// Release releases a lock that [Locks.Try] took.
func (l *Locks) Release(ctx context.Context, name string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	ctx, cancel := lasting(ctx)
	defer cancel()
	h := l.held[name]
	switch {
	case h == nil:
		return fmt.Errorf("lock %s: this process does not hold it", name)
	case h.shared > 1:
		h.shared--
		return nil
	}
	return l.free(ctx, name, h.shared > 0)
}

func (l *Locks) free(ctx context.Context, name string, shared bool) error {
	delete(l.held, name)
	defer func() { l.lost = l.lost && len(l.held) > 0 }() // without locks, it may connect again
	if l.conn == nil || l.conn.IsClosed() {
		return nil // it ended with the session
	}
	function := "pg_advisory_unlock"
	if shared {
		function += "_shared"
	}
	if !shared {
		if _, err := l.conn.Exec(ctx, "DELETE FROM locks WHERE name = $1", name); err != nil && l.conn.IsClosed() {
			return l.failed(err)
		}
	}
	if _, err := l.conn.Exec(ctx, "SELECT "+function+"($1)", l.key(name)); err != nil {
		return l.failed(err)
	}
	return nil
}

// Holder returns the description that the holder of a lock left, or "".
func (l *Locks) Holder(ctx context.Context, name string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	ctx, cancel := lasting(ctx)
	defer cancel()
	if l.connect(ctx) != nil {
		return ""
	}
	var text string
	err := l.conn.QueryRow(ctx, "SELECT holder FROM locks WHERE name = $1", name).Scan(&text)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		_ = l.failed(err) // it is only for people
	}
	return text
}

// Alive returns an error that is [ErrLost] if the session of the locks has ended. A caller asks before it
// makes a change that needs its locks.
func (l *Locks) Alive(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	ctx, cancel := lasting(ctx)
	defer cancel()
	return l.alive(ctx)
}

func (l *Locks) alive(ctx context.Context) error {
	if l.lost && !l.onlyKept() {
		return ErrLost
	}
	if l.conn == nil {
		return nil
	}
	if !l.conn.IsClosed() {
		err := l.conn.Ping(ctx)
		if err == nil || !l.onlyKept() {
			return l.failed(err)
		}
	}
	return l.connect(ctx)
}

// connect connects the session, if it is not. While a lock is held that protects a change, a lost session is not
// replaced.
func (l *Locks) connect(ctx context.Context) error {
	if l.conn != nil && !l.conn.IsClosed() {
		return nil
	}
	if !l.onlyKept() {
		l.lost = true
		return ErrLost
	}
	c, err := l.place.config(l.name, false)
	if err != nil {
		return err
	}
	c.RuntimeParams["synchronous_commit"] = "off"    // the names of holders are only for people
	c.RuntimeParams["idle_session_timeout"] = "0"    // a lock may be held for days
	c.RuntimeParams["tcp_keepalives_idle"] = "10"    // the server frees the locks of a machine
	c.RuntimeParams["tcp_keepalives_interval"] = "5" // that is gone
	c.RuntimeParams["tcp_keepalives_count"] = "4"    // after half a minute
	conn, err := pgx.ConnectConfig(ctx, c)
	if err != nil {
		return fmt.Errorf("connecting to the database for locks: %w", err)
	}
	l.conn, l.lost = conn, false
	for name := range l.held {
		got, err := l.take(ctx, "pg_try_advisory_lock_shared", name)
		if err == nil && !got {
			err = errors.New("another process has the repository for itself now")
		}
		if err != nil {
			_ = conn.Close(ctx) // the next call tries again
			return errors.Join(ErrLost, err)
		}
	}
	return nil
}

// failed returns the error of a statement, with [ErrLost] if locks were lost.
func (l *Locks) failed(err error) error {
	if err != nil && l.conn != nil && l.conn.IsClosed() && len(l.held) > 0 {
		l.lost = true
		return errors.Join(ErrLost, err)
	}
	return err
}

// Close ends the session, and so releases all locks.
func (l *Locks) Close(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn == nil {
		return nil
	}
	return l.conn.Close(ctx)
}

// key returns the number of a lock: a hash of the schema and the name.
func (l *Locks) key(name string) int64 {
	sum := sha256.Sum256([]byte(l.place.Schema + "\x00" + name))
	return int64(binary.BigEndian.Uint64(sum[:])) //nolint:gosec // any 64 bits are a key
}
