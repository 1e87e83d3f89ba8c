package store

import (
	"fmt"
	"os"
	"path/filepath"
)

// OutsideError reports a place for a result that is inside a repository, a copy, or another OCFL
// storage root. A file there would be damage: audits report every file that Quire did not store.
type OutsideError struct {
	Path   string // the place for the result
	Inside string // the folder that must not change
}

// Error names both folders, and the next step.
func (e *OutsideError) Error() string {
	return fmt.Sprintf("%s is inside %s, which holds stored packages: choose a folder outside", e.Path, e.Inside)
}

// CheckOutside returns an [*OutsideError] if a new file or folder at path would be inside a
// repository, a copy of a repository, or an OCFL storage root. It follows symbolic links. The path
// need not exist.
func CheckOutside(path string) error { return checkOutside(path, holdsPackages) }

// CheckOutside is [CheckOutside], which also knows the copies of this repository whose disk is not
// mounted.
func (s *Store) CheckOutside(path string) error {
	ours := map[string]bool{}
	for _, dir := range append([]string{s.root}, s.copyPaths()...) {
		if physical, err := resolved(dir); err == nil { // a folder without a path cannot be written, either
			ours[physical] = true
		}
	}
	return checkOutside(path, func(dir string) bool { return ours[dir] || holdsPackages(dir) })
}

// CheckApart returns an error if a folder is inside the repository, a copy or an OCFL storage root, or has the
// repository or one of its copies in it.
func (s *Store) CheckApart(folder string) error {
	if err := s.CheckOutside(folder); err != nil {
		return err
	}
	physical, err := resolved(folder)
	if err != nil {
		return err
	}
	for _, dir := range append([]string{s.root}, s.copyPaths()...) {
		there, err := resolved(dir)
		if err != nil {
			continue // as in CheckOutside
		}
		if rel, err := filepath.Rel(physical, there); err == nil && filepath.IsLocal(rel) {
			return fmt.Errorf("%s has %s in it, which holds stored packages: choose a folder without it", folder, dir)
		}
	}
	return nil
}

func (s *Store) copyPaths() []string {
	paths := make([]string, 0, len(s.copies))
	for _, c := range s.folders() {
		paths = append(paths, c.path)
	}
	return paths
}

func checkOutside(path string, inside func(dir string) bool) error {
	physical, err := resolved(path)
	if err != nil {
		return err
	}
	for dir := physical; ; dir = filepath.Dir(dir) {
		if inside(dir) {
			return &OutsideError{path, dir}
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// resolved returns the absolute path without symbolic links, as far as the path exists.
func resolved(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for dir, rest := path, ""; ; dir, rest = filepath.Dir(dir), filepath.Join(filepath.Base(dir), rest) {
		physical, err := filepath.EvalSymlinks(dir)
		if err == nil {
			return filepath.Join(physical, rest), nil
		}
		if dir == filepath.Dir(dir) {
			return path, nil
		}
	}
}

// holdsPackages reports whether a folder is a repository, a copy, an OCFL storage root or an OCFL
// object. OCFL 1.1 declares the last two with files "0=ocfl_1.1" and "0=ocfl_object_1.1" (clauses
// 4.1 and 3.3).
func holdsPackages(dir string) bool {
	for _, name := range []string{repositoryFile, copyFile, initMark, "0=ocfl_1.0", "0=ocfl_1.1", "0=ocfl_object_1.0",
		"0=ocfl_object_1.1"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}
