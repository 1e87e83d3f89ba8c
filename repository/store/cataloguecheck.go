package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"quire/internal/sqlite"
)

// headerSize is the length in bytes of the header of a database (https://sqlite.org/fileformat.html,
// clause 1.3).
const headerSize = 100

var errCatalogue = errors.New("it is damaged")

// checkCatalogue returns an error if the file of the catalogue is empty or cut off. The catalogue of a
// repository is never empty: init writes its schema. SQLite makes a new database of an empty file, and
// a repository would then seem to have no package.
//
// SQLite reads the header. Opening and closing the file here would release the locks that this process
// has on it, when it has the repository open twice.
func checkCatalogue(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Size() < headerSize {
		return fmt.Errorf("%w: it has %d bytes", errCatalogue, info.Size())
	}
	db, err := sqlite.OpenReadOnly(path, sqlite.Options{})
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()               // opened for reading only
	version, err := pragma(ctx, db, "user_version") // counts the migrations
	var page int64
	if err == nil {
		page, err = pragma(ctx, db, "page_size")
	}
	switch {
	case sqlite.Damaged(err):
		return fmt.Errorf("%w: %w", errCatalogue, err)
	case sqlite.Busy(err):
		return nil // another process writes: the file is in use
	case sqlite.Denied(err):
		return fmt.Errorf("%w: %w", os.ErrPermission, err)
	case err != nil:
		return err
	case version == 0:
		return fmt.Errorf("%w: it has no tables", errCatalogue)
	case page == 0 || info.Size()%page != 0:
		return fmt.Errorf("%w: its end is cut off", errCatalogue)
	}
	return nil
}

func pragma(ctx context.Context, db *sql.DB, name string) (value int64, err error) {
	err = db.QueryRowContext(ctx, "PRAGMA "+name).Scan(&value)
	return value, err
}
