package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"quire/model"
	"quire/repository/catalogue"
	"quire/repository/disposal"
	"quire/repository/ocfl"
)

// carryOut removes a purged package from every copy that is present, and from the catalogue. Each step can
// be repeated, and an event of the document of purges records it. A copy that cannot be cleared is pending;
// the error is one of the catalogue or of ctx.
func (s *Store) carryOut(ctx context.Context, p *disposal.Purge) error {
	done, err := s.done(ctx)
	if err != nil {
		return err
	}
	object := objectID(p.Package)
	if slices.ContainsFunc(s.copies, func(c *copyFolder) bool { return done[p.ID][c.name].IsZero() }) {
		if err := s.enterPurge(ctx, p, object); err != nil {
			return err
		}
	}
	for _, c := range s.reachable() {
		if !done[p.ID][c.name].IsZero() {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		err := s.clear(ctx, c, p.Package, object)
		s.setPurgeFailure(p.ID, c.name, err)
		if err != nil {
			continue
		}
		if err := s.recordDeletion(ctx, p, c.name, c.name); err != nil {
			return err
		}
	}
	if !done[p.ID][PurgeCatalogue].IsZero() {
		return nil
	}
	if err := s.catalogue.Remove(ctx, p.Package); err != nil {
		return err
	}
	return s.recordDeletion(ctx, p, "", PurgeCatalogue)
}

// clear removes the object of a package from a copy: the object itself, damaged objects that a repair set
// aside, and the folders that are empty then.
func (s *Store) clear(ctx context.Context, c *copyFolder, id, object string) error {
	key, place := objectKey(object), ocfl.ObjectPath(object)
	gate, err := s.waitLock(ctx, readLock(key), exclusive, "package "+id, "purge")
	if err != nil {
		return err
	}
	defer gate.release()
	if err := s.alive(ctx); err != nil {
		return err
	}
	if c.isFar() {
		return s.clearFar(ctx, c, place)
	}
	release, err := s.hold([]*copyFolder{c})
	if err != nil {
		return err
	}
	defer release()
	// The key names the folder in staging, so a second try finds the rest of the first. Recovery finds it, too.
	if err := s.removeStaged(c, key); err != nil {
		return err
	}
	if final := c.object(place); exists(final) {
		if err := s.disk.mkdirAll(c.staging(key)); err != nil {
			return err
		}
		if err := s.disk.rename(final, c.stagedObject(key)); err != nil {
			return err
		}
		if err := s.removeStaged(c, key); err != nil {
			return err
		}
	}
	if err := s.removeFolders(c, path.Dir(place)); err != nil {
		return err
	}
	return s.clearQuarantine(c, object)
}

// reachable returns the copies that a purge can clear now, those in buckets last.
func (s *Store) reachable() []*copyFolder { return append(s.present(), s.farPresent()...) }

// clearFar removes the object from a copy that is no folder, with the earlier versions that a bucket keeps, and
// its wrong files that a repair set aside. A retention of the bucket is an error: the copy stays pending.
func (s *Store) clearFar(ctx context.Context, c *copyFolder, place string) error {
	aside := func(name string) bool { // quarantine/TX/PLACE/FILE
		_, rest, _ := strings.Cut(strings.TrimPrefix(name, quarantineFolder+"/"), "/")
		return strings.HasPrefix(rest, place+"/")
	}
	err := c.far.Erase(ctx, farName(place, ""), nil)
	if err == nil {
		err = c.far.Erase(ctx, quarantineFolder+"/", aside)
	}
	if err != nil {
		return fmt.Errorf("copy %s: %w", c.name, err)
	}
	return nil
}

func (s *Store) removeStaged(c *copyFolder, name string) error {
	if !exists(c.staging(name)) {
		return nil
	}
	return s.disk.removeAll(c.staging(name))
}

// removeFolders removes a folder of a storage root and those above it, as far as they are empty.
func (s *Store) removeFolders(c *copyFolder, name string) error {
	for dir := c.object(name); inside(dir, c.root()) && dir != c.root(); dir = filepath.Dir(dir) {
		entries, err := os.ReadDir(dir)
		if notThere(err) {
			continue
		}
		if err != nil || len(entries) > 0 {
			return err
		}
		if err := s.disk.removeFolder(dir); err != nil && !notThere(err) && !errors.Is(err, syscall.ENOTEMPTY) {
			return err
		}
	}
	return nil
}

// clearQuarantine removes the damaged objects with an id from the quarantine of a copy.
func (s *Store) clearQuarantine(c *copyFolder, object string) error {
	home := filepath.Join(c.path, quarantineFolder)
	entries, err := os.ReadDir(home)
	if err != nil {
		return fmt.Errorf("copy %s: %w", c.name, err)
	}
	for _, entry := range entries {
		dir := filepath.Join(home, entry.Name())
		if events := filepath.Join(dir, quarantinedEvents, ocfl.ObjectPath(object)); exists(events) {
			if err := s.disk.removeAll(events); err != nil {
				return err
			}
		}
		for _, inside := range []string{"object", filepath.Join("staged", "object")} {
			is, err := isOf(filepath.Join(dir, inside), object)
			if err != nil {
				return fmt.Errorf("copy %s: %s may hold the package; look, and remove it by hand: %w", c.name, dir, err)
			}
			if !is {
				continue
			}
			if err := s.disk.removeAll(dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// isOf reports whether a damaged object has an id, by any of its inventories. It is an error if none can
// be read, for then it may have.
func isOf(dir, object string) (bool, error) {
	if !exists(dir) {
		return false, nil
	}
	found := errors.New("it has no inventory")
	entries, err := os.ReadDir(dir) // no pattern: the path of a copy may have brackets
	if err != nil {
		return false, err
	}
	paths := []string{filepath.Join(dir, ocfl.InventoryFile)}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), "v") {
			paths = append(paths, filepath.Join(dir, entry.Name(), ocfl.InventoryFile))
		}
	}
	for _, name := range paths {
		text, err := readSmall(name, ocfl.MaxInventorySize)
		if err != nil {
			found = err
			continue
		}
		inv, err := ocfl.ParseInventory(text)
		if err == nil {
			return inv.ID == object, nil
		}
		if quoted, _ := json.Marshal(object); bytes.Contains(text, quoted) { // a string can always be encoded
			return true, nil
		}
		found = err
	}
	return false, found
}

// recordDeletion writes the event of a removal into the log of the document of purges.
func (s *Store) recordDeletion(ctx context.Context, p *disposal.Purge, copyName, place string) error {
	id := catalogue.DocumentPrefix + PurgesDocument
	card, err := s.card(ctx, id)
	if err != nil {
		return err
	}
	l, err := s.waitRead(ctx, card.Object) // installing a version replaces the log folder
	if err != nil {
		return err
	}
	defer l.release()
	e := s.newEvent(model.Deletion, id, copyName, deletionOf(p.ID)+"removed from "+place)
	e.By = p.Approved.By
	if err := s.follow(ctx, card.Path, &e); err != nil {
		return err
	}
	line := e.Event
	line.Copy = copyName
	err = s.recordEvents(ctx, []objectEvent{{card.Object, card.Path, e}}, func() error {
		return s.catalogue.AddEvent(ctx, id, line)
	})
	if err != nil {
		return err
	}
	return s.shareEvents(ctx, card.Object, card.Path) // with a copy that failed a moment ago
}

// enterPurge enters the tombstone of a purged package, before its salt is deleted. Once all copies are cleared,
// no salt is left, and nothing is entered.
func (s *Store) enterPurge(ctx context.Context, p *disposal.Purge, object string) error {
	if !s.registered() {
		return nil
	}
	h, found, err := s.historyOf(ctx, object, ocfl.ObjectPath(object))
	if err != nil || !found || h.Gone() {
		return err
	}
	record, err := json.Marshal(p)
	if err != nil {
		return err
	}
	document := catalogue.DocumentPrefix + PurgesDocument
	recordSalt, err := s.saltToEnter(ctx, document, ocfl.ObjectPath(document))
	if err != nil {
		return err
	}
	return s.tombstone(ctx, h.salt, object, s.moment(), record, recordSalt)
}

// FinishPurges carries out the purges that are decided, in the copies that are present now. Open calls it.
// It returns the purges that it went on with.
func (s *Store) FinishPurges(ctx context.Context) ([]PurgeStatus, error) {
	if err := s.recover(ctx); err != nil { // events that an earlier try could not record
		return nil, err
	}
	return s.pendingPurges(ctx)
}

func (s *Store) pendingPurges(ctx context.Context) ([]PurgeStatus, error) {
	all, err := s.readPurges(ctx)
	if err != nil || len(all.inForce) == 0 {
		return nil, err
	}
	done, err := s.done(ctx)
	if err != nil {
		return nil, err
	}
	var went []PurgeStatus
	for i := range all.all.List {
		p := &all.all.List[i]
		if p.State() != disposal.Purged || !s.pendingNow(done[p.ID]) {
			continue
		}
		l, err := s.tryLock(objectKey(objectID(p.Package)), exclusive, "package "+p.Package, "purge")
		var busy *BusyError
		if errors.As(err, &busy) {
			continue // its program is at work
		}
		if err != nil {
			return went, err
		}
		fresh, err := s.carryOutAgain(ctx, p.ID)
		l.release()
		if err != nil {
			return went, err
		}
		status, err := s.statusOf(ctx, fresh)
		if err != nil {
			return went, err
		}
		went = append(went, status)
	}
	return went, nil
}

// carryOutAgain goes on with a purge, unless the package may be stored again since. The caller has locked the
// package.
func (s *Store) carryOutAgain(ctx context.Context, id string) (disposal.Purge, error) {
	p, err := s.Purge(ctx, id)
	if err != nil || p.State() != disposal.Purged {
		return p, err
	}
	return p, s.carryOut(ctx, &p)
}

// pendingNow reports whether a present copy, or the catalogue, may have a purged package.
func (s *Store) pendingNow(done map[string]time.Time) bool {
	for _, c := range s.reachable() {
		if done[c.name].IsZero() {
			return true
		}
	}
	return done[PurgeCatalogue].IsZero()
}

// finishPurges is FinishPurges for Open: its results are recoveries.
func (s *Store) finishPurges(ctx context.Context) error {
	went, err := s.pendingPurges(ctx)
	for _, p := range went {
		r := Recovery{Package: p.Package, Outcome: Finished,
			Detail: "purge " + p.ID + " was carried out where it was pending"}
		for _, pending := range p.Pending {
			if pending.Place != PurgeIndexes && !pending.Away {
				r.Outcome, r.Detail = Pending, "purge "+p.ID+" in "+pending.Place+": "+pending.Why
			}
		}
		s.addRecovery(r)
	}
	if errors.Is(err, errPurges) { // reading goes on; storing asks again, and refuses
		s.addRecovery(Recovery{Package: catalogue.DocumentPrefix + PurgesDocument, Outcome: Pending,
			Detail: err.Error() + ". No package can be stored before a copy has it whole: bring it back from a " +
				"backup, then quire audit --repair"})
		return nil
	}
	return err
}

// RecordIndexesPurged records that the indexes for readers no longer have a purged package.
func (s *Store) RecordIndexesPurged(ctx context.Context, p disposal.Purge) error {
	return s.recordDeletion(ctx, &p, "", PurgeIndexes)
}

// purgeAgain removes the object of a purged package that came back into a copy, such as from a backup.
func (s *Store) purgeAgain(ctx context.Context, copyName, place string) (RepairReport, error) {
	report, p, err := s.planPurgeAgain(ctx, copyName, place)
	if err != nil || p == nil {
		return report, err
	}
	c := s.copyNamed(copyName)
	object := objectID(p.Package)
	l, err := s.tryWriter(ctx, objectKey(object), "package "+p.Package, "purge")
	if err != nil {
		return report, err
	}
	defer l.release()
	all, err := s.readPurges(ctx)
	if err != nil {
		return report, err
	}
	if p = all.byPath[place]; p == nil { // the package may be stored again since
		report.Purged = []string{}
		return report, nil
	}
	if err := s.clear(ctx, c, p.Package, object); err != nil {
		return report, err
	}
	return report, s.recordDeletion(ctx, p, copyName, copyName)
}

// planPurgeAgain returns the report of purgeAgain, and the purge; nil if there is nothing to remove.
func (s *Store) planPurgeAgain(ctx context.Context, copyName, place string) (RepairReport, *disposal.Purge, error) {
	all, err := s.readPurges(ctx)
	if err != nil || s.copyNamed(copyName) == nil || all.byPath[place] == nil {
		return RepairReport{}, nil, err
	}
	p := all.byPath[place]
	return RepairReport{ID: p.Package, Sources: []string{}, Repaired: []string{}, Findings: []Finding{},
		Purged: []string{copyName}, Away: s.away()}, p, nil
}

// setPurgeFailure keeps the reason why a copy could not be cleared; nil removes it.
func (s *Store) setPurgeFailure(id, copyName string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unpurged == nil {
		s.unpurged = map[string]error{}
	}
	s.unpurged[id+" "+copyName] = err
}

func (s *Store) purgeFailure(id, copyName string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unpurged[strings.Join([]string{id, copyName}, " ")]
}
