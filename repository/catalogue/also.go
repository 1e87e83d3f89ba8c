package catalogue

import (
	"context"
	"database/sql"
)

// Asker asks the database of a catalogue. Each value has a ? in the query.
type Asker interface {
	QueryRowContext(ctx context.Context, query string, values ...any) *sql.Row
}

// Changer changes the database of a catalogue, in a transaction. Each value has a ? in the statement.
type Changer interface {
	ExecContext(ctx context.Context, statement string, values ...any) (sql.Result, error)
}

// asker implements [Asker].
type asker struct{ *Catalogue }

// QueryRowContext implements [Asker].
func (a asker) QueryRowContext(ctx context.Context, query string, values ...any) *sql.Row {
	return a.row(ctx, query, values...)
}

// Asker returns the database for questions about tables beside the catalogue's.
func (c *Catalogue) Asker() Asker { return asker{c} }

type alsoKey struct{}

// Also returns a context in which [Catalogue.Put] runs f in its transaction, before the end. A transaction that
// is repeated runs f again. An error of f undoes the transaction.
func Also(ctx context.Context, f func(context.Context, Changer) error) context.Context {
	return context.WithValue(ctx, alsoKey{}, f)
}

// also runs the function that [Also] gave.
func also(ctx context.Context, tx *transaction) error {
	if f, ok := ctx.Value(alsoKey{}).(func(context.Context, Changer) error); ok {
		return f(ctx, tx)
	}
	return nil
}
