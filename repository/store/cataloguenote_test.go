package store

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// notedIn returns the databases that the copies name, "" for none.
func notedIn(t *testing.T, s *Store) []string {
	t.Helper()
	var all []string
	for _, c := range s.copies {
		id, err := readIdentity(c.path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, id.Catalogue)
	}
	return all
}

// wantNoted requires that each copy names one database.
func wantNoted(t *testing.T, s *Store, address string) {
	t.Helper()
	for i, got := range notedIn(t, s) {
		if got != address {
			t.Errorf("%s names %q, want %q", s.copies[i].name, got, address)
		}
	}
}

// TestLostSettingsDatabase: without quire-repository.json, a rebuild does not choose another place for the catalogue
// silently.
func TestLostSettingsDatabase(t *testing.T) {
	for name, lose := range map[string]func(path string) error{
		"lost":    os.Remove,
		"damaged": func(path string) error { return os.Truncate(path, 9) },
	} {
		s := databaseRepository(t)
		address := s.database.Address
		wantNoted(t, s, address)
		if err := errors.Join(s.Close(), lose(filepath.Join(s.root, repositoryFile))); err != nil {
			t.Fatal(err)
		}
		o := InitOptions{Rebuild: true, Describe: testDescribe}
		_, err := Init(t.Context(), s.root, o)
		if err == nil || !strings.Contains(err.Error(), address) || !strings.Contains(err.Error(), "--catalogue") {
			t.Fatalf("%s: got %v", name, err)
		}
		if _, err := os.Lstat(filepath.Join(s.root, catalogueFile)); err == nil {
			t.Errorf("%s: a file was made", name)
		}
		o.Catalogue = address
		again, err := Init(t.Context(), s.root, o)
		if err != nil {
			t.Fatal(err)
		}
		if again.database == nil || len(again.Recovered()) > 0 && name == "lost" {
			t.Errorf("%s: database %v, recovered %+v", name, again.database, again.Recovered())
		}
		mustBeSound(t, again)
		wantNoted(t, again, address)
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLostSettingsOtherPlace: a person may choose a file. The rebuild then names the database, and keeps its schema:
// the folders may be a copy for a test.
func TestLostSettingsOtherPlace(t *testing.T) {
	s := databaseRepository(t)
	address := s.database.Address
	if err := errors.Join(s.Close(), os.Remove(filepath.Join(s.root, repositoryFile))); err != nil {
		t.Fatal(err)
	}
	again, err := Init(t.Context(), s.root,
		InitOptions{Rebuild: true, Describe: testDescribe, Catalogue: CatalogueFile})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	r := again.Recovered()
	if len(r) != 1 || r[0].Outcome != Pending || !strings.Contains(r[0].Detail, address) {
		t.Errorf("recovered: %+v", r)
	}
	if again.database != nil || !schemaThere(t, *s.database) {
		t.Errorf("database %v; the schema is there: %v", again.database, schemaThere(t, *s.database))
	}
	wantNoted(t, again, "")
}

// TestLostSettingsCutOff lets each change of a file fail in turn while lost settings are made again. The place that
// a person chose is not forgotten.
func TestLostSettingsCutOff(t *testing.T) {
	s := databaseRepository(t)
	address := s.database.Address
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for at := 1; ; at++ {
		if err := os.Remove(filepath.Join(s.root, repositoryFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		d := &door{at: at, dies: true}
		o := InitOptions{Rebuild: true, Describe: testDescribe, Catalogue: address}
		made, err := rebuild(t.Context(), s.root, o, &disk{fault: d.fault})
		if err == nil {
			_ = made.Close()
		}
		o.Catalogue = ""
		again, err := Init(t.Context(), s.root, o)
		if err == nil {
			if again.database == nil {
				t.Errorf("step %d: the catalogue became a file", at)
			}
			_ = again.Close()
		} else if !strings.Contains(err.Error(), address) {
			t.Fatalf("step %d: %v", at, err)
		}
		if at > d.count {
			break
		}
	}
}

// TestCopiesNoteMove: the copies name the place to which a catalogue moved; one that was away learns it later.
func TestCopiesNoteMove(t *testing.T) {
	s := databaseRepository(t)
	address := s.database.Address
	away := s.copies[1].path
	if err := errors.Join(s.Close(), os.Rename(away, away+" unmounted")); err != nil {
		t.Fatal(err)
	}
	if _, err := MoveCatalogue(t.Context(), s.root, CatalogueFile, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(away+" unmounted", away); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(notedIn(t, s), ","); got != ","+address+"," {
		t.Errorf("after the move: %s", got)
	}
	again := reopen(t, s.root)
	wantNoted(t, again, "")
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := MoveCatalogue(t.Context(), s.root, address, nil); err != nil {
		t.Fatal(err)
	}
	wantNoted(t, s, address)
}

// TestNotedPassword: the address in a copy is data of others, so a password in it is not shown.
func TestNotedPassword(t *testing.T) {
	s := newRepository(t)
	id, err := readIdentity(s.copies[0].path)
	if err != nil {
		t.Fatal(err)
	}
	id.Catalogue = "postgres://quire:secret@host/archive"
	text, err := json.Marshal(id)
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(s.copies[0].path, copyFile), string(text))
	if err := errors.Join(s.Close(), os.Remove(filepath.Join(s.root, repositoryFile))); err != nil {
		t.Fatal(err)
	}
	_, err = Init(t.Context(), s.root, InitOptions{Rebuild: true, Describe: testDescribe})
	if err == nil || !strings.Contains(err.Error(), "--catalogue") || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
}
