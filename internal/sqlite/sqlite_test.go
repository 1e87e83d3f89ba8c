package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestOpen stores data in a file with a name that is special in a URL, and rolls back a failed
// transaction.
func TestOpen(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "a?b=#c %41.db")
	db, err := Open(path, Options{Pragmas: []string{"journal_mode(WAL)"}, Immediate: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(ctx, "CREATE TABLE t (n INTEGER)"); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("no more")
	for _, want := range []error{nil, failed} {
		err := InTx(ctx, db, func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, "INSERT INTO t VALUES (1)"); err != nil {
				return err
			}
			return want
		})
		if !errors.Is(err, want) {
			t.Fatalf("%v, want %v", err, want)
		}
	}
	var n int
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM t").Scan(&n); err != nil || n != 1 {
		t.Errorf("%d rows, %v; want the one that did not fail", n, err)
	}
	var mode string
	var wait int
	if err := db.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil || mode != "wal" {
		t.Errorf("journal mode %q, %v", mode, err)
	}
	if err := db.QueryRowContext(ctx, "PRAGMA busy_timeout").Scan(&wait); err != nil || wait != 30000 {
		t.Errorf("a writer waits %d ms, %v", wait, err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	for range 2 { // a missing file is not an error
		if err := Remove(path); err != nil {
			t.Error(err)
		}
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
}
