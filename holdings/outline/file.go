package outline

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"quire/holdings/rights"
	"quire/internal/sqlite"
)

// FileName is the name of the file in the folder of the data derived for readers.
const FileName = "outlines.db"

// form is the version of the outlines. Raise it with each change of [Outline], and of the facts that go into one: the
// METS are then read again.
const form = 1

const tables = `
CREATE TABLE outlines (id TEXT PRIMARY KEY, inventory TEXT NOT NULL, rights BLOB NOT NULL, sum BLOB NOT NULL,
	text BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE rights (sum BLOB PRIMARY KEY, text BLOB NOT NULL) WITHOUT ROWID;
`

// File is the file of outlines. It is safe for concurrent use, also by several processes.
type File struct {
	db       *sql.DB
	readOnly bool
}

// Open opens the file in a folder. A file that is damaged or of another form is begun anew. Without permission to
// write, it is only read; if there is none then, it is empty.
func Open(ctx context.Context, dir string) (*File, error) {
	path := filepath.Join(dir, FileName)
	f, err := open(ctx, path)
	if sqlite.Damaged(err) {
		if err = sqlite.Remove(path); err == nil {
			f, err = open(ctx, path)
		}
	}
	if sqlite.Denied(err) || errors.Is(err, fs.ErrPermission) {
		return OpenReadOnly(ctx, dir)
	}
	return f, err
}

func open(ctx context.Context, path string) (*File, error) {
	// A lost outline is read from the METS again, so nothing waits for the disk.
	db, err := sqlite.Open(path, sqlite.Options{Immediate: true,
		Pragmas: []string{"journal_mode(WAL)", "synchronous(NORMAL)"}})
	if err != nil {
		return nil, err
	}
	f := &File{db: db}
	if err := sqlite.InTx(ctx, db, f.prepare); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return f, nil
}

// prepare makes the tables of this form.
func (f *File) prepare(tx *sql.Tx) error {
	var have int
	if err := tx.QueryRow("PRAGMA user_version").Scan(&have); err != nil || have == form {
		return err
	}
	_, err := tx.Exec("DROP TABLE IF EXISTS outlines; DROP TABLE IF EXISTS rights;" + tables +
		"PRAGMA user_version = " + string(rune('0'+form)))
	return err
}

// OpenReadOnly opens the file in a folder for reading. If it is missing or of another form, all outlines are missing.
func OpenReadOnly(ctx context.Context, dir string) (*File, error) {
	path, f := filepath.Join(dir, FileName), &File{readOnly: true}
	if _, err := os.Stat(path); err != nil {
		return f, nil //nolint:nilerr // without the file, each METS is read
	}
	db, err := sqlite.OpenReadOnly(path, sqlite.Options{})
	if err != nil {
		return nil, err
	}
	var have int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil || have != form {
		return f, db.Close()
	}
	f.db = db
	return f, nil
}

// Close closes the file.
func (f *File) Close() error {
	if f.db == nil {
		return nil
	}
	return f.db.Close()
}

// All yields the outlines by id, as bytes of the ids are ordered. It does not parse them: see [File.Outline]. The
// error is yielded last.
func (f *File) All(ctx context.Context) iter.Seq2[Kept, error] {
	return func(yield func(Kept, error) bool) {
		if f.db == nil {
			return
		}
		rows, err := f.db.QueryContext(ctx, "SELECT id, inventory, rights, sum, text FROM outlines ORDER BY id")
		if err != nil {
			yield(Kept{}, err)
			return
		}
		defer func() { _ = rows.Close() }() // rows.Err below reports the error
		for rows.Next() {
			var k Kept
			var of, sum []byte
			if err := rows.Scan(&k.ID, &k.Inventory, &of, &sum, &k.text); err != nil {
				yield(Kept{}, err)
				return
			}
			if len(of) == len(k.rights) {
				k.rights = rights.Sum(of)
			}
			if !bytes.Equal(k.sum(form), sum) {
				k.text = nil
			}
			if !yield(k, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(Kept{}, err)
		}
	}
}

// Outline parses an outline. If it fails, the METS must be read.
func (f *File) Outline(ctx context.Context, k *Kept, shared *rights.Shared) (*Outline, error) {
	o := &Outline{}
	if k.text == nil {
		return nil, errDamaged
	}
	if err := json.Unmarshal(k.text, o); err != nil {
		return nil, err
	}
	var err error
	o.Rights, err = shared.Parsed(k.rights, func() (text []byte, err error) {
		err = f.db.QueryRowContext(ctx, "SELECT text FROM rights WHERE sum = ?", k.rights[:]).Scan(&text)
		return text, err
	})
	return o, err
}

// Writing collects outlines, and writes them many at a time.
type Writing struct {
	file *File
	all  []Kept
	said map[rights.Sum][]byte
}

// atOnce is the number of outlines of a transaction.
const atOnce = 512

// Write returns an empty Writing.
func (f *File) Write() *Writing { return &Writing{file: f, said: map[rights.Sum][]byte{}} }

// Add adds the outline of a version, which replaces that of another one.
func (w *Writing) Add(ctx context.Context, id, inventory string, o *Outline) error {
	if w.file.db == nil || w.file.readOnly {
		return nil
	}
	k, err := keep(id, inventory, o)
	if err != nil {
		return err
	}
	if w.said[k.rights] == nil {
		if w.said[k.rights], err = rights.Text(o.Rights.Set.Statements); err != nil {
			return err
		}
	}
	if w.all = append(w.all, k); len(w.all) < atOnce {
		return nil
	}
	return w.Flush(ctx)
}

// Flush writes the added outlines. After an error it is forgotten: the METS is then read again at the next start.
func (w *Writing) Flush(ctx context.Context) error {
	all, said := w.all, w.said
	w.all, w.said = nil, map[rights.Sum][]byte{}
	if len(all) == 0 {
		return nil
	}
	return sqlite.InTx(ctx, w.file.db, func(tx *sql.Tx) error {
		for sum, text := range said {
			if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO rights VALUES (?, ?)", sum[:], text); err != nil {
				return err
			}
		}
		for i := range all {
			k := &all[i]
			_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO outlines VALUES (?, ?, ?, ?, ?)", k.ID,
				k.Inventory, k.rights[:], k.sum(form), k.text)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Remove removes the outlines of packages that are gone, and statements that no outline needs.
func (f *File) Remove(ctx context.Context, ids []string) error {
	if f.db == nil || f.readOnly || len(ids) == 0 {
		return nil
	}
	return sqlite.InTx(ctx, f.db, func(tx *sql.Tx) error {
		for _, id := range ids {
			if _, err := tx.ExecContext(ctx, "DELETE FROM outlines WHERE id = ?", id); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM rights WHERE sum NOT IN (SELECT rights FROM outlines)")
		return err
	})
}
