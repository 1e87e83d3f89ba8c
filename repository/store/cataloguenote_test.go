package store

import (
	"encoding/json"
	"errors"
	"net/http"
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

// noting returns the text of an identity that names a database.
func noting(t *testing.T, text []byte, address string) []byte {
	t.Helper()
	id, err := parseIdentity(text)
	if err != nil {
		t.Fatal(err)
	}
	id.Catalogue = address
	text, err = json.Marshal(id)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// note makes the copy in a folder name a database.
func note(t *testing.T, path, address string) {
	t.Helper()
	edit(t, filepath.Join(path, copyFile), func(text []byte) []byte { return noting(t, text, address) })
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
	if len(r) != 1 || r[0].Outcome != Pending || !strings.Contains(r[0].Detail, address) ||
		!strings.Contains(r[0].Detail, "unless it is the same database under another name") {
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
	if err := errors.Join(s.Close(), os.Remove(filepath.Join(s.root, repositoryFile))); err != nil {
		t.Fatal(err)
	}
	note(t, s.copies[0].path, "postgres://quire:secret@host/archive")
	_, err := Init(t.Context(), s.root, InitOptions{Rebuild: true, Describe: testDescribe})
	if err == nil || !strings.Contains(err.Error(), "--catalogue") || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
}

// lostSettings makes a repository without quire-repository.json, whose copies name a database. The identity of the
// last one is damaged.
func lostSettings(t *testing.T, address string) *Store {
	t.Helper()
	s := newRepository(t)
	mustIngest(t, s, makePackage(t, damagedID, content{"a.warc": "one"}), IngestOptions{})
	if err := errors.Join(s.Close(), os.Remove(filepath.Join(s.root, repositoryFile))); err != nil {
		t.Fatal(err)
	}
	for _, c := range s.copies[:2] {
		note(t, c.path, address)
	}
	put(t, filepath.Join(s.copies[2].path, copyFile), "{")
	return s
}

// TestFailedRebuildKeepsAddress: until the other catalogue is complete, all copies name the earlier one, also those
// that the rebuild makes or signs again.
func TestFailedRebuildKeepsAddress(t *testing.T) {
	const address = "postgres://quire@db.example/archive"
	check := func(t *testing.T, s *Store, fresh string) (signed int) {
		t.Helper()
		for _, path := range append(paths(s.copies), fresh) {
			id, err := readIdentity(path)
			if err != nil {
				continue // it is damaged still, or empty
			}
			if signed++; id.Catalogue != address {
				t.Errorf("%s names %q", path, id.Catalogue)
			}
		}
		return signed
	}
	t.Run("no server", func(t *testing.T) {
		s := lostSettings(t, address)
		fresh := filepath.Join(s.root, "fresh")
		_, err := Init(t.Context(), s.root, InitOptions{Rebuild: true, Describe: testDescribe,
			Copies: append(paths(s.copies), fresh), Catalogue: "postgres://quire@127.0.0.1:1/typo"})
		if err == nil || !strings.Contains(err.Error(), "127.0.0.1") {
			t.Fatalf("got %v", err)
		}
		if n := check(t, s, fresh); n != 4 {
			t.Errorf("%d copies have an identity", n)
		}
	})
	t.Run("cut off", func(t *testing.T) {
		for at := 1; ; at++ {
			s := lostSettings(t, address)
			fresh := filepath.Join(s.root, "fresh")
			d := &door{at: at, dies: true}
			_, err := rebuild(t.Context(), s.root, InitOptions{Rebuild: true, Describe: testDescribe,
				Copies: append(paths(s.copies), fresh), Catalogue: CatalogueFile}, &disk{fault: d.fault})
			if Is(s.root) { // the settings name the place that a person chose
				if at < 10 {
					t.Errorf("only %d changes", at)
				}
				break
			}
			if err == nil {
				t.Fatalf("step %d: no error", at)
			}
			check(t, s, fresh)
			if _, err := Init(t.Context(), s.root, InitOptions{Rebuild: true, Describe: testDescribe}); err == nil {
				t.Errorf("step %d: the next rebuild chose a place itself", at)
			}
		}
	})
}

// TestNotedAddressElsewhere: an address is shown, and is no damage of the settings, although this machine lacks the
// certificate that it names.
func TestNotedAddressElsewhere(t *testing.T) {
	const address = "postgres://quire@db.example/archive?sslmode=verify-full&sslrootcert=/nowhere/ca.pem"
	s := lostSettings(t, address)
	_, err := Init(t.Context(), s.root, InitOptions{Rebuild: true, Describe: testDescribe})
	if err == nil || !strings.Contains(err.Error(), address) {
		t.Errorf("got %v", err)
	}
	config := repositoryConfig{Repository: s.id, Copies: s.Copies(), Catalogue: address}
	if err := (&disk{}).writeConfig(s.root, config); err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), s.root, Options{Describe: testDescribe})
	if err == nil || errors.Is(err, errGarbled) || !strings.Contains(err.Error(), "ca.pem") {
		t.Errorf("opening: %v", err)
	}
}

// TestNoteNotRead: a rebuild that cannot read which database a copy names makes no file, also if the next request
// is answered.
func TestNoteNotRead(t *testing.T) {
	address, service := inBucket(t)
	s := newRepository(t)
	mustAdd(t, s, address)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	service.Edit("bucket/prefix/"+copyFile, func(text []byte) []byte {
		return noting(t, text, "postgres://quire@db.example/archive")
	})
	for fails := 1; ; fails++ {
		root, n := filepath.Join(fastDir(t), "repo"), 0
		service.Fail(func(r *http.Request) bool {
			if r.Method != http.MethodGet || !strings.HasSuffix(r.URL.Path, copyFile) {
				return false
			}
			n++
			return n == fails
		})
		_, err := Init(t.Context(), root, InitOptions{Rebuild: true, Describe: testDescribe,
			Copies: []string{filepath.Join(root, "fresh"), address}})
		if err == nil || exists(filepath.Join(root, catalogueFile)) {
			t.Fatalf("request %d fails: a file was made, %v", fails, err)
		}
		if n < fails {
			break
		}
	}
}

// TestMovedWithWarning: a catalogue that moved is no failure, also if a copy cannot name its new place.
func TestMovedWithWarning(t *testing.T) {
	s := databaseRepository(t)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(s.copies[1].path, tempName(copyFile), "in the way"), "")
	n, err := MoveCatalogue(t.Context(), s.root, CatalogueFile, nil)
	if err != nil || n.Packages == 0 || len(n.Warnings) != 1 || !strings.Contains(n.Warnings[0], "copy copy-2") {
		t.Fatalf("%+v, %v", n, err)
	}
	config, err := readConfig(s.root)
	if err != nil || config.Catalogue != "" {
		t.Errorf("%+v, %v", config, err)
	}
}
