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
func (c *Catalogue) inTx(ctx context.Context, f func(*transaction) error) error {
	return c.inTxAfter(ctx, c.patience, f)
}

// inTxAfter is inTx with a time to wait for another writer.
func (c *Catalogue) inTxAfter(ctx context.Context, patient time.Duration, f func(*transaction) error) error {
	const tries = 5
	for try := 1; ; try++ {
		err := transact(ctx, c.db, c.engine, patient, f)
		if try == tries || !c.engine.repeatable(err) {
			return err
		}
	}
}

// transact runs f in one transaction of a database.
func transact(ctx context.Context, db *sql.DB, e engine, patient time.Duration, f func(*transaction) error) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // goes back to the pool
	if patient != patience {
		if err := e.patience(ctx, conn, patient); err != nil {
			return err
		}
		// readers of the pool wait as before
		defer func() { _ = e.patience(context.WithoutCancel(ctx), conn, patience) }()
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return e.busy(err, patient)
	}
	err = e.begun(ctx, tx, patient)
	if err == nil {
		err = f(&transaction{Tx: tx, conn: conn, engine: e})
	}
	if err == nil {
		err = e.ending(ctx, tx)
	}
	if err != nil {
		_ = tx.Rollback() // the first error is more useful
		return e.busy(err, patient)
	}
	return e.busy(tx.Commit(), patient)
}
