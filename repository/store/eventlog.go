package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quire/repository/ocfl"
)

// readEvents collects the events of an object from the given copies, sorted by time. If one copy of
// an event file is unreadable, another is used.
func readEvents(copies []*copyFolder, path string) []event {
	seen := map[string]bool{}
	var all []event
	for _, c := range copies {
		folder := filepath.Join(c.object(path), ocfl.LogsDir)
		entries, err := os.ReadDir(folder)
		if err != nil {
			continue // logs are optional in an object
		}
		for _, entry := range entries {
			name := entry.Name()
			if seen[name] || !entry.Type().IsRegular() || strings.HasPrefix(name, ".") || filepath.Ext(name) != ".xml" {
				continue
			}
			text, err := readSmall(filepath.Join(folder, name), maxEventSize)
			if err != nil {
				continue
			}
			e, err := parseEvent(text)
			if err != nil {
				continue
			}
			seen[name] = true
			e.File = name
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(a, b event) int {
		if c := a.Time.Compare(b.Time); c != 0 {
			return c
		}
		return strings.Compare(a.File, b.File)
	})
	return all
}

// writeEvent writes an event into the logs of an object, in every copy that is present and has the
// object. It fails only if no copy could write the event; the error then names the copies.
func (s *Store) writeEvent(path string, e event) error {
	var errs []error
	for _, c := range s.present() {
		if !exists(c.object(path)) {
			continue
		}
		err := s.writeEventIn(c, path, e)
		if err == nil {
			errs = append(errs, nil)
			continue
		}
		errs = append(errs, fmt.Errorf("copy %s: %w", c.name, err))
	}
	if len(errs) == 0 || slices.Contains(errs, nil) {
		return nil
	}
	return fmt.Errorf("writing the event %s: %w", e.File, errors.Join(errs...))
}

// writeEventIn writes an event into the logs of an object in one copy, unless it is already there.
func (s *Store) writeEventIn(c *copyFolder, path string, e event) error {
	folder := filepath.Join(c.object(path), ocfl.LogsDir)
	target := filepath.Join(folder, e.File)
	if _, err := os.Stat(target); err == nil {
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, err := e.marshal()
	if err != nil {
		return err
	}
	if err := s.disk.mkdirAll(folder); err != nil {
		return err
	}
	return s.disk.replaceFile(target, text, storedFile)
}

// shareEvents copies the events of each copy to all others.
func (s *Store) shareEvents(path string) error {
	present := s.present()
	texts := eventTexts(present, path)
	for _, c := range present {
		if !exists(c.object(path)) {
			continue
		}
		folder := filepath.Join(c.object(path), ocfl.LogsDir)
		if err := s.disk.mkdirAll(folder); err != nil {
			return err
		}
		for _, name := range sortedKeys(texts) {
			if exists(filepath.Join(folder, name)) {
				continue
			}
			if err := s.disk.replaceFile(filepath.Join(folder, name), texts[name], storedFile); err != nil {
				return err
			}
		}
	}
	return nil
}

// eventTexts returns the events of an object in the given copies, by file name.
func eventTexts(copies []*copyFolder, path string) map[string][]byte {
	texts := map[string][]byte{}
	for _, c := range copies {
		folder := filepath.Join(c.object(path), ocfl.LogsDir)
		entries, err := os.ReadDir(folder)
		if err != nil {
			continue // no events there
		}
		for _, entry := range entries {
			name := entry.Name()
			if texts[name] != nil || filepath.Ext(name) != ".xml" || strings.HasPrefix(name, ".") {
				continue
			}
			if text, err := readSmall(filepath.Join(folder, name), maxEventSize); err == nil {
				texts[name] = text
			}
		}
	}
	return texts
}
