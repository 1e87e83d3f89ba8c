package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quire/model"
	"quire/repository/catalogue"
	"quire/repository/ocfl"
)

// A note of the journal is complete or absent, since it is written by rename. If it cannot be read
// all the same, its disk has damaged it, and the state of its change is unknown. The copies decide
// then. A change that was not acknowledged may end in the old state or in the new one, and each copy
// that is not in the midst of a change holds one of the two, complete.

// noteError reports a note that cannot be read.
type noteError struct {
	path string
	err  error
}

func (e *noteError) Error() string {
	return fmt.Sprintf("journal %s cannot be read: %v", e.path, e.err)
}

func (e *noteError) Unwrap() error { return e.err }

// settleGarbled decides a change whose note cannot be read. The caller holds the object's lock, so
// the writer is dead. It sets the note and the staged files aside in the quarantine folders. It can be
// repeated after a kill: the note goes last.
func (s *Store) settleGarbled(ctx context.Context, key string, cause *noteError) error {
	if strings.HasPrefix(key, eventsPrefix) {
		return s.settleGarbledEvents(key, cause)
	}
	if away := s.away(); len(away) > 0 {
		return fmt.Errorf("%w; it is decided when all copies are there, and %s is away", cause, away[0])
	}
	staged, object := s.stagedFor(key)
	id, path := object, ocfl.ObjectPath(object)
	card, err := s.cardOf(ctx, key)
	switch {
	case err == nil:
		id, path = card.ID, card.Path
	case !errors.Is(err, ErrNotFound):
		return err
	case object == "": // in place already, or nothing was staged
		if id, path, err = s.unknownObject(ctx, key); err != nil {
			return err
		}
	}
	aside := filepath.Join(s.root, quarantineFolder, time.Now().UTC().Format(eventTime)+"-"+key+".json")
	j, err := s.decidedChange(ctx, key)
	if err != nil {
		return err
	}
	if j != nil {
		return s.finishGarbled(ctx, key, j, aside)
	}
	if j := s.begunRepair(card, staged); j != nil {
		return s.finishGarbled(ctx, key, j, aside)
	}
	detail, err := s.decideGarbled(ctx, id, path)
	if err != nil {
		return fmt.Errorf("%w; the staged files are kept: %w", cause, err)
	}
	for _, c := range s.folders() {
		for _, tx := range staged {
			if err := s.setAside(c.staging(tx), filepath.Join(c.quarantine(tx), "staged")); err != nil {
				return err
			}
		}
	}
	if err := s.setAside(s.journalPath(key), aside); err != nil {
		return err
	}
	s.addRecovery(Recovery{Package: id, Outcome: SetAside,
		Detail: fmt.Sprintf("%v; it is in %s now: %s", cause, aside, detail)})
	return nil
}

// begunRepair returns the note of a repair that has begun to move its objects into place, or nil. It
// has taken an object out, to the quarantine folder, so it was decided. The staged objects may then be
// the only complete ones.
func (s *Store) begunRepair(card catalogue.Package, txs []string) *journal {
	for _, tx := range txs {
		j := &journal{Format: 1, Kind: kindRepair, State: committed, Tx: tx, Package: card.ID, Object: card.Object,
			Path: card.Path, Version: card.Head, Inventory: card.Inventory, Started: time.Now().UTC(),
			By: newHolder("recovery")}
		took := false
		for _, c := range s.folders() {
			out := exists(filepath.Join(c.quarantine(tx), "object"))
			took = took || out
			if exists(c.stagedObject(tx)) {
				if inPlace(c.stagedObject(tx), card.Inventory) != nil {
					return nil
				}
				out = true
			}
			if out {
				j.Copies = append(j.Copies, c.name)
			}
		}
		if took && j.check() == nil {
			return j
		}
	}
	return nil
}

// finishGarbled keeps the note that cannot be read, writes another one, and finishes its change.
func (s *Store) finishGarbled(ctx context.Context, key string, j *journal, aside string) error {
	if err := s.disk.mkdirAll(filepath.Dir(aside)); err != nil {
		return err
	}
	if text, err := readSmall(s.journalPath(key), maxNote); err == nil {
		if err := s.disk.replaceFile(aside, text, workingFile); err != nil {
			return err
		}
	}
	if j.Register == nil { // of a version without a register
		salt, err := s.saltOfChange(ctx, j)
		if err != nil {
			return err
		}
		if err := s.seal(ctx, j, leavesOf(salt, j.Object)); err != nil {
			return err
		}
	}
	if err := s.writeJournal(key, j); err != nil {
		return err
	}
	return s.settle(ctx, key)
}

// maxNote bounds a note that is kept, in bytes.
const maxNote = 1 << 20

// setAside moves a file or folder, unless it is already gone.
func (s *Store) setAside(from, to string) error {
	if !exists(from) {
		return nil
	}
	if err := s.disk.mkdirAll(filepath.Dir(to)); err != nil {
		return err
	}
	return s.disk.rename(from, to)
}

// decideGarbled compares the object in all copies, and writes the best state to the catalogue. It
// returns a description of the outcome.
func (s *Store) decideGarbled(ctx context.Context, id, path string) (string, error) {
	if path == "" {
		return "no copy has its package, so no part of it is stored", nil
	}
	states, best := s.statesAt(ctx, path)
	if best == nil {
		_, err := s.card(ctx, id)
		nothing := !slices.ContainsFunc(s.folders(), func(c *copyFolder) bool { return exists(c.object(path)) })
		if errors.Is(err, ErrNotFound) && nothing {
			for _, c := range s.folders() {
				s.removeEmpty(c.name, filepath.ToSlash(filepath.Dir(path)))
			}
			return "no part of the package is stored; ingest it again", nil
		}
		return "", fmt.Errorf("no copy has a valid object at %s; restore one from a backup", path)
	}
	pkg, err := s.describeVersion(best, best.inventory.Head)
	if err != nil {
		return "", err
	}
	events := []event{s.newEvent(model.Recovery, pkg.ID, "",
		"the note of a change that was cut off could not be read; the copies decided")}
	for _, c := range s.folders() {
		if states[c.name] == catalogue.Good {
			continue
		}
		e := s.newEvent(model.FixityCheck, pkg.ID, c.name,
			fmt.Sprintf("after a change that was cut off, %s does not have version %d", c.name, best.head()))
		e.Status, e.Outcome = states[c.name], string(model.Fail)
		events = append(events, e)
	}
	var list []objectEvent
	for _, e := range events {
		if err := s.follow(ctx, path, &e); err != nil {
			return "", err
		}
		list = append(list, objectEvent{best.inventory.ID, path, e})
	}
	if err := s.recordEvents(ctx, list, func() error { return s.recordObject(ctx, path, nil) }); err != nil {
		return "", err
	}
	if len(events) == 1 {
		return "all copies have the same version, which is valid", nil
	}
	return "the copies differ; mend them: quire audit --repair " + pkg.ID, nil
}

// statesAt compares the object in all copies with the best one, by inventories. best is nil if no copy
// has a valid object.
func (s *Store) statesAt(ctx context.Context, path string) (states map[string]catalogue.Status, best *object) {
	best, err := s.bestObject(ctx, path, nil)
	if err != nil {
		return nil, nil
	}
	states = map[string]catalogue.Status{}
	for _, c := range s.folders() {
		o, err := openObject(c.object(path))
		switch {
		case err == nil && o.sum == best.sum && !exists(filepath.Join(o.dir, versionName(o.head()+1))):
			states[c.name] = catalogue.Good
		case err == nil && o.head() < best.head():
			states[c.name] = catalogue.Owed
		case exists(c.object(path)):
			states[c.name] = catalogue.Damaged
		default:
			states[c.name] = catalogue.Missing
		}
	}
	return states, best
}

// stagedFor returns the staging folders of an object in the copies, and the id of the object, by the
// inventories in them. It omits folders that a readable note names.
func (s *Store) stagedFor(key string) (txs []string, object string) {
	seen := map[string]bool{}
	for _, c := range s.present() {
		names, err := c.stagedNames()
		if err != nil {
			continue // nothing to attribute
		}
		for _, tx := range names {
			if seen[tx] || !isToken(tx) {
				continue
			}
			id := stagedID(c.stagedObject(tx))
			if id == "" || objectKey(id) != key {
				continue
			}
			seen[tx] = true
			txs, object = append(txs, tx), id
		}
	}
	return txs, object
}

// stagedID returns the id of a staged object, or "" if no inventory is in its folder.
func stagedID(dir string) string {
	folders := []string{dir}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	for _, e := range entries {
		folders = append(folders, filepath.Join(dir, e.Name()))
	}
	for _, folder := range folders {
		text, _, err := readInventory(folder)
		if err != nil {
			continue
		}
		if inv, err := ocfl.ParseInventory(text); err == nil {
			return inv.ID
		}
	}
	return ""
}

// unknownObject finds the object of a key that is in a copy, but not in the catalogue. It walks the
// storage roots: this is rare. It returns empty strings if there is none.
func (s *Store) unknownObject(ctx context.Context, key string) (id, path string, err error) {
	for _, c := range s.folders() {
		err := c.eachObject(ctx, func(at string) error {
			if _, err := s.catalogue.AtPath(ctx, at); err == nil {
				return nil
			}
			if o, err := openObject(c.object(at)); err == nil && objectKey(o.inventory.ID) == key {
				id, path = o.inventory.ID, at
				return errEnough
			}
			return nil
		}, func(string, error) {})
		if err != nil && !errors.Is(err, errEnough) {
			return "", "", err
		}
		if path != "" {
			break
		}
	}
	return id, path, nil
}

// cardOf finds the package with the object of a key. It reads the whole catalogue: this is rare.
func (s *Store) cardOf(ctx context.Context, key string) (catalogue.Package, error) {
	for p, err := range s.catalogue.Packages(ctx) {
		if err != nil {
			return p, err
		}
		if objectKey(p.Object) == key {
			return p, nil
		}
	}
	return catalogue.Package{}, ErrNotFound
}
