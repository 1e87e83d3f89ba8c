package store

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quire/repository/catalogue"
	"quire/repository/ocfl"
)

// readEvents collects the events of an object from the given copies, in the order in which they were
// written. If one copy of an event file is unreadable, another is used.
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
	slices.SortFunc(all, func(a, b event) int { return strings.Compare(a.File, b.File) })
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
	return s.addEventFile(c, path, e.File, text)
}

// shareEvents copies the events that a present copy lacks from another one. It only lists the folders,
// unless an event is missing. An event that cannot be read as one is not copied.
func (s *Store) shareEvents(path string) error {
	have := map[*copyFolder]map[string]bool{}
	all := map[string]bool{}
	for _, c := range s.present() {
		if !exists(c.object(path)) {
			continue
		}
		have[c] = eventNames(c, path)
		maps.Copy(all, have[c])
	}
	var errs []error
	for _, c := range s.copies {
		if have[c] == nil || len(have[c]) == len(all) {
			continue
		}
		for _, name := range sortedKeys(all) {
			if have[c][name] {
				continue
			}
			text := eventIn(have, path, name)
			if text == nil {
				continue
			}
			if err := s.addEventFile(c, path, name, text); err != nil {
				errs = append(errs, fmt.Errorf("copy %s lacks the event %s: %w", c.name, name, err))
				break
			}
		}
	}
	return errors.Join(errs...)
}

// lackEvents reports whether a present copy with an object lacks an event that another one has.
func (s *Store) lackEvents(path string) bool {
	var first map[string]bool
	for _, c := range s.present() {
		if !exists(c.object(path)) {
			continue
		}
		names := eventNames(c, path)
		if first == nil {
			first = names
		} else if !maps.Equal(first, names) {
			return true
		}
	}
	return false
}

// mendEvents shares the events of an object that a copy lacks, unless the object is in use: the next
// audit does it then. The caller holds the lock for reading.
func (s *Store) mendEvents(card catalogue.Package) error {
	if !s.lackEvents(card.Path) {
		return nil
	}
	l, err := tryLock(s.lockPath(objectKey(card.Object)), exclusive, "package "+card.ID, "sharing events")
	var busy *BusyError
	if errors.As(err, &busy) {
		return nil
	}
	if err != nil {
		return err
	}
	defer l.release()
	return s.shareEvents(card.Path)
}

// eventNames returns the names of the event files of an object in a copy.
func eventNames(c *copyFolder, path string) map[string]bool {
	names := map[string]bool{}
	entries, err := os.ReadDir(filepath.Join(c.object(path), ocfl.LogsDir))
	if err != nil {
		return names // no events there
	}
	for _, entry := range entries {
		name := entry.Name()
		if entry.Type().IsRegular() && filepath.Ext(name) == ".xml" && !strings.HasPrefix(name, ".") {
			names[name] = true
		}
	}
	return names
}

// eventIn returns an event file from a copy in which it is readable, or nil.
func eventIn(have map[*copyFolder]map[string]bool, path, name string) []byte {
	for c, names := range have {
		if !names[name] {
			continue
		}
		text, err := readSmall(filepath.Join(c.object(path), ocfl.LogsDir, name), maxEventSize)
		if err != nil {
			continue
		}
		if _, err := parseEvent(text); err == nil {
			return text
		}
	}
	return nil
}

// addEventFile writes an event file into the logs of an object in one copy.
func (s *Store) addEventFile(c *copyFolder, path, name string, text []byte) error {
	folder := filepath.Join(c.object(path), ocfl.LogsDir)
	if err := s.disk.mkdirAll(folder); err != nil {
		return err
	}
	return s.disk.replaceFile(filepath.Join(folder, name), text, storedFile)
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
