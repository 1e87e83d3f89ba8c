package catalogue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// fills has the parts of a migration that are not one statement, by the name of its file.
var fills = map[string]func(context.Context, *transaction) error{"0002-content.sql": fill0002}

// fillPage is the number of packages that fill0002 moves at once. SQLite sorts the rows of one page
// in memory.
const fillPage = 500

// fill0002 moves the rows of the table files, which had a row for each version, into the table
// content. It removes the old rows page by page, so that the new ones take their place in the file.
func fill0002(ctx context.Context, tx *transaction) error {
	after := ""
	for {
		var last string
		err := tx.QueryRowContext(ctx,
			"SELECT max(id) FROM (SELECT id FROM packages WHERE id > ? ORDER BY id LIMIT ?) HAVING count(*) > 0",
			after, fillPage).Scan(&last)
		if errors.Is(err, sql.ErrNoRows) {
			break
		}
		if err != nil {
			return fmt.Errorf("reading the packages: %w", err)
		}
		if _, err := tx.ExecContext(ctx, spans, after, last); err != nil {
			return fmt.Errorf("moving the files of %s and before: %w", last, err)
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM files WHERE package > ? AND package <= ?", after, last)
		if err != nil {
			return fmt.Errorf("removing the old rows: %w", err)
		}
		after = last
	}
	_, err := tx.ExecContext(ctx, "DROP TABLE files")
	return err
}

// spans makes one row of the rows for consecutive versions with equal values. Within such a group,
// the number of the version minus the position of the row is constant.
const spans = `INSERT INTO content (package, path, first, last, size, sha512, use)
	SELECT package, path, min(version), max(version), size,
		CASE WHEN sha512 != '' AND lower(hex(unhex(sha512))) = sha512 THEN unhex(sha512) ELSE sha512 END, use
	FROM (SELECT package, path, version, size, sha512, use, version - row_number() OVER
			(PARTITION BY package, path, size, sha512, use ORDER BY version) AS island
		FROM files WHERE package > ? AND package <= ?)
	GROUP BY package, path, size, sha512, use, island`
