package search

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Exists reports whether a folder has a text index.
func Exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, fileName))
	return err == nil
}

// Compact removes packages that are gone, and writes the database anew, so that no free page, no list of
// words and no log has their text. Another process that reads keeps the log until it ends.
func (s *Search) Compact(ctx context.Context) error {
	if err := s.Update(ctx); err != nil {
		return err
	}
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	db, err := openWriting(s.dir)
	if err != nil {
		return err
	}
	for _, statement := range []string{
		`DELETE FROM link_host WHERE NOT EXISTS (SELECT 1 FROM link WHERE host = link_host.id)`,
		`INSERT INTO words (words) VALUES ('optimize')`, `VACUUM`,
		`PRAGMA wal_checkpoint(TRUNCATE)`} {
		if _, failed := db.ExecContext(ctx, statement); failed != nil {
			err = fmt.Errorf("compacting the text index: %w", failed)
			break
		}
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	s.saveTable(ctx)
	return nil
}
