package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"quire/repository/ocfl"
)

// rollForward moves a committed change into place in every copy, writes it to the catalogue, and
// removes the journal note. Every step can be repeated: an ingest ends with it, and recovery runs
// it after a kill at any point. The caller holds the object's lock. The leaves come first: if the note is
// lost, the register shows that the change was decided.
func (s *Store) rollForward(ctx context.Context, key string, j *journal) error {
	// Readers of this object (audit, export) finish first. They see the old version or the new one.
	gate, err := s.waitLock(ctx, readLock(key), exclusive, "package "+j.Package, "putting in place")
	if err != nil {
		return err
	}
	defer gate.release()
	if err := s.alive(ctx); err != nil {
		return err // another machine may have settled this change already
	}
	copies := s.copiesNamed(j.Copies)
	release, err := s.hold(copies)
	if err != nil {
		return err
	}
	defer release()
	if err := s.enter(ctx, j.Register); err != nil {
		return err
	}
	for _, c := range copies {
		if err := s.install(c, j); err != nil {
			return fmt.Errorf("moving %s into place in copy %s: %w", j.Package, c.name, err)
		}
	}
	if j.Kind == kindRepair {
		if err := s.shareEvents(ctx, j.Object, j.Path); err != nil {
			return err
		}
	}
	for _, e := range j.Events {
		if err := s.putEvent(e); err != nil {
			return err
		}
	}
	if err := s.recordObject(ctx, j.Path, copies); err != nil {
		return err
	}
	return s.drop(key, j)
}

// drop removes the staged files of a change, and then its journal note.
func (s *Store) drop(key string, j *journal) error {
	if err := s.clearStaging(j); err != nil {
		return err
	}
	// A process that lost its locks may find the note of another one.
	if now, err := s.readJournal(key); err == nil && now != nil && now.Tx != j.Tx {
		return nil
	}
	return s.removeJournal(key)
}

// clearStaging removes the staged files of a change.
func (s *Store) clearStaging(j *journal) error {
	for _, c := range s.present() {
		if err := s.disk.removeAll(c.staging(j.Tx)); err != nil {
			return fmt.Errorf("clearing the staging of copy %s: %w", c.name, err)
		}
	}
	return nil
}

// install moves a change into place in one copy.
func (s *Store) install(c *copyFolder, j *journal) error {
	if j.Kind == kindRepair || j.Previous == "" {
		return s.installObject(c, j)
	}
	return s.installVersion(c, j)
}

// installObject moves a complete object into place, in one step.
func (s *Store) installObject(c *copyFolder, j *journal) error {
	staged, final := c.stagedObject(j.Tx), c.object(j.Path)
	if !exists(staged) {
		return inPlace(final, j.Inventory)
	}
	if exists(final) {
		if j.Kind != kindRepair {
			return fmt.Errorf("%s already exists", final)
		}
		// The damaged object is evidence. It is kept outside the storage root.
		if err := s.disk.mkdirAll(c.quarantine(j.Tx)); err != nil {
			return err
		}
		if err := s.disk.rename(final, filepath.Join(c.quarantine(j.Tx), "object")); err != nil {
			return err
		}
	}
	for try := 0; ; try++ {
		if err := s.disk.mkdirAll(filepath.Dir(final)); err != nil {
			return err
		}
		// A repair may remove the folder again, while it is empty.
		if err := s.disk.rename(staged, final); !notThere(err) || try == installTries || !exists(staged) {
			return err
		}
	}
}

// installTries is the number of extra attempts to rename an object into a folder that vanished.
const installTries = 5

// installVersion moves the parts of a new version into place: the version's folder, then the root
// inventory, then its sidecar, then the events. Before the inventory is replaced, the object is the
// old version with one extra folder. After that, the object is invalid until the sidecar is
// replaced; after a kill, recovery completes it from the journal.
func (s *Store) installVersion(c *copyFolder, j *journal) error {
	staged, final := c.stagedObject(j.Tx), c.object(j.Path)
	if err := checkBefore(staged, final, j); err != nil {
		return err
	}
	sidecar := ocfl.SidecarName(ocfl.SHA512)
	for _, name := range []string{versionName(j.Version), ocfl.InventoryFile, sidecar} {
		if err := s.moveIn(staged, final, name); err != nil {
			return err
		}
	}
	if err := s.disk.mkdirAll(filepath.Join(final, ocfl.LogsDir)); err != nil {
		return err
	}
	logs, err := os.ReadDir(filepath.Join(staged, ocfl.LogsDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range logs {
		if err := s.moveIn(staged, final, filepath.Join(ocfl.LogsDir, e.Name())); err != nil {
			return err
		}
	}
	return inPlace(final, j.Inventory)
}

// moveIn moves one part, unless it is already in place.
func (s *Store) moveIn(staged, final, name string) error {
	from := filepath.Join(staged, name)
	if !exists(from) {
		return nil
	}
	return s.disk.rename(from, filepath.Join(final, name))
}

// checkBefore checks that the inventory to replace is the one that the new version was made from,
// or already the new one. Otherwise it would overwrite a foreign change.
func checkBefore(staged, final string, j *journal) error {
	_, sum, err := readInventory(final)
	if err != nil {
		return err
	}
	want := j.Previous
	if !exists(filepath.Join(staged, ocfl.InventoryFile)) {
		want = j.Inventory
	}
	if sum != want {
		return fmt.Errorf("%s has SHA-512 %s where %s was expected; something else than Quire wrote there",
			filepath.Join(final, ocfl.InventoryFile), sum, want)
	}
	return nil
}

// inPlace checks that an object matches the journal.
func inPlace(final, inventory string) error {
	o, err := openObject(final)
	if err != nil {
		return err
	}
	if o.sum != inventory {
		return fmt.Errorf("%s has an inventory with SHA-512 %s instead of %s", final, o.sum, inventory)
	}
	return nil
}
