package catalogue

import (
	"context"
	"database/sql"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"quire/internal/longwork"
	"quire/internal/prove"
	"quire/internal/sqlite"
)

// oldCatalogue writes records into a catalogue with the first schema.
func oldCatalogue(t *testing.T, path string, records []Record) {
	t.Helper()
	ctx := context.Background()
	text, err := migrations.ReadFile("migrations/sqlite/0001-first.sql")
	if err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.Open(path, sqlite.Options{Pragmas: []string{"journal_mode(WAL)"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(string(text) + "; PRAGMA user_version = 1"); err != nil {
		t.Fatal(err)
	}
	err = sqlite.InTx(ctx, db, func(tx *sql.Tx) error {
		for _, r := range records {
			if err := putOld(ctx, tx, r); err != nil {
				return err
			}
		}
		_, err := tx.Exec("INSERT INTO audits VALUES ('r1', 'copy-1', 'all', ?, ?, 5, 6, 7, 0), "+
			"('r2', 'copy-1', '3', ?, ?, 3, 4, 5, 1)",
			stamp(noon), stamp(noon.Add(1)), stamp(noon.Add(2)), stamp(noon.Add(3)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func putOld(ctx context.Context, in *sql.Tx, r Record) error {
	tx := &transaction{Tx: in, engine: &inFile{}}
	if err := putPackage(ctx, tx, r.Package); err != nil {
		return err
	}
	for _, v := range r.Versions {
		if err := putVersion(ctx, tx, r.Package.ID, v); err != nil {
			return err
		}
		for _, f := range v.Files {
			if _, err := in.Exec("INSERT INTO files VALUES (?, ?, ?, ?, ?, ?)", r.Package.ID, v.Number, f.Path, f.Size,
				f.SHA512, f.Use); err != nil {
				return err
			}
		}
	}
	for _, k := range r.Copies {
		if err := putCopy(ctx, tx, r.Package.ID, k); err != nil {
			return err
		}
	}
	for _, e := range r.Events {
		if err := putEvent(ctx, tx, r.Package.ID, e); err != nil {
			return err
		}
	}
	return nil
}

// manyVersions returns records with files that come, change, go and come back.
func manyVersions(count int) []Record {
	random := rand.New(rand.NewPCG(1, 2))
	var all []Record
	for n := range count {
		r := record(fmt.Sprintf("%05d", n))
		r.Versions = nil
		for v := 1; v <= 1+n%6; v++ {
			version := Version{Number: v, Created: noon.Add(time.Duration(v)), Message: "m",
				Inventory: fmt.Sprint("i", v)}
			for f := range 4 {
				if random.IntN(4) == 0 {
					continue
				}
				value := random.IntN(2)
				version.Files = append(version.Files, File{Path: fmt.Sprint("f", f), Size: int64(value),
					SHA512: strings.Repeat(hex.EncodeToString([]byte{byte(value), byte(f)}), 32), Use: "u"})
			}
			r.Versions = append(r.Versions, version)
		}
		r.Package.Head = len(r.Versions)
		all = append(all, r)
	}
	return all
}

// rowsOf returns all rows of all tables.
func rowsOf(t *testing.T, c *Catalogue) map[string][]string {
	t.Helper()
	ctx := context.Background()
	tables, err := collect(ctx, c, func(row scanner) (s string, err error) { return s, row.Scan(&s) },
		"SELECT name || ' ' || sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{"": tables}
	for _, table := range []string{"packages", "versions", "content", "copies", "events", "audits", "runs"} {
		all[table] = tableRows(t, c, table)
	}
	return all
}

func tableRows(t *testing.T, c *Catalogue, table string) (all []string) {
	t.Helper()
	rows, err := c.db.Query("SELECT * FROM " + table)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }() // rows.Err below reports the error
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values := make([]any, len(columns))
		to := make([]any, len(columns))
		for i := range values {
			to[i] = &values[i]
		}
		if err := rows.Scan(to...); err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%#v", values))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestMigration checks that a catalogue of the first schema, migrated, equals a catalogue that was
// filled with the same records, table by table; and that it is read before, too.
func TestMigration(t *testing.T) {
	ctx := context.Background()
	records := manyVersions(fillPage + 7)
	path := filepath.Join(t.TempDir(), "old.db")
	oldCatalogue(t, path, records)
	reading, err := OpenForReading(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reading.Close() }()
	same := func(c *Catalogue, when string) {
		t.Helper()
		for _, want := range records[:40] {
			if got, err := c.Get(ctx, want.Package.ID); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: got %+v, %v\nwant %+v", when, got, err, want)
			}
			for _, f := range want.Versions[0].Files {
				if size, err := c.SizeOf(ctx, want.Package.ID, f.SHA512); err != nil || size != f.Size {
					t.Fatalf("%s: size %d, %v", when, size, err)
				}
			}
		}
	}
	same(reading, "before")
	migrated := open(t, path)
	same(migrated, "after")
	same(reading, "by a process that opened it before") // it sees the tables change

	filled := open(t, filepath.Join(t.TempDir(), "new.db"))
	for _, r := range records {
		if err := filled.Put(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	for _, run := range []struct {
		kind Kind
		sum  Audit
	}{
		{Full, Audit{Run: "r1", Copy: "copy-1", Scope: "all", Started: noon, Finished: noon.Add(1), Objects: 5,
			Files: 6, Bytes: 7}},
		{Named, Audit{Run: "r2", Copy: "copy-1", Scope: "3", Started: noon.Add(2), Finished: noon.Add(3), Objects: 3,
			Files: 4, Bytes: 5, Problems: 1}},
	} {
		a := run.sum
		if err := filled.EndRun(ctx, Run{Run: a.Run, Kind: run.kind, Began: a.Started, Started: a.Started,
			Finished: a.Finished, Ended: Complete, Whole: true, Chosen: a.Objects, Done: a.Objects},
			[]Audit{a}); err != nil {
			t.Fatal(err)
		}
	}
	got, want := rowsOf(t, migrated), rowsOf(t, filled)
	for table := range want {
		if !reflect.DeepEqual(got[table], want[table]) {
			t.Errorf("table %q differs: %d rows, want %d\n%.300v\n%.300v", table, len(got[table]), len(want[table]),
				got[table], want[table])
		}
	}
}

// TestMigrationReported: a migration that takes long names itself and its end, and an opening without one is silent.
func TestMigrationReported(t *testing.T) {
	var said []string
	ctx := longwork.With(t.Context(), 0, func(text string) { said = append(said, text) })
	path := filepath.Join(t.TempDir(), "old.db")
	oldCatalogue(t, path, manyVersions(1))
	for _, want := range []int{2, 0} {
		said = nil
		c, err := Open(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if len(said) != want || want > 0 && !strings.Contains(said[1], "ended after") {
			t.Errorf("want %d reports: %q", want, said)
		}
	}
}

// TestMigrationKilled kills migrating processes. Afterwards the catalogue has the old schema or the
// new one, and the next process migrates it.
func TestMigrationKilled(t *testing.T) {
	prove.Serial(t)
	ctx := context.Background()
	records := manyVersions(1200)
	original := filepath.Join(t.TempDir(), "original.db")
	oldCatalogue(t, original, records)
	text, err := os.ReadFile(original)
	if err != nil {
		t.Fatal(err)
	}
	var old, migrated int
	for n := range 6 {
		path := filepath.Join(t.TempDir(), "c.db")
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := migratingChild(t, path)
		time.AfterFunc(time.Duration(n)*50*time.Millisecond, func() { _ = cmd.Process.Kill() }) // it may have ended
		_ = cmd.Wait()
		seen, err := OpenForReading(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		if !seen.engine.content(ctx, false) {
			old++
		} else {
			migrated++
		}
		if err := seen.Close(); err != nil {
			t.Fatal(err)
		}
		c := open(t, path)
		for _, want := range records {
			if got, err := c.Get(ctx, want.Package.ID); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("got %+v, %v", got, err)
			}
		}
	}
	t.Logf("killed before the end: %d, after it: %d", old, migrated)
}

// TestContentOnce checks that a file that stays the same has one row.
func TestContentOnce(t *testing.T) {
	c := open(t, filepath.Join(t.TempDir(), "c.db"))
	a := File{Path: "a", Size: 1, SHA512: strings.Repeat("ab", 64)}
	b := File{Path: "b", Size: 2, SHA512: strings.Repeat("cd", 64)}
	r := record("x")
	r.Versions = []Version{{Number: 1, Files: []File{a, b}}, {Number: 2, Files: []File{a}},
		{Number: 3, Files: []File{a, b}}}
	if err := c.Put(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	rows := rowsOf(t, c)["content"]
	if len(rows) != 3 {
		t.Errorf("%d rows: %v", len(rows), rows)
	}
	if got, err := c.Get(context.Background(), "x"); err != nil || !reflect.DeepEqual(got.Versions, r.Versions) {
		t.Errorf("got %+v, %v", got.Versions, err)
	}
}
