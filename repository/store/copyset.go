package store

import (
	"errors"
	"fmt"
	"slices"
)

// Copies returns the locations of the copies, with absolute paths.
func (s *Store) Copies() []CopyPlace {
	places := make([]CopyPlace, 0, len(s.copies))
	for _, c := range s.copies {
		places = append(places, CopyPlace{Name: c.name, Path: c.path})
	}
	return places
}

func (s *Store) copyNamed(name string) *copyFolder {
	for _, c := range s.copies {
		if c.name == name {
			return c
		}
	}
	return nil
}

// copiesNamed returns the copies of these names. It omits copies that the repository no longer has: it
// was rebuilt without them.
func (s *Store) copiesNamed(names []string) []*copyFolder {
	var copies []*copyFolder
	for _, name := range names {
		if c := s.copyNamed(name); c != nil {
			copies = append(copies, c)
		}
	}
	return copies
}

// present returns the folders that are available and belong to this repository.
func (s *Store) present() []*copyFolder {
	var there []*copyFolder
	for _, c := range s.copies {
		if !c.isFar() && c.available(s.id) == nil {
			there = append(there, c)
		}
	}
	return there
}

// enoughPresent returns an error if fewer copies are present than a package needs in order to be
// stored.
func (s *Store) enoughPresent() error {
	var away []error
	for _, c := range s.copies {
		if err := c.check(s.id); err != nil {
			away = append(away, err)
		}
	}
	if len(s.present()) == 0 {
		return fmt.Errorf("%w (nothing was written: a package needs a copy that is a folder)", errors.Join(away...))
	}
	if len(s.copies)-len(away) >= s.Required() {
		return nil
	}
	return fmt.Errorf("%w (nothing was written: the repository requires %d of %d copies)", errors.Join(away...),
		s.Required(), len(s.copies))
}

// allPresent returns an error if a copy is away.
func (s *Store) allPresent() error {
	for _, c := range s.copies {
		if err := c.check(s.id); err != nil {
			return fmt.Errorf("%w (nothing was written: every copy must be available)", err)
		}
	}
	return nil
}

// without returns the copies of the repository that are not among the given ones.
func (s *Store) without(given []*copyFolder) []*copyFolder {
	return slices.DeleteFunc(slices.Clone(s.copies), func(c *copyFolder) bool { return slices.Contains(given, c) })
}

// away returns the names of the copies that cannot be read now, in order.
func (s *Store) away() []string {
	var names []string
	for _, c := range s.copies {
		if c.check(s.id) != nil {
			names = append(names, c.name)
		}
	}
	return names
}
