package catalogue

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"quire/internal/longwork"
)

// migrations are applied in the order of their names, each once and completely. A released
// migration is never edited: the next change gets the next number.
//
//go:embed migrations/sqlite/*.sql migrations/postgres/*.sql
var migrations embed.FS

// readable returns an error if this program cannot read the schema. It reads every version since the
// first.
func (e *inFile) readable(ctx context.Context) error {
	steps, err := migrations.ReadDir("migrations/sqlite")
	if err != nil {
		return fmt.Errorf("catalogue: reading the embedded migrations: %w", err)
	}
	if err := e.look(ctx); err != nil {
		return err
	}
	done := int(e.schema.Load())
	if done == 0 {
		return fmt.Errorf("catalogue: it has no tables yet; open the repository once from an account with write access")
	}
	return tooNew(done, len(steps))
}

// look reads the version of the schema.
func (e *inFile) look(ctx context.Context) error {
	var done int64
	if err := e.db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&done); err != nil {
		return fmt.Errorf("catalogue: reading the schema version: %w", e.busy(err, patience))
	}
	e.schema.Store(done)
	return nil
}

// tooNew returns an error for the schema of a newer program.
func tooNew(done, known int) error {
	if done <= known {
		return nil
	}
	return fmt.Errorf("catalogue: schema version %d is newer than this program reads (%d); use a newer quire", done,
		known)
}

// migrate brings the database to the newest schema. PRAGMA user_version holds the number of applied
// migrations. It is part of the transaction, so an interrupted migration leaves no trace. Others read
// the old schema meanwhile.
func (e *inFile) migrate(ctx context.Context) error {
	steps, err := migrations.ReadDir("migrations/sqlite")
	if err != nil {
		return fmt.Errorf("catalogue: reading the embedded migrations: %w", err)
	}
	if err := e.look(ctx); err != nil {
		return err
	}
	if int(e.schema.Load()) < len(steps) {
		defer migrating(ctx)()
		err := transact(ctx, e.db, e, patience, func(tx *transaction) error { return apply(ctx, tx, steps) })
		if err != nil {
			return err
		}
		if err := e.look(ctx); err != nil {
			return err
		}
	}
	return tooNew(int(e.schema.Load()), len(steps))
}

// migrating reports a migration that takes long. The caller calls end.
func migrating(ctx context.Context) (end func()) {
	return longwork.Begin(ctx, "the catalogue gets the tables and indexes that this version of quire needs, "+
		"here or by another process")
}

// apply applies the migrations that are missing. Another process may have applied them meanwhile.
func apply(ctx context.Context, tx *transaction, steps []fs.DirEntry) error {
	var done int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&done); err != nil {
		return fmt.Errorf("catalogue: reading the schema version: %w", err)
	}
	if done > len(steps) {
		return tooNew(done, len(steps))
	}
	for _, step := range steps[done:] {
		text, err := migrations.ReadFile("migrations/sqlite/" + step.Name())
		if err != nil {
			return fmt.Errorf("catalogue: reading migration %s: %w", step.Name(), err)
		}
		if _, err := tx.ExecContext(ctx, string(text)); err != nil {
			return fmt.Errorf("catalogue: migration %s: %w", step.Name(), err)
		}
		if fill := fills[step.Name()]; fill != nil {
			if err := fill(ctx, tx); err != nil {
				return fmt.Errorf("catalogue: migration %s: %w", step.Name(), err)
			}
		}
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", len(steps))); err != nil {
		return fmt.Errorf("catalogue: writing the schema version: %w", err)
	}
	return nil
}
