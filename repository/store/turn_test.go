package store

import (
	"errors"
	"io/fs"
	"testing"

	"quire/internal/postgres"
)

// deniedLocks are locks that this process may read only.
type deniedLocks struct{ locker }

func (deniedLocks) try(string, lockMode, string, string) (*lock, error) { return nil, fs.ErrPermission }

// TestTurn: one of two programs has a turn, and the other is told which one. A lost turn is noticed. Other turns are
// free.
func TestTurn(t *testing.T) {
	t.Parallel()
	one := newRepository(t)
	two := reopen(t, one.root)
	held, err := one.Turn(t.Context(), "index of texts", "feeding")
	if err != nil {
		t.Fatal(err)
	}
	var busy *BusyError
	if _, err := two.Turn(t.Context(), "index of texts", "feeding"); !errors.As(err, &busy) ||
		busy.Holder.Doing != "feeding" {
		t.Errorf("two programs have one turn: %v", err)
	}
	mine := two.locks
	two.locks = deniedLocks{mine}
	if _, err := two.Turn(t.Context(), "index of texts", "feeding"); !errors.As(err, &busy) {
		t.Errorf("a program that may not write the lock has the turn, too: %v", err)
	}
	two.locks = mine
	other, err := two.Turn(t.Context(), "index of pictures", "feeding")
	if err != nil {
		t.Fatal(err)
	}
	other.Release()
	if err := held.Alive(t.Context()); err != nil {
		t.Error(err)
	}
	locks := one.locks
	one.locks = lostLocks{locks}
	if err := held.Alive(t.Context()); !errors.Is(err, postgres.ErrLost) {
		t.Errorf("after the session ended: %v", err)
	}
	one.locks = locks
	held.Release()
	next, err := two.Turn(t.Context(), "index of texts", "feeding")
	if err != nil {
		t.Fatal(err)
	}
	next.Release()
}
