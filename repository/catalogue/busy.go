package catalogue

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"quire/internal/sqlite"
)

// patience is the time that a writer waits for another one.
const patience = 30 * time.Second

// BusyError reports that another process was writing to the catalogue for longer than a writer waits.
// The catalogue is whole, and nothing was written.
type BusyError struct {
	Path   string // of the catalogue
	Waited time.Duration
	Writer sqlite.Writer // zero if unknown
}

// Error names the writer, if the system names it, and the next step.
func (e *BusyError) Error() string {
	who := "another process"
	if e.Writer.PID != 0 {
		who = fmt.Sprintf("process %d", e.Writer.PID)
	}
	if e.Writer.Name != "" {
		who += " (" + e.Writer.Name + ")"
	}
	return fmt.Sprintf("the catalogue %s is busy: %s has been writing to it for more than %v; wait for it to end, "+
		"then try again", e.Path, who, e.Waited)
}

// Patience sets the time that a writer waits for another one; the default is 30 s. A caller sets it
// before the first write.
func (c *Catalogue) Patience(d time.Duration) { c.patience = d }

// inTx runs f in one transaction. It returns a [*BusyError] if another process writes for too long.
func (c *Catalogue) inTx(ctx context.Context, f func(*sql.Tx) error) error {
	return c.inTxAfter(ctx, c.patience, f)
}

// inTxAfter is inTx with a time to wait for another writer.
func (c *Catalogue) inTxAfter(ctx context.Context, patient time.Duration, f func(*sql.Tx) error) error {
	conn, err := c.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // goes back to the pool
	if patient != patience {
		if err := wait(ctx, conn, patient); err != nil {
			return err
		}
		defer func() { _ = wait(context.WithoutCancel(ctx), conn, patience) }() // readers of the pool wait as before
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return c.busy(err, patient)
	}
	if err := f(tx); err != nil {
		_ = tx.Rollback() // the first error is more useful
		return err
	}
	return c.busy(tx.Commit(), patient)
}

// wait sets the time that a connection waits for a lock.
func wait(ctx context.Context, conn *sql.Conn, d time.Duration) error {
	_, err := conn.ExecContext(ctx, fmt.Sprintf("PRAGMA busy_timeout = %d", d.Milliseconds()))
	return err
}

// busy returns a *BusyError for an error that means it, and each other error unchanged.
func (c *Catalogue) busy(err error, waited time.Duration) error {
	if !sqlite.Busy(err) {
		return err
	}
	who, _ := sqlite.WriterOf(c.path)
	return &BusyError{Path: c.path, Waited: waited, Writer: who}
}
