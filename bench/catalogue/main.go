// Catalogue makes a repository with a large catalogue and no content, to measure list, show, open
// and audit. It writes the rows straight into the tables of the first schema, in one transaction.
// So it also measures the migration.
//
//	catalogue -packages 400000 -repo /tmp/large
package main

import (
	"context"
	"crypto/sha512"
	"database/sql"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"quire/internal/sqlite"
	"quire/preserve/aip"
	"quire/repository/store"
)

func main() {
	packages := flag.Int("packages", 100_000, "number of packages")
	files := flag.Int("files", 6, "number of files of a package")
	repo := flag.String("repo", "", "the folder of the new repository")
	schema := flag.String("schema", "repository/catalogue/migrations/sqlite/0001-first.sql", "the tables")
	flag.Parse()
	if err := run(*repo, *schema, *packages, *files); err != nil {
		fmt.Fprintf(os.Stderr, "catalogue: %v\n", err)
		os.Exit(2)
	}
}

// run makes the repository. Every fifth package has three versions; each version changes one file.
func run(repo, schema string, packages, files int) error {
	ctx := context.Background()
	s, err := store.Init(ctx, repo, store.InitOptions{Describe: aip.Describe})
	if err != nil {
		return err
	}
	if err := s.Close(); err != nil {
		return err
	}
	path := filepath.Join(repo, "catalogue.db")
	if err := sqlite.Remove(path); err != nil {
		return err
	}
	tables, err := os.ReadFile(schema)
	if err != nil {
		return err
	}
	db, err := sqlite.Open(path, sqlite.Options{Pragmas: []string{"journal_mode(WAL)", "synchronous(OFF)"}})
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // the transaction is committed by then
	if _, err := db.ExecContext(ctx, string(tables)+"; PRAGMA user_version = 1"); err != nil {
		return err
	}
	return sqlite.InTx(ctx, db, func(tx *sql.Tx) error { return fill(ctx, tx, packages, files) })
}

// rows inserts rows. Each text is prepared once.
type rows struct {
	tx       *sql.Tx
	prepared map[string]*sql.Stmt
}

func (r *rows) insert(ctx context.Context, text string, args ...any) error {
	if r.prepared[text] == nil {
		s, err := r.tx.PrepareContext(ctx, "INSERT INTO "+text) //nolint:sqlclosecheck // the transaction closes it
		if err != nil {
			return err
		}
		r.prepared[text] = s
	}
	_, err := r.prepared[text].ExecContext(ctx, args...)
	return err
}

func fill(ctx context.Context, tx *sql.Tx, packages, files int) error {
	r := rows{tx, map[string]*sql.Stmt{}}
	for n := range packages {
		if err := r.add(ctx, n, files); err != nil {
			return err
		}
	}
	return nil
}

// digest returns a different digest for each argument.
func digest(args ...any) string {
	sum := sha512.Sum512(fmt.Append(nil, args...))
	return hex.EncodeToString(sum[:])
}

func (r *rows) add(ctx context.Context, n, files int) error {
	id := fmt.Sprintf("urn:nbn:example:web-%08d", n)
	at := time.Date(2020, 1, 1, 0, 0, n, 0, time.UTC).Format("2006-01-02T15:04:05.000000000Z")
	head := 1
	if n%5 == 0 {
		head = 3
	}
	path := digest(n)
	path = path[:3] + "/" + path[3:6] + "/" + path[6:9] + "/" + path[:64]
	title := fmt.Sprintf("Website of society number %d", n)
	if err := r.insert(ctx, "packages VALUES (?, ?, ?, ?, 'full', 'mets.xml', ?, ?, ?, ?, ?, ?, 2, 5000, ?, ?)",
		id, id, path, title, head,
		digest(n, head), at, at, at, at, files, 1000*files); err != nil {
		return err
	}
	for v := 1; v <= head; v++ {
		if err := r.insert(ctx, "versions VALUES (?, ?, ?, 'first', ?, ?, ?)",
			id, v, at, digest(n, v), files, 1000*files); err != nil {
			return err
		}
		for f := range files {
			version := 1
			if f == 0 {
				version = v
			}
			if err := r.insert(ctx, "files VALUES (?, ?, ?, ?, ?, 'DigitalManifestation')",
				id, v, fmt.Sprintf("containers/harvest-1/%05d.warc.gz", f), 1000,
				digest(n, f, version)); err != nil {
				return err
			}
		}
	}
	for c := 1; c <= 3; c++ {
		name := fmt.Sprint("copy-", c)
		if err := r.insert(ctx, "copies VALUES (?, ?, 'good', ?, ?)", id, name, at, at); err != nil {
			return err
		}
		event := digest(n, name)[:8]
		if err := r.insert(ctx, "events VALUES (?, ?, ?, 'replication', ?, 'success', 'stored and read back', ?)",
			id, "20200101T000000.000000Z-replication-"+event+".xml", event, at,
			name); err != nil {
			return err
		}
	}
	return nil
}
