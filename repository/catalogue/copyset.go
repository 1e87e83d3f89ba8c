package catalogue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// copyPage is the number of packages that AddCopy records in one transaction. Other writers go on
// between two of them.
const copyPage = 10_000

// AddCopy records that a new copy lacks every package. States that are known already stay.
func (c *Catalogue) AddCopy(ctx context.Context, name string, since time.Time) error {
	for after := ""; ; {
		var last sql.NullString
		err := c.inTx(ctx, func(tx *sql.Tx) error {
			if err := tx.QueryRowContext(ctx, `SELECT max(id) FROM
				(SELECT id FROM packages WHERE id > ? ORDER BY id LIMIT ?)`, after, copyPage).Scan(&last); err != nil {
				return err
			}
			_, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO copies (package, name, status, since, checked)
				SELECT id, ?, ?, ?, '' FROM packages WHERE id > ? AND id <= ?`, name, string(Missing), stamp(since),
				after, last.String)
			return err
		})
		if err != nil {
			return fmt.Errorf("catalogue: recording copy %s: %w", name, err)
		}
		if !last.Valid {
			return nil
		}
		after = last.String
	}
}

// HasCopy reports whether each package has a state in a copy. [Catalogue.AddCopy] writes the states in the order of the
// ids, so the last package has none if it was cut off.
func (c *Catalogue) HasCopy(ctx context.Context, name string) (bool, error) {
	has, err := collect(ctx, c, func(row scanner) (there bool, err error) { return there, row.Scan(&there) },
		`SELECT EXISTS (SELECT 1 FROM copies WHERE package = last.id AND name = ?)
			FROM (SELECT max(id) AS id FROM packages) AS last WHERE last.id IS NOT NULL`, name)
	if err != nil {
		return false, fmt.Errorf("catalogue: looking for copy %s: %w", name, err)
	}
	return len(has) == 0 || has[0], nil
}

// DropCopy forgets the states of all packages in a copy. Its events stay.
func (c *Catalogue) DropCopy(ctx context.Context, name string) error {
	err := c.inTx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM copies WHERE name = ?", name)
		return err
	})
	if err != nil {
		return fmt.Errorf("catalogue: forgetting copy %s: %w", name, err)
	}
	return nil
}

// CopySum counts the packages of one copy that have one state.
type CopySum struct {
	Copy     string
	Status   Status
	Packages int64
	Bytes    int64     // of the newest versions
	Oldest   time.Time // the reading that is longest ago; zero if a package was never read
}

// CopySums counts the packages of each copy by their last known state.
func (c *Catalogue) CopySums(ctx context.Context) ([]CopySum, error) {
	sums, err := collect(ctx, c, func(row scanner) (CopySum, error) {
		var s CopySum
		var oldest string
		err := row.Scan(&s.Copy, &s.Status, &s.Packages, &s.Bytes, &oldest)
		s.Oldest = unstamp(oldest)
		return s, err
	}, `SELECT name, status, count(*), sum(bytes), min(checked)
		FROM copies JOIN packages ON packages.id = copies.package GROUP BY name, status ORDER BY name, status`)
	if err != nil {
		return nil, fmt.Errorf("catalogue: counting the copies: %w", err)
	}
	return sums, nil
}

// OnlyIn counts the packages that are good or [AsListed] in one copy, and in none of the others. It returns
// the first of them, too.
func (c *Catalogue) OnlyIn(ctx context.Context, name string, others []string) (n int64, first string, err error) {
	args := []any{name}
	for _, other := range others {
		args = append(args, other)
	}
	marks := strings.TrimPrefix(strings.Repeat(", ?", len(others)), ", ")
	var id sql.NullString
	err = c.db.QueryRowContext(ctx, `SELECT count(*), min(package) FROM copies AS here WHERE name = ?
		AND status IN ('good', 'listed') AND NOT EXISTS (SELECT 1 FROM copies AS there
			WHERE there.package = here.package AND there.status IN ('good', 'listed')
				AND there.name IN (`+marks+`))`, args...).Scan(&n, &id)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, "", fmt.Errorf("catalogue: counting the packages of copy %s: %w", name, err)
	}
	return n, id.String, nil
}

// Bytes returns the size of all packages, in their newest versions.
func (c *Catalogue) Bytes(ctx context.Context) (n int64, err error) {
	if err := c.db.QueryRowContext(ctx, "SELECT coalesce(sum(bytes), 0) FROM packages").Scan(&n); err != nil {
		return 0, fmt.Errorf("catalogue: adding up the packages: %w", err)
	}
	return n, nil
}
