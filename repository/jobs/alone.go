package jobs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"quire/internal/filelock"
)

// alone runs f while no other process makes tables. A lock of the session, or of a file, decides.
func (q *Queue) alone(ctx context.Context, f func(context.Context) error) error {
	if q.place.Database != nil {
		return q.aloneInDatabase(ctx, f)
	}
	file, err := os.OpenFile(filepath.Join(q.place.folder(), "tables.lock"), os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // releases the lock; nothing was written
	for {
		err := filelock.Try(file)
		if err == nil {
			return f(ctx)
		}
		if !errors.Is(err, filelock.ErrHeld) {
			return err
		}
		if err := pause(ctx, 10*time.Millisecond); err != nil {
			return err
		}
	}
}

func (q *Queue) aloneInDatabase(ctx context.Context, f func(context.Context) error) error {
	conn, err := q.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // goes back to the pool
	const turn = "hashtextextended(current_schema() || ' jobs', 0)"
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock("+turn+")"); err != nil {
		return err
	}
	err = f(ctx)
	_, free := conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock("+turn+")")
	return errors.Join(err, free)
}

// pause waits, or returns the error of a context that ends.
func pause(ctx context.Context, d time.Duration) error {
	if d == 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}
