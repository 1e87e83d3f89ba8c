package postings

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/internal/sqlite"
)

// table creates a word table with pages of a size.
func table(t testing.TB, page int) *sql.DB {
	t.Helper()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "a.db"),
		sqlite.Options{Immediate: true, Pragmas: []string{"journal_mode(WAL)", "synchronous(OFF)"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	for _, s := range []string{
		`CREATE VIRTUAL TABLE words USING fts5 (title, url, body, content = '', contentless_delete = 1)`,
		`CREATE VIRTUAL TABLE instances USING fts5vocab (words, instance)`,
		fmt.Sprintf(`INSERT INTO words (words, rank) VALUES ('pgsz', %d)`, page),
	} {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// view opens a View of it.
func view(t testing.TB, db *sql.DB, f func(*View)) {
	t.Helper()
	tx, err := db.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	v, err := Open(t.Context(), tx, "words")
	if err != nil {
		t.Fatal(err)
	}
	f(v)
}

// read returns all data of a word.
func read(ctx context.Context, v *View, word string) (all []string, err error) {
	c, err := v.Word(ctx, word)
	if err != nil {
		return nil, err
	}
	for c.Next() {
		for _, p := range Places(nil, c.Raw) {
			all = append(all, fmt.Sprint(c.Row, p.Column(), int32(p))) //nolint:gosec // the lower half
		}
	}
	return all, c.Close()
}

// TestAsFTS5 inserts, deletes and replaces rows in many transactions, and compares each word's list
// with FTS5. The pages are so small that lists, and the places of one row, span many of them.
func TestAsFTS5(t *testing.T) {
	for _, page := range []int{32, 200, 4050} {
		t.Run(fmt.Sprint(page), func(t *testing.T) {
			db := table(t, page)
			r := rand.New(rand.NewPCG(1, uint64(page)))
			zipf := rand.NewZipf(r, 1.1, 4, 150)
			text := func(n int) string {
				var words []string
				for range r.IntN(n) {
					words = append(words, fmt.Sprintf("w%d", zipf.Uint64()))
				}
				return strings.Join(words, " ")
			}
			var rows []int64
			for round := range 20 {
				err := sqlite.InTx(t.Context(), db, func(tx *sql.Tx) error {
					for n := range 25 {
						row := int64(r.IntN(9))<<32 | int64(round*25+n)
						rows = append(rows, row)
						if _, err := tx.ExecContext(t.Context(),
							`INSERT INTO words (rowid, title, url, body) VALUES (?,?,?,?)`, row, text(6), text(4),
							text(120)); err != nil {
							return err
						}
					}
					for range r.IntN(8) { // for FTS5 a replaced row is a new one
						row := rows[r.IntN(len(rows))]
						if _, err := tx.ExecContext(t.Context(), `DELETE FROM words WHERE rowid = ?`, row); err != nil {
							return err
						}
						if r.IntN(2) == 0 {
							if _, err := tx.ExecContext(t.Context(),
								`INSERT INTO words (rowid, title, url, body) VALUES (?,?,?,?)`, row, text(6), text(4),
								text(120)); err != nil {
								return err
							}
						}
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				switch {
				case round == 12:
					compare(t, db)
				case round%7 == 5: // half of a merge
					if _, err := db.ExecContext(t.Context(),
						`INSERT INTO words (words, rank) VALUES ('merge', 20)`); err != nil {
						t.Fatal(err)
					}
				}
			}
			if _, err := db.ExecContext(t.Context(), `INSERT INTO words (words) VALUES ('optimize')`); err != nil {
				t.Fatal(err)
			}
			compare(t, db)
		})
	}
}

func compare(t *testing.T, db *sql.DB) {
	t.Helper()
	want := map[string][]string{"w": nil, "w1234": nil, "": nil, "zz": nil}
	columns := []string{"title", "url", "body"}
	rows, err := db.QueryContext(t.Context(), `SELECT term, doc, col, offset FROM instances`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var term, column string
		var row, offset int64
		if err := rows.Scan(&term, &row, &column, &offset); err != nil {
			t.Fatal(err)
		}
		want[term] = append(want[term], fmt.Sprint(row, slices.Index(columns, column), offset))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if len(want) < 120 {
		t.Fatalf("%d words", len(want))
	}
	view(t, db, func(v *View) {
		for word, list := range want {
			got, err := read(t.Context(), v, word)
			if err != nil || !slices.Equal(got, list) {
				t.Fatalf("%q in %d segments: %d places (%v), not %d", word, len(v.segments), len(got), err, len(list))
			}
			if err := eachAs(t.Context(), v, word, list); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// eachAs compares the counts of Each in each row and column with a list of places.
func eachAs(ctx context.Context, v *View, word string, list []string) error {
	want := map[string]int{}
	for _, entry := range list {
		want[entry[:strings.LastIndexByte(entry, ' ')]]++
	}
	err := v.Each(ctx, word, func(row int64, raw []byte) {
		var counts [3]int
		Count(counts[:], raw)
		for c, n := range counts {
			want[fmt.Sprint(row, c)] -= n
		}
	})
	for key, n := range want {
		if n != 0 {
			err = errors.Join(err, fmt.Errorf("%q in row and column %s: %d places more than Each has", word, key, n))
		}
	}
	return err
}

// FuzzPages replaces a page, or the index structure, by random bytes: the result is an error or a
// wrong answer, but nothing worse.
func FuzzPages(f *testing.F) {
	db := table(f, 64)
	for n := range 200 {
		if _, err := db.ExecContext(f.Context(),
			`INSERT INTO words (rowid, title, url, body) VALUES (?, 'a b', 'c', ?)`, n,
			strings.Repeat("a b c d ", n%7)); err != nil {
			f.Fatal(err)
		}
	}
	var structure []byte
	if err := db.QueryRowContext(f.Context(),
		`SELECT block FROM words_data WHERE id = 10`).Scan(&structure); err != nil {
		f.Fatal(err)
	}
	f.Add(uint8(0), structure)
	f.Add(uint8(3), []byte("\x00\x00\x00\x08\x01\x30\x02\x02\x04"))
	f.Add(uint8(4), []byte("\x00\x05\x00\x09\x01\x02\x02\x02\x04"))
	for which := range uint8(12) {
		f.Add(which, []byte("\x00\x00\x00\x08\x01\x30\x02\x02\x80")) // the word offset is truncated
	}
	f.Fuzz(func(t *testing.T, which uint8, b []byte) {
		tx, err := db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback() }()
		var id int64
		if err := tx.QueryRowContext(t.Context(),
			`SELECT id FROM words_data WHERE id >= 10 ORDER BY id LIMIT 1 OFFSET ?`, int(which)).Scan(&id); err != nil {
			return
		}
		if _, err := tx.ExecContext(t.Context(), `UPDATE words_data SET block = ? WHERE id = ?`, b, id); err != nil {
			t.Fatal(err)
		}
		v, err := Open(t.Context(), tx, "words")
		for _, word := range []string{"a", "b", "d", "x"} {
			if err == nil {
				_, err = read(t.Context(), v, word)
			}
		}
		if err != nil && !errors.Is(err, ErrDamaged) {
			t.Error(err)
		}
	})
}
