package catalogue

import (
	"context"
	"database/sql"
	"strings"
	"time"
)

// engine is the database of a catalogue. Its parts are those in which the databases differ.
type engine interface {
	// migrate brings the schema to the newest version.
	migrate(ctx context.Context) error
	// readable returns an error if this program cannot read the schema.
	readable(ctx context.Context) error
	// content reports whether the schema has the tables content and runs. If it had not, it looks again if
	// asked: another process may have migrated it.
	content(ctx context.Context, again bool) bool
	// copying reports whether the schema has lines of records in the table events. It looks again as content does.
	copying(ctx context.Context, again bool) bool
	// changes returns a number that differs after any process has written.
	changes(ctx context.Context) (int64, error)
	// patience makes the connection wait for other writers.
	patience(ctx context.Context, conn *sql.Conn, d time.Duration) error
	// begun is called in a transaction that was begun, and ending before its end.
	begun(ctx context.Context, tx *sql.Tx, d time.Duration) error
	ending(ctx context.Context, tx *sql.Tx) error
	// erase removes what deleted rows leave behind.
	erase(ctx context.Context) error
	// busy returns a *BusyError for an error that means it, and each other error unchanged.
	busy(err error, waited time.Duration) error
	// repeatable reports whether an error means that the transaction met another one, and can be repeated.
	repeatable(err error) bool
	// statement returns a statement with ? for each value in the form of the database, and values its values.
	statement(text string) string
	values(all []any) []any
	// digest returns the form of a digest in the tables.
	digest(hex string) any
	// counting excludes changes of the members of collections while numbers change, and the other way round.
	counting(ctx context.Context, tx *transaction, members bool) error
	// locked ends a query for a row that no other transaction may change before the end of this one.
	locked() string
	// numbers reports whether the schema has the tables of numbers.
	numbers(ctx context.Context) bool
	// insert writes rows into a table.
	insert(ctx context.Context, tx *transaction, table string, columns []string, rows [][]any) error
	// close closes all but the pool of connections.
	close() error
}

// transaction is an open transaction. Its statements have ? for each value.
type transaction struct {
	*sql.Tx
	conn   *sql.Conn
	engine engine
}

// ExecContext runs a statement that returns no rows.
func (t *transaction) ExecContext(ctx context.Context, statement string, values ...any) (sql.Result, error) {
	return t.Tx.ExecContext(ctx, t.engine.statement(statement), t.engine.values(values)...)
}

// QueryRowContext runs a statement that returns one row.
func (t *transaction) QueryRowContext(ctx context.Context, statement string, values ...any) *sql.Row {
	return t.Tx.QueryRowContext(ctx, t.engine.statement(statement), t.engine.values(values)...)
}

// PrepareContext prepares a statement for values that [engine.values] does not change.
func (t *transaction) PrepareContext(ctx context.Context, statement string) (*sql.Stmt, error) {
	return t.Tx.PrepareContext(ctx, t.engine.statement(statement))
}

// insertEach writes rows into a table, one after another.
func insertEach(ctx context.Context, tx *transaction, table string, columns []string, rows [][]any) error {
	marks := strings.TrimPrefix(strings.Repeat(", ?", len(columns)), ", ")
	insert, err := tx.PrepareContext(ctx,
		"INSERT INTO "+table+" ("+strings.Join(columns, ", ")+") VALUES ("+marks+")")
	if err != nil {
		return err
	}
	defer func() { _ = insert.Close() }() // every Exec is checked; the transaction decides
	for _, row := range rows {
		if _, err := insert.ExecContext(ctx, row...); err != nil {
			return err
		}
	}
	return nil
}

// row runs a query that returns one row.
func (c *Catalogue) row(ctx context.Context, query string, values ...any) *sql.Row {
	return c.db.QueryRowContext(ctx, c.engine.statement(query), c.engine.values(values)...)
}
