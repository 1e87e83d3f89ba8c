package store

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"quire/model"
	"quire/repository/catalogue"
	"quire/repository/ocfl"
	"quire/repository/register"
)

// Every copy has a staging folder staging/TX/object. For a new package it holds a complete OCFL
// object. For a new version it holds only the new parts (vN, the root inventory and sidecar,
// events).

func (v *survey) diskPath(f sourceFile) string {
	return filepath.Join(cmp.Or(f.dir, v.dir), filepath.FromSlash(f.path))
}

// versionPath returns a path below the folder of the new version.
func (in *ingest) versionPath(name string) string {
	return versionName(in.journal.Version) + "/" + name
}

// inCopies returns the staged paths of an object's file, in every copy that gets the package.
func (in *ingest) inCopies(name string) []string {
	paths := make([]string, 0, len(in.targets))
	for _, c := range in.targets {
		paths = append(paths, filepath.Join(c.stagedObject(in.journal.Tx), filepath.FromSlash(name)))
	}
	return paths
}

func (in *ingest) contentFolder(c *copyFolder) string {
	return filepath.Join(c.stagedObject(in.journal.Tx), versionName(in.journal.Version), ocfl.DefaultContentDir)
}

// makeStaging creates the top folders of staging.
func (in *ingest) makeStaging() error {
	for _, c := range in.targets {
		object := c.stagedObject(in.journal.Tx)
		for _, name := range []string{versionName(in.journal.Version), ocfl.LogsDir} {
			if err := in.store.disk.mkdirAll(filepath.Join(object, name)); err != nil {
				return fmt.Errorf("staging in copy %s: %w", c.name, err)
			}
		}
	}
	return nil
}

// writeInventories writes the inventory in the root and in the version (OCFL 1.1 clause 3.7). For a
// new object it also writes the declaration.
func (in *ingest) writeInventories() error {
	inv := in.makeInventory()
	text, err := inv.Marshal()
	if err != nil {
		return err
	}
	in.text = text
	in.journal.Inventory = sumBytes(text)
	sidecarName, sidecar := ocfl.Sidecar(ocfl.SHA512, in.journal.Inventory)
	files := map[string][]byte{
		ocfl.InventoryFile:                 text,
		sidecarName:                        sidecar,
		in.versionPath(ocfl.InventoryFile): text,
		in.versionPath(sidecarName):        sidecar,
	}
	if in.previous == nil {
		name, content := ocfl.ObjectDeclaration()
		files[name] = content
	}
	for _, name := range sortedKeys(files) {
		for _, path := range in.inCopies(name) {
			if err := in.store.disk.writeFile(path, files[name], storedFile); err != nil {
				return fmt.Errorf("writing the inventory: %w", err)
			}
		}
	}
	return nil
}

// makeInventory adds the version to the inventory of the object.
func (in *ingest) makeInventory() *ocfl.Inventory {
	inv := &ocfl.Inventory{
		ID: in.journal.Object, Type: ocfl.InventoryType, DigestAlgorithm: ocfl.SHA512,
		Head:     versionName(in.journal.Version),
		Manifest: map[string][]string{}, Versions: map[string]*ocfl.Version{},
	}
	if in.previous != nil {
		old := in.previous.inventory
		inv.ContentDirectory, inv.Fixity, inv.Manifest, inv.Versions = old.ContentDirectory, old.Fixity, old.Manifest,
			old.Versions
	}
	version := &ocfl.Version{
		Created: time.Now().UTC().Truncate(time.Second), Message: in.options.Message, User: in.user(),
		State: map[string][]string{},
	}
	if version.Message == "" {
		version.Message = "Stored as received"
	}
	for i, f := range in.survey.files {
		version.State[f.found] = append(version.State[f.found], f.path)
		if in.keep[i] {
			inv.Manifest[f.found] = append(inv.Manifest[f.found], in.versionPath(ocfl.DefaultContentDir+"/"+f.path))
		}
	}
	inv.Versions[inv.Head] = version
	return inv
}

// user returns the author of the version. OCFL 1.1 clause 3.5.3.1 recommends an address that is a
// URI (W008, W009).
func (in *ingest) user() *ocfl.User {
	u := in.options.User
	if u.Name == "" && in.options.By != "" {
		u = in.store.personOf(in.options.By)
	}
	if u.Name == "" {
		u = ocfl.User{Name: in.store.software, Address: "urn:uuid:" + in.store.id}
	}
	return &u
}

// stagedView returns the new version as the first copy will have it: new parts from staging, the
// rest from the object.
func (in *ingest) stagedView() *view {
	c := in.targets[0]
	v := &view{files: map[string]string{}}
	var where map[string]string
	if in.previous != nil {
		where = in.previous.content()
	}
	staged := map[string]string{}
	for i, f := range in.survey.files {
		if in.keep[i] {
			staged[f.found] = filepath.Join(in.contentFolder(c), filepath.FromSlash(f.path))
		}
	}
	for _, f := range in.survey.files {
		if path, ok := staged[f.found]; ok {
			v.files[f.path] = path
			continue
		}
		v.files[f.path] = filepath.Join(c.object(in.path), filepath.FromSlash(where[f.found]))
	}
	return v
}

// writeEvents stages the events of this ingest: one for the package, one for each copy, also
// for the copies that are owed the version. They become true with the commit, and move into place with
// the object. So does its salt, if it has none yet.
func (in *ingest) writeEvents(ctx context.Context) error {
	s, id, version := in.store, in.survey.pkg.ID, versionName(in.journal.Version)
	events := []event{s.newEvent(model.Ingestion, id, "", fmt.Sprintf("%s stored in %d copies; inventory SHA-512 %s",
		version, len(in.targets), in.journal.Inventory))}
	events[0].By = in.options.By
	if in.options.Message != "" {
		events[0].Notes = []string{"reason: " + in.options.Message}
	}
	for _, c := range in.targets {
		e := s.newEvent(model.Replication, id, c.name,
			fmt.Sprintf("%s written to %s, synced, read back and matched", version, c.name))
		if in.previous == nil {
			e.Status = statusGood // every byte of the object in this copy was read
		}
		events = append(events, e)
	}
	for _, c := range in.owed {
		detail := fmt.Sprintf("%s was not written to %s, which was away or did not have the version before; a repair "+
			"brings it", version, c.name)
		if slices.Contains(in.far, c) {
			detail = fmt.Sprintf("%s is written to %s after the folders have it", version, c.name)
		}
		e := s.newEvent(model.Replication, id, c.name, detail)
		e.Status, e.Outcome = statusOwed, string(model.Fail)
		events = append(events, e)
	}
	if err := in.addLeaves(ctx); err != nil {
		return err
	}
	if in.previous != nil {
		for i := range events {
			if err := s.follow(ctx, in.path, &events[i]); err != nil {
				return err
			}
		}
	}
	for _, e := range events {
		text, err := e.marshal()
		if err != nil {
			return err
		}
		in.leaves.event(e.Event, text)
		for _, path := range in.inCopies(ocfl.LogsDir + "/" + e.File) {
			if err := s.disk.writeFile(path, text, storedFile); err != nil {
				return fmt.Errorf("writing the events: %w", err)
			}
		}
	}
	return nil
}

// addLeaves begins the leaves of the new version, and stages the salt of the object.
func (in *ingest) addLeaves(ctx context.Context) (err error) {
	salt := register.NewSalt()
	if in.previous != nil {
		if salt, err = in.store.saltToEnter(ctx, in.journal.Object, in.path); err != nil {
			return err
		}
	}
	in.leaves = leavesOf(salt, in.journal.Object)
	in.leaves.version(time.Now(), in.journal.Version, in.journal.Inventory)
	if name, document := catalogue.DocumentName(in.journal.Object); document {
		// an earlier version may have the same text, which is then not staged
		text, err := fs.ReadFile(in.stagedView(), in.survey.files[0].path)
		if err != nil {
			return err
		}
		in.leaves.setting(time.Now(), name, text)
	}
	for i, path := range in.inCopies(saltPath) {
		if in.previous != nil {
			if _, there := saltIn(in.targets[i], in.path); there {
				continue
			}
		}
		if err := in.store.disk.writeFile(path, saltText(salt), storedFile); err != nil {
			return fmt.Errorf("writing the salt: %w", err)
		}
	}
	return nil
}

// syncTree makes the entries of every folder in a tree durable. The files in it are already synced.
func (s *Store) syncTree(root string) error {
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		return s.disk.syncDir(path)
	})
}
