package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	system "quire/internal/disk"
)

// ErrReadOnly reports a write to a repository that is open for reading only.
var ErrReadOnly = errors.New("the repository is open for reading only")

// ReadOnly reports whether the repository is open for reading only.
func (s *Store) ReadOnly() bool { return s.readOnly }

// Writable returns [ErrReadOnly] if the repository cannot be written.
func (s *Store) Writable() error {
	if s.readOnly {
		return s.refuse()
	}
	return nil
}

func (s *Store) refuse() error {
	return fmt.Errorf("repository %s: %w: do this as an account that may write to it", s.root, ErrReadOnly)
}

// mayWrite returns an error if this process may not write to the repository folder. It writes
// nothing. SQLite makes files beside the catalogue.
func (s *Store) mayWrite() error {
	for _, dir := range []string{s.root, filepath.Join(s.root, locksFolder), filepath.Join(s.root, journalFolder)} {
		if err := system.Writable(dir); denied(err) {
			return err
		}
	}
	if s.database != nil {
		return nil // the database decides
	}
	if err := system.Changeable(s.cataloguePath()); denied(err) {
		return err
	}
	return nil
}

// WouldWrite returns the error that [Store.Writable] would return if the repository were not opened
// for reading only by choice. A dry run asks it.
func (s *Store) WouldWrite() error {
	if err := s.mayWrite(); err != nil {
		return s.refuse()
	}
	return nil
}

// copiesWritable returns an error if this process may not store a package in one of the copies. It
// writes nothing.
func copiesWritable(copies []*copyFolder) error {
	for _, c := range copies {
		for _, dir := range []string{c.root(), filepath.Join(c.path, stagingFolder)} {
			if err := system.Writable(dir); denied(err) {
				return fmt.Errorf("copy %s cannot be written: %w", c.name, err)
			}
		}
	}
	return nil
}

// pending reports changes that a killed process may have left incomplete. The writer may also still
// be alive.
func (s *Store) pending() error {
	keys, err := s.journalKeys()
	if err != nil {
		return err
	}
	for _, key := range keys {
		j, err := s.readJournal(key)
		if err != nil {
			s.addRecovery(Recovery{Outcome: Pending,
				Detail: fmt.Sprintf("%v; open the repository from an account with write access", err)})
			continue
		}
		if j != nil {
			s.addRecovery(Recovery{Package: j.Package, Outcome: Pending,
				Detail: fmt.Sprintf("the %s by %s has not ended; if its process is dead, open the "+
					"repository from an account with write access", j.Kind, j.By)})
		}
	}
	return nil
}

// Folder returns the path of a folder in the repository, which need not exist.
func (s *Store) Folder(name string) string { return filepath.Join(s.root, name) }

// Derived returns the folder for derived data that can be rebuilt. It is NAME in the repository, or
// in the cache of the account (os.UserCacheDir) if the repository is open for reading only.
func (s *Store) Derived(name string) (string, error) {
	if !s.readOnly {
		return s.Folder(name), nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "",
			fmt.Errorf("repository %s is open for reading only, and no folder for indexes exists: set "+
				"XDG_CACHE_HOME: %w", s.root, err)
	}
	return filepath.Join(cache, "quire", s.id, name), nil
}
