package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"quire/internal/postgres"
)

// locker makes the locks of a repository. Files hold them for the processes of one machine. A catalogue in a
// database holds them for all machines.
type locker interface {
	// try takes a lock, or returns a *BusyError at once.
	try(name string, mode lockMode, subject, doing string) (*lock, error)
	// tryRead is try for readers that may write nothing.
	tryRead(name, subject string) (*lock, error)
	// alive returns an error if the locks that this process holds were lost.
	alive(ctx context.Context) error
	close() error
}

// lockFiles are locks of files in a folder: see [lock].
type lockFiles string

func (f lockFiles) path(name string) string { return filepath.Join(string(f), name+".lock") }

func (f lockFiles) try(name string, mode lockMode, subject, doing string) (*lock, error) {
	return tryLock(f.path(name), mode, subject, doing)
}

func (f lockFiles) tryRead(name, subject string) (*lock, error) {
	return tryReadLock(f.path(name), subject)
}

// alive is always true: the kernel keeps the locks until the process ends.
func (f lockFiles) alive(context.Context) error { return nil }

func (f lockFiles) close() error { return nil }

// databaseLocks are locks of a session of the database.
type databaseLocks struct{ *postgres.Locks }

func (d databaseLocks) try(name string, mode lockMode, subject, doing string) (*lock, error) {
	text, err := json.Marshal(newHolder(doing))
	if err != nil {
		return nil, err
	}
	ctx := context.Background() // each statement has its own limit of time
	err = d.Try(ctx, name, mode == shared, string(text))
	if errors.Is(err, postgres.ErrHeld) {
		var holder Holder
		if json.Unmarshal([]byte(d.Holder(ctx, name)), &holder) != nil {
			holder = Holder{}
		}
		return nil, &BusyError{Subject: subject, Holder: holder}
	}
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	if name == usersLock && mode == shared {
		d.Keep(name)
	}
	// An error means that the session ended, and the lock with it.
	return &lock{free: func() { _ = d.Release(ctx, name) }}, nil
}

func (d databaseLocks) tryRead(name, subject string) (*lock, error) {
	return d.try(name, shared, subject, "")
}

func (d databaseLocks) alive(ctx context.Context) error { return d.Alive(ctx) }

func (d databaseLocks) close() error { return d.Close(context.Background()) }

// newLocker returns the locks of the repository in a folder.
func newLocker(root string, config repositoryConfig) locker {
	if p, ok := config.database(); ok {
		return databaseLocks{postgres.NewLocks(p, "quire locks")}
	}
	return lockFiles(filepath.Join(root, locksFolder))
}

// tryLock takes a lock of the repository, or returns a *BusyError at once.
func (s *Store) tryLock(name string, mode lockMode, subject, doing string) (*lock, error) {
	return s.locks.try(name, mode, subject, doing)
}

// tryWriter is tryLock for writers of an object. A short moment passes between taking a lock and
// signing it. tryWriter tries again during that moment, to name the holder in its refusal.
func (s *Store) tryWriter(ctx context.Context, name, subject, doing string) (*lock, error) {
	return named(ctx, func() (*lock, error) { return s.tryLock(name, exclusive, subject, doing) })
}

// waitLock takes the lock as soon as it is free, or returns when ctx ends.
func (s *Store) waitLock(ctx context.Context, name string, mode lockMode, subject, doing string) (*lock, error) {
	return whenFree(ctx, func() (*lock, error) { return s.tryLock(name, mode, subject, doing) })
}

// readLock names the lock that readers of an object share. A writer takes it while moving a change into
// place.
func readLock(key string) string { return key + ".read" }

// usersLock names the lock that each process shares that has the repository open.
const usersLock = "users"
