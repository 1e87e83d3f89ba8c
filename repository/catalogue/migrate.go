package catalogue

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
)

// migrations are applied in the order of their names, each once and whole. A released one is never
// edited: the next change is the next number.
//
//go:embed migrations/*.sql
var migrations embed.FS

// current returns an error for a schema that is older or newer than that of today.
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
		return fmt.Errorf("catalogue: schema version %d is older than this program reads (%d); open the repository "+
			"once as an account that may write to it", done, len(steps))
	}
	return tooNew(done, len(steps))
}

// tooNew returns an error for a schema of a later program.
func tooNew(done, known int) error {
	if done <= known {
		return nil
	}
	return fmt.Errorf("catalogue: schema version %d is newer than this program knows (%d); use a newer quire", done,
		known)
}

// migrate brings the database to the newest schema. PRAGMA user_version holds how many migrations
// were applied; it is part of the transaction, so a migration that was cut off has not happened.
func migrate(ctx context.Context, db *sql.DB) error {
	steps, err := migrations.ReadDir("migrations")
	if err != nil {
		return fmt.Errorf("catalogue: reading the embedded migrations: %w", err)
	}
	tx, err := db.BeginTx(ctx, nil) // immediate: two processes that open at once do not both migrate
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
