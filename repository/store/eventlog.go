package store

import (
	"context"
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
	"quire/repository/register"
)

// readEvents collects the events of an object from the given copies, in the order in which they were
// written, up to maxEventTexts. If one copy of an event file is unreadable, another is used.
func readEvents(copies []*copyFolder, path string) []event {
	seen, left := map[string]bool{}, maxEventTexts
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
			if left -= len(text); left < 0 {
				break
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

// shareEvents copies the salt and the events that a present copy lacks from another one. It copies only events
// that the register has; without a register, each that can be read as an event. It only lists the folders,
// unless something is missing. The events of the change are entered before.
func (s *Store) shareEvents(ctx context.Context, object, path string) error {
	if !s.lackEvents(path) {
		return nil
	}
	k, err := s.known(ctx, object, path)
	if err != nil {
		return err
	}
	texts := k.events(objectsIn(s.present(), path))
	texts[saltFile] = saltText(k.salt)
	var errs []error
	for _, c := range s.present() {
		if !exists(c.object(path)) {
			continue
		}
		have := eventNamesIn(c.object(path))
		salt, ok := saltIn(c, path)
		have[saltFile] = ok && salt == k.salt
		for _, name := range sortedKeys(texts) {
			if have[name] {
				continue
			}
			if err := s.addEventFile(c, path, name, texts[name]); err != nil {
				errs = append(errs, fmt.Errorf("copy %s lacks the event %s: %w", c.name, name, err))
				break
			}
		}
	}
	return errors.Join(errs...)
}

// known is the knowledge by which events of an object are judged.
type known struct {
	salt  register.Salt
	judge *register.History // nil: there is no register
}

// known returns the leaves of an object. Without any leaf, none of its events counts.
func (s *Store) known(ctx context.Context, object, path string) (known, error) {
	if !s.registered() {
		return known{salt: s.saltFor(path)}, nil
	}
	h, found, err := s.historyOf(ctx, object, path)
	if err != nil || found {
		return known{h.salt, h.History}, err
	}
	return known{s.saltFor(path), &register.History{}}, nil
}

// events returns the events in the given folders of an object, by file name. It reads each name once, if it counts
// where it is first.
func (k known) events(dirs []string) map[string][]byte {
	all, left := map[string][]byte{}, maxEventTexts
	for _, dir := range dirs {
		for _, name := range sortedKeys(eventNamesIn(dir)) {
			if all[name] != nil {
				continue
			}
			text, err := readSmall(filepath.Join(dir, ocfl.LogsDir, name), maxEventSize)
			if err != nil || !k.counts(text) {
				continue
			}
			if left -= len(text); left < 0 {
				return all
			}
			all[name] = text
		}
	}
	return all
}

// counts reports whether an event is one of the object: by the register, or else by its form.
func (k known) counts(text []byte) bool {
	if k.judge != nil {
		return k.judge.HasEvent(k.salt.Event(text))
	}
	_, err := parseEvent(text)
	return err == nil
}

// lackEvents reports whether a present copy with an object lacks an event that another one has, or has another
// salt or none.
func (s *Store) lackEvents(path string) bool {
	var first map[string]bool
	var salt register.Salt
	for _, c := range s.present() {
		own, ok := saltIn(c, path)
		if !ok && !exists(c.object(path)) {
			continue
		}
		if !ok {
			return true
		}
		names := eventNamesIn(c.object(path))
		if first == nil {
			first, salt = names, own
		} else if own != salt || !maps.Equal(first, names) {
			return true
		}
	}
	return false
}

// mendEvents shares the events of an object that a copy lacks, unless the object is in use: the next
// audit does it then. The caller holds the lock for reading.
func (s *Store) mendEvents(ctx context.Context, card catalogue.Package) error {
	if !s.lackEvents(card.Path) {
		return nil
	}
	l, err := s.tryLock(objectKey(card.Object), exclusive, "package "+card.ID, "sharing events")
	var busy *BusyError
	if errors.As(err, &busy) {
		return nil
	}
	if err != nil {
		return err
	}
	defer l.release()
	return s.shareEvents(ctx, card.Object, card.Path)
}

// eventNamesIn returns the names of the event files in a folder of an object.
func eventNamesIn(object string) map[string]bool {
	names := map[string]bool{}
	entries, err := os.ReadDir(filepath.Join(object, ocfl.LogsDir))
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

// addEventFile writes an event file into the logs of an object in one copy.
func (s *Store) addEventFile(c *copyFolder, path, name string, text []byte) error {
	folder := filepath.Join(c.object(path), ocfl.LogsDir)
	if err := s.disk.mkdirAll(folder); err != nil {
		return err
	}
	return s.disk.replaceFile(filepath.Join(folder, name), text, storedFile)
}

// objectsIn returns the folders of an object in copies.
func objectsIn(copies []*copyFolder, path string) []string {
	dirs := make([]string, 0, len(copies))
	for _, c := range copies {
		dirs = append(dirs, c.object(path))
	}
	return dirs
}

// maxEventTexts bounds the texts of the events of one object that are in memory at once, in bytes. An event has
// some kilobytes. An audit reports an object with more.
const maxEventTexts = 64 << 20

// eachEvent visits the events in the given folders of an object, in the order of their names. It holds one text
// at a time. If a file is unreadable in one folder, the next one is used. It ends where visit returns false.
func eachEvent(dirs []string, visit func(name string, text []byte) bool) {
	names := map[string]bool{}
	for _, dir := range dirs {
		maps.Copy(names, eventNamesIn(dir))
	}
	for _, name := range sortedKeys(names) {
		for _, dir := range dirs {
			text, err := readSmall(filepath.Join(dir, ocfl.LogsDir, name), maxEventSize)
			if err != nil {
				continue
			}
			if !visit(name, text) {
				return
			}
			break
		}
	}
}

// eventTexts returns the events in the given folders of an object, by file name, up to maxEventTexts.
func eventTexts(dirs []string) map[string][]byte {
	texts, left := map[string][]byte{}, maxEventTexts
	eachEvent(dirs, func(name string, text []byte) bool {
		if left -= len(text); left < 0 {
			return false
		}
		texts[name] = text
		return true
	})
	return texts
}
