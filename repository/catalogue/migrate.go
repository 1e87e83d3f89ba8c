package catalogue

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
)

// migrations are applied in the order of their names, each once and completely. A released
// migration is never edited: the next change gets the next number.
//
//go:embed migrations/*.sql
var migrations embed.FS

// current returns an error if the schema is older or newer than the current version.
func current(ctx context.Context, db *sql.DB) error {
	steps, err := migrations.ReadDir("migrations")
	if err != nil {
		return fmt.Errorf("catalogue: reading the embedded migrations: %w", err)
	}
	var done int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&done); err != nil {
		return fmt.Errorf("catalogue: reading the schema version: %w", err)
	}
	if done < len(steps) {
		return fmt.Errorf("catalogue: schema version %d is older than this program reads (%d); open the "+
			"repository once from an account with write access", done, len(steps))
	}
	return tooNew(done, len(steps))
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
// migrations. It is part of the transaction, so an interrupted migration leaves no trace.
func migrate(ctx context.Context, db *sql.DB) error {
	steps, err := migrations.ReadDir("migrations")
	if err != nil {
		return fmt.Errorf("catalogue: reading the embedded migrations: %w", err)
	}
	tx, err := db.BeginTx(ctx, nil) // immediate: of two processes, only one migrates
	if err != nil {
		return fmt.Errorf("catalogue: beginning the migration: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // no effect after Commit
	var done int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&done); err != nil {
		return fmt.Errorf("catalogue: reading the schema version: %w", err)
	}
	if err := tooNew(done, len(steps)); err != nil {
		return err
	}
	for _, step := range steps[done:] {
		text, err := migrations.ReadFile("migrations/" + step.Name())
		if err != nil {
			return fmt.Errorf("catalogue: reading migration %s: %w", step.Name(), err)
		}
		if _, err := tx.ExecContext(ctx, string(text)); err != nil {
			return fmt.Errorf("catalogue: migration %s: %w", step.Name(), err)
		}
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", len(steps))); err != nil {
		return fmt.Errorf("catalogue: writing the schema version: %w", err)
	}
	return tx.Commit()
}
