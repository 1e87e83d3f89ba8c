package store

import (
	"context"
	"fmt"
)

// Turn is the exclusive right to work on something beside the repository that several programs share, such as an
// index on a server of its own. Where the catalogue is in a database, it holds for all machines; otherwise for the
// programs of this one. It ends with its process. The zero Turn excludes nothing.
type Turn struct {
	store *Store
	held  *lock
}

// Turn takes the turn with a name, or returns a *BusyError that names the process which has it. doing tells people
// for what. A program that may not write the file of the lock excludes those that may, but not others like it.
func (s *Store) Turn(ctx context.Context, name, doing string) (*Turn, error) {
	lock, subject := "turn-"+name, "the work on the "+name
	held, err := s.tryWriter(ctx, lock, subject, doing)
	if denied(err) {
		held, err = s.locks.tryRead(lock, subject)
	}
	if err != nil {
		return nil, err
	}
	return &Turn{s, held}, nil
}

// Alive returns an error if the turn was lost, because the database ended the session that holds it.
func (t *Turn) Alive(ctx context.Context) error {
	if t.held == nil {
		return nil
	}
	if err := t.store.locks.alive(ctx); err != nil {
		return fmt.Errorf("another process may do this work now: %w", err)
	}
	return nil
}

// Release ends the turn.
func (t *Turn) Release() {
	if t.held != nil {
		t.held.release()
	}
}
