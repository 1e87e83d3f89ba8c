package harvest

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"quire/internal/sqlite"
	"quire/source/oaiharvest"
)

// seen is the index of stored records. It prevents storing a record twice when windows overlap or a
// list is requested again. Without it, records would be duplicated but not lost.
type seen struct {
	db   *sql.DB
	tx   *sql.Tx
	find *sql.Stmt
	put  *sql.Stmt
}

func isSeen(name string) bool { return strings.HasPrefix(name, oaiharvest.SeenFile) }

const seenTables = `
CREATE TABLE IF NOT EXISTS record (key BLOB PRIMARY KEY, digest BLOB NOT NULL, page INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS token (key BLOB PRIMARY KEY, page INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS path (folded TEXT PRIMARY KEY, page INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS record_page ON record (page);
`

// openSeen opens the index, and removes entries of pages that the state does not have.
func openSeen(ctx context.Context, path string, pages int64) (*seen, error) {
	s, err := tryOpenSeen(ctx, path, pages)
	if err == nil || ctx.Err() != nil {
		return s, err
	}
	if gone := sqlite.Remove(path); gone != nil { // damaged: replace it
		return nil, errors.Join(err, gone)
	}
	return tryOpenSeen(ctx, path, pages)
}

func tryOpenSeen(ctx context.Context, path string, pages int64) (*seen, error) {
	db, err := sqlite.Open(path, sqlite.Options{Pragmas: []string{"journal_mode(WAL)", "synchronous(NORMAL)"}})
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	s := &seen{db: db}
	_, err = db.ExecContext(ctx, seenTables)
	for _, table := range []string{"record", "token", "path"} {
		if err == nil {
			_, err = db.ExecContext(ctx, "DELETE FROM "+table+" WHERE page > ?", pages)
		}
	}
	if err == nil {
		err = s.begin()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), db.Close())
	}
	return s, nil
}

func (s *seen) begin() (err error) {
	if s.tx, err = s.db.Begin(); err != nil {
		return err
	}
	if s.find, err = s.tx.Prepare("SELECT digest FROM record WHERE key = ?"); err != nil {
		return err
	}
	s.put,
		err = s.tx.Prepare("INSERT INTO record VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET digest = " +
		"excluded.digest, page = excluded.page")
	return err
}

// commit stores the additions; it runs before the state is saved.
func (s *seen) commit() error {
	if err := s.tx.Commit(); err != nil {
		return err
	}
	return s.begin()
}

// close closes the index.
func (s *seen) close() error {
	_ = s.tx.Rollback() // discard uncommitted entries
	return s.db.Close()
}

// key returns the key of a record.
func key(identifier, datestamp string) []byte {
	sum := sha256.Sum256([]byte(identifier + "\x00" + datestamp))
	return sum[:16]
}

// record returns the stored digest of a record's content, or nil if the record can no longer
// change. Known is false for a new record.
func (s *seen) record(key []byte) (digest []byte, known bool, err error) {
	err = s.find.QueryRow(key).Scan(&digest)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	return digest, err == nil, err
}

// add adds a record of a page.
func (s *seen) add(key, digest []byte, page int64) error {
	if digest == nil {
		digest = []byte{}
	}
	_, err := s.put.Exec(key, digest, page)
	return err
}

// token adds a token of a list. Again is true if it came before.
func (s *seen) token(list, token string, page int64) (again bool, err error) {
	r, err := s.tx.Exec("INSERT OR IGNORE INTO token VALUES (?, ?)", key(list, token), page)
	if err != nil {
		return false, err
	}
	n, err := r.RowsAffected()
	return n == 0, err
}

// is reports whether a path is in use.
func (s *seen) is(folded string) (bool, error) {
	var n int
	err := s.tx.QueryRow("SELECT count(*) FROM path WHERE folded = ?", folded).Scan(&n)
	return n > 0, err
}

// path reserves a path for a file, unless it is in use.
func (s *seen) path(folded string, page int64) (free bool, err error) {
	r, err := s.tx.Exec("INSERT OR IGNORE INTO path VALUES (?, ?)", folded, page)
	if err != nil {
		return false, err
	}
	n, err := r.RowsAffected()
	return n == 1, err
}
