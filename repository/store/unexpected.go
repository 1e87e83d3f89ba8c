package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"quire/repository/catalogue"
	"quire/repository/ocfl"
)

// objectMark is the start of the file name that declares a folder an OCFL object (1.1 clause 3.2).
const objectMark = "0=ocfl_object_"

// eachObject calls visit with the path of every object in a copy. It calls stray with every other
// entry that does not belong to the storage root, including empty folders (OCFL 1.1 clause 4.3).
// Paths are below the storage root, slash-separated.
func (c *copyFolder) eachObject(ctx context.Context, visit func(path string) error,
	stray func(path string, err error)) error {
	own := rootFiles()
	return filepath.WalkDir(c.root(), func(p string, entry fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		rel, relErr := filepath.Rel(c.root(), p)
		if relErr != nil {
			return relErr
		}
		name := filepath.ToSlash(rel)
		switch {
		case err != nil:
			stray(name, err)
			return nil
		case name == ".":
			return nil
		case name == ocfl.ExtensionsDir:
			return fs.SkipDir // registered extensions may keep files here
		case !entry.IsDir():
			if _, ok := own[name]; !ok {
				stray(name, nil)
			}
			return nil
		}
		entries, err := os.ReadDir(p)
		if err == nil && len(entries) == 0 {
			err = errEmpty
		}
		if err != nil {
			stray(name, err)
			return fs.SkipDir
		}
		if isObject(entries) {
			if err := visit(name); err != nil {
				return err
			}
			return fs.SkipDir
		}
		return nil
	})
}

// errEmpty reports an empty folder.
var errEmpty = errors.New("is an empty folder")

func isObject(entries []fs.DirEntry) bool {
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), objectMark) || e.Name() == ocfl.InventoryFile {
			return true // an object without a declaration is still an object, a damaged one
		}
	}
	return false
}

// rootFiles returns the files of a storage root itself, with their content.
func rootFiles() map[string][]byte {
	files := ocfl.LayoutFiles()
	name, content := ocfl.RootDeclaration()
	files[name] = content
	return files
}

// checkRoot compares the files of the storage root itself.
func (a *audit) checkRoot(c *copyFolder) {
	c.rootFaults(func(f Finding) { a.addFinding(f) })
}

// findUnexpected looks in a copy for objects and files that are not in the catalogue. gone is nil if the
// decisions on purges cannot be read. In a far copy it looks for objects alone.
func (a *audit) findUnexpected(ctx context.Context, c *copyFolder, gone *purges) error {
	find := func(path string) error { return a.findObject(ctx, c, path, gone) }
	if c.isFar() {
		return c.farObjects(ctx, find)
	}
	empty := 0
	defer func() {
		if empty > 0 {
			a.note(fmt.Errorf("copy %s has %d empty folders in its storage root; a repair removes or fills them",
				c.name, empty))
		}
	}()
	return c.eachObject(ctx, find, func(path string, err error) {
		switch {
		case errors.Is(err, errEmpty): // left by a lost object, or by a person: no content is concerned
			if !a.store.inChange(path) {
				empty++
				a.options.Damage.addEmpty(c.name, path)
			}
		case err != nil:
			a.addFinding(Finding{Code: UnreadableFile, Copy: c.name, File: path,
				Detail: "cannot be listed: " + err.Error()})
		case !a.store.inChange(path):
			a.addFinding(Finding{Code: ExtraFile, Copy: c.name, File: path,
				Detail: "unexpected entry in the storage root"})
		}
	})
}

// purges returns the decisions on purges. If no copy has them, that is a finding, and the audit goes on.
func (a *audit) purges(ctx context.Context) (*purges, error) {
	gone, err := a.store.readPurges(ctx)
	if errors.Is(err, errPurges) {
		a.addFinding(Finding{Code: UnreadableFile, Package: catalogue.DocumentPrefix + PurgesDocument,
			File: PurgesDocument + ".json", Detail: err.Error()})
		return nil, nil
	}
	return gone, err
}

// findObject reports an object in a copy that is not in the catalogue.
func (a *audit) findObject(ctx context.Context, c *copyFolder, path string, gone *purges) error {
	if gone != nil && gone.byPath[path] != nil {
		p := gone.byPath[path]
		a.addFinding(Finding{Code: PurgedObject, Copy: c.name, Package: p.Package, File: path,
			Detail: "the object of a package that was purged (" + p.ID + "); a repair removes it"})
		a.options.Damage.addPurged(c.name, path)
		return nil
	}
	if _, err := a.store.catalogue.AtPath(ctx, path); err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	if a.store.inChange(path) {
		return nil
	}
	detail := "an object that is not in the catalogue; rebuild the catalogue (quire init --rebuild), then audit"
	if gone == nil {
		detail = "an object that is not in the catalogue. It may be of a purged package: repair the document of " +
			"purges first"
	}
	if _, err := a.store.catalogue.AtPath(ctx, path); err != nil { // it may have arrived between the two checks
		a.addFinding(Finding{Code: UnknownObject, Copy: c.name, File: path, Detail: detail})
	}
	return nil
}

// inChange reports whether a change in progress affects a path: the object's path, or a folder
// above it.
func (s *Store) inChange(path string) bool {
	keys, err := s.journalKeys()
	if err != nil {
		return false
	}
	for _, key := range keys {
		j, err := s.readJournal(key)
		if err == nil && j != nil && (j.Path == path || strings.HasPrefix(j.Path, path+"/")) {
			return true
		}
	}
	return false
}
