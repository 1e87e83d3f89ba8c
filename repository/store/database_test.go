package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"quire/internal/pgtest"
	"quire/internal/postgres"
)

// databaseRepository makes a repository with its catalogue in a database, and one package.
func databaseRepository(t *testing.T) *Store {
	t.Helper()
	s, err := Init(t.Context(), filepath.Join(fastDir(t), "repo"),
		InitOptions{Describe: testDescribe, Catalogue: pgtest.Place(t).Address})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	mustIngest(t, s, makePackage(t, damagedID, content{"a.warc": "one"}), IngestOptions{})
	return s
}

// TestMoveCatalogue moves a catalogue from a database into a file and back: the packages are the same, and the
// place that was left has nothing.
func TestMoveCatalogue(t *testing.T) {
	ctx := t.Context()
	s := databaseRepository(t)
	address := pgtest.Place(t).Address
	if _, err := MoveCatalogue(ctx, s.root, CatalogueFile, nil); err == nil {
		t.Fatal("moved while the repository is open")
	}
	want, err := s.catalogue.Get(ctx, damagedID)
	if err != nil {
		t.Fatal(err)
	}
	place := *s.database
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{CatalogueFile, address, CatalogueFile} {
		n, err := MoveCatalogue(ctx, s.root, to, nil)
		if err != nil || n.Packages == 0 {
			t.Fatalf("%s: %+v, %v", to, n, err)
		}
		if _, err := MoveCatalogue(ctx, s.root, to, nil); err == nil {
			t.Errorf("%s: moved to where it is", to)
		}
		again := reopen(t, s.root)
		got, err := again.catalogue.Get(ctx, damagedID)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v\nwant %+v", to, got, err, want)
		}
		mustBeSound(t, again)
		if want, err = again.catalogue.Get(ctx, damagedID); err != nil { // the audit left its time
			t.Fatal(err)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
		_, inFile := os.Lstat(filepath.Join(s.root, catalogueFile))
		if (inFile == nil) != (to == CatalogueFile) {
			t.Errorf("%s: the file: %v", to, inFile)
		}
		if there := schemaThere(t, place); there != (to != CatalogueFile) {
			t.Errorf("%s: the schema is there: %v", to, there)
		}
	}
}

// TestMoveCutOff lets each change of a file fail in turn while a catalogue is moved. The repository has the one
// catalogue or the other, whole, and a repetition completes the move.
func TestMoveCutOff(t *testing.T) {
	ctx := t.Context()
	address := pgtest.Place(t).Address
	for _, way := range [][2]string{{CatalogueFile, address}, {address, CatalogueFile}} {
		for n, failed := 0, true; failed; n++ {
			s, err := Init(ctx, filepath.Join(fastDir(t), "repo"), InitOptions{Describe: testDescribe, Catalogue: way[0]})
			if err != nil {
				t.Fatal(err)
			}
			mustIngest(t, s, makePackage(t, damagedID, content{"a.warc": "one"}), IngestOptions{})
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			step := 0
			failed = false
			d := &disk{fault: func(string, string) error {
				if step++; step > n {
					failed = true // and each later change, as after a kill
					return errors.New("cut off")
				}
				return nil
			}}
			report, err := moveCatalogue(ctx, s.root, way[1], nil, d)
			if (err != nil || len(report.Warnings) > 0) != failed {
				t.Fatalf("to %s, step %d: %v, %q", way[1], n, err, report.Warnings)
			}
			again := reopen(t, s.root)
			mustBeSound(t, again)
			if _, err := again.catalogue.Package(ctx, damagedID); err != nil {
				t.Errorf("to %s, step %d: %v", way[1], n, err)
			}
			moved := (again.database == nil) == (way[1] == CatalogueFile)
			if err == nil && !moved {
				t.Errorf("to %s, step %d: it says that it moved", way[1], n)
			}
			if err := again.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := MoveCatalogue(ctx, s.root, way[1], nil); (err != nil) != moved {
				t.Errorf("to %s, step %d: again: %v", way[1], n, err)
			}
			if !failed && n < 3 {
				t.Errorf("to %s: only %d changes", way[1], n)
			}
		}
	}
}

func schemaThere(t *testing.T, p postgres.Place) (there bool) {
	t.Helper()
	db, err := postgres.Open(p, "test", true)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if err := db.QueryRow("SELECT to_regnamespace($1) IS NOT NULL", p.Schema).Scan(&there); err != nil {
		t.Fatal(err)
	}
	return there
}

// TestDatabaseLost: a schema that is lost is not made silently. A rebuild makes it from the copies, in the
// database or in a file.
func TestDatabaseLost(t *testing.T) {
	ctx := t.Context()
	for _, to := range []string{"", CatalogueFile} {
		s := databaseRepository(t)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		db, err := postgres.Open(*s.database, "test", false)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(postgres.Drop(ctx, db, s.database.Schema), db.Close()); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(ctx, s.root, Options{Describe: testDescribe}); err == nil ||
			!strings.Contains(err.Error(), "quire init rebuild") {
			t.Fatalf("opened: %v", err)
		}
		again, err := Init(ctx, s.root, InitOptions{Rebuild: true, Describe: testDescribe, Catalogue: to})
		if err != nil {
			t.Fatal(err)
		}
		if (again.database != nil) != (to == "") {
			t.Errorf("%q: database %v", to, again.database)
		}
		mustBeSound(t, again)
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLocksLost: a writer whose session ended cannot put its change in place, because another machine may have
// the lock now. The change is settled by the next one.
func TestLocksLost(t *testing.T) {
	ctx := context.Background()
	s := databaseRepository(t)
	cut := false
	second := makePackage(t, damagedID, content{"a.warc": "two"})
	_, err := s.Ingest(ctx, second, IngestOptions{NewVersion: true, Progress: func(Progress) {
		if !cut {
			cut = true
			endSessions(t, *s.database)
		}
	}})
	if !errors.Is(err, postgres.ErrLost) {
		t.Fatalf("got %v", err)
	}
	_ = s.Close()
	again := reopen(t, s.root)
	mustBeSound(t, again)
	if p, err := again.catalogue.Package(ctx, damagedID); err != nil || p.Head != len(versionsIn(t, again)) {
		t.Errorf("%+v, %v", p, err)
	}
}

// versionsIn returns the version folders of the package in the first copy.
func versionsIn(t *testing.T, s *Store) []string {
	t.Helper()
	card := mustCard(t, s, damagedID)
	all, err := filepath.Glob(filepath.Join(s.copies[0].object(card.Path), "v*"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestMoveLostCatalogue: a file that was lost or emptied is not moved as an empty catalogue.
func TestMoveLostCatalogue(t *testing.T) {
	address := pgtest.Place(t).Address
	for name, lose := range map[string]func(path string) error{
		"lost":  os.Remove,
		"empty": func(path string) error { return os.Truncate(path, 0) },
	} {
		s, err := Init(t.Context(), filepath.Join(fastDir(t), "repo"),
			InitOptions{Describe: testDescribe, Catalogue: CatalogueFile})
		if err != nil {
			t.Fatal(err)
		}
		mustIngest(t, s, makePackage(t, damagedID, content{"a.warc": "one"}), IngestOptions{})
		if err := errors.Join(s.Close(), lose(s.cataloguePath())); err != nil {
			t.Fatal(err)
		}
		if _, err := MoveCatalogue(t.Context(), s.root, address, nil); err == nil ||
			!strings.Contains(err.Error(), "quire init rebuild") {
			t.Errorf("%s: %v", name, err)
		}
		if config, err := readConfig(s.root); err != nil || config.Catalogue != "" || config.Format != 1 {
			t.Errorf("%s: %+v, %v", name, config, err)
		}
	}
}

// TestServerGone: without its server, nothing advises a rebuild; a person can rebuild into a file.
func TestServerGone(t *testing.T) {
	ctx := t.Context()
	s := databaseRepository(t)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	config, err := readConfig(s.root)
	if err != nil || config.Format != newestFormat {
		t.Fatalf("%+v, %v", config, err)
	}
	config.Catalogue = "postgres://quire@/postgres?host=" + t.TempDir()
	if err := s.disk.writeConfig(s.root, config); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, s.root, Options{Describe: testDescribe}); !postgres.Unreachable(err) ||
		strings.Contains(err.Error(), "rebuild") {
		t.Errorf("open: %v", err)
	}
	if _, err := Init(ctx, s.root, InitOptions{Rebuild: true, Describe: testDescribe}); !postgres.Unreachable(err) {
		t.Errorf("rebuild: %v", err)
	}
	again, err := Init(ctx, s.root, InitOptions{Rebuild: true, Describe: testDescribe, Catalogue: CatalogueFile})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	if r := again.Recovered(); len(r) != 2 || !strings.Contains(r[0].Detail, "out of reach") {
		t.Errorf("recovered: %+v", r)
	}
	mustBeSound(t, again)
}

// endSessions ends the sessions of locks, as a network that fails does.
func endSessions(t *testing.T, p postgres.Place) {
	t.Helper()
	db, err := postgres.Open(p, "test", false)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	_, err = db.Exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'quire locks'")
	if err != nil {
		t.Fatal(err)
	}
}

// lostLocks are locks whose session has ended.
type lostLocks struct{ locker }

func (l lostLocks) alive(context.Context) error { return postgres.ErrLost }

// TestLostBeforeChange: without its locks, a process moves nothing into place, and appends nothing to the
// register.
func TestLostBeforeChange(t *testing.T) {
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, damagedID, content{"a.warc": "one"}), IngestOptions{})
	card := mustCard(t, s, damagedID)
	size := s.ledger.writer.Head().Size
	s.locks = lostLocks{s.locks}
	second := makePackage(t, damagedID, content{"a.warc": "two"})
	if _, err := s.Ingest(t.Context(), second, IngestOptions{NewVersion: true}); !errors.Is(err, postgres.ErrLost) {
		t.Fatalf("got %v", err)
	}
	for _, c := range s.copies {
		if exists(filepath.Join(c.object(card.Path), "v2")) {
			t.Errorf("%s has a new version", c.name)
		}
	}
	if now := s.ledger.writer.Head().Size; now != size {
		t.Errorf("the register has %d leaves, not %d", now, size)
	}
	again := reopen(t, s.root) // another process settles the change
	mustBeSound(t, again)
	if p := mustCard(t, again, damagedID); p.Head != len(versionsIn(t, again)) {
		t.Errorf("%+v", p)
	}
}

// TestDropKeepsForeignNote: a process that lost its locks removes its own note, and not that of another process
// which began a change of the same package.
func TestDropKeepsForeignNote(t *testing.T) {
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, damagedID, content{"a.warc": "one"}), IngestOptions{})
	card := mustCard(t, s, damagedID)
	key := objectKey(card.Object)
	theirs := &journal{Format: 1, Kind: kindIngest, State: begun, Tx: "b0", Package: card.ID, Object: card.Object,
		Path: card.Path, Version: 2}
	if err := s.writeJournal(key, theirs); err != nil {
		t.Fatal(err)
	}
	if err := s.drop(key, &journal{Tx: "a0"}); err != nil {
		t.Fatal(err)
	}
	if now, err := s.readJournal(key); err != nil || now == nil || now.Tx != "b0" {
		t.Errorf("%+v, %v", now, err)
	}
	if err := s.drop(key, theirs); err != nil {
		t.Fatal(err)
	}
	if now, err := s.readJournal(key); err != nil || now != nil {
		t.Errorf("%+v, %v", now, err)
	}
}
