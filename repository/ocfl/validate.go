package ocfl

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"
)

// Options set the extent of a check. The zero value checks everything.
type Options struct {
	SkipDigests bool // check structure, inventories and sidecars, but read no content
	Concurrency int  // number of files read at a time; 0 means one per processor

	// Progress receives the number of content bytes read since its last call. Calls do not overlap.
	Progress func(bytes int64)

	// Object receives the result for each object of a storage root as soon as it is known. Only
	// [ValidateRoot] calls it.
	Object func(*Result)
}

// Result is the result for one object.
type Result struct {
	Path string // the object's folder, as named or found
	ID   string // from its inventory; empty if that cannot be read
	Spec string // the OCFL version it declares: "1.0", "1.1", or empty
	Head string // its latest version

	Errors   []Issue // sorted by path; empty if the object is valid
	Warnings []Issue // violated recommendations; the object is still valid
	Omitted  int     // number of issues above the 10,000 of each that are kept

	Files int   // content files found
	Bytes int64 // bytes of content read and digested

	Err error // why the check ended early: the context's error. The result is then incomplete.
}

// Valid reports whether the check finished and found no error.
func (r *Result) Valid() bool { return r.Err == nil && len(r.Errors) == 0 }

// ValidateObject checks the object in folder dir of fsys by every OCFL rule that can be checked
// from outside. It reads all content unless an option excludes it. It never fails and never writes:
// every fault, even a missing folder, is an issue in the result. Memory grows with the inventories,
// not with the content.
func ValidateObject(ctx context.Context, fsys fs.FS, dir string, o Options) *Result {
	c := &objectCheck{o: o, found: &issues{}, want: map[string]*expected{}, states: map[string]map[string]string{},
		result: &Result{Path: dir}}
	c.tree = tree{ctx: ctx, fsys: fsys, dir: path.Clean(dir), log: c.found}
	if c.isFolder() {
		c.run()
	}
	return c.finish()
}

// objectCheck is the state of an object check.
type objectCheck struct {
	tree
	o      Options
	found  *issues // in codes of 1.1
	result *Result

	listing  rootListing
	root     *document // the root inventory; nil if missing or unusable
	rootSum  string    // the digest of its bytes, to detect an equal inventory in a version
	lastSpec string    // the specification of the version before the current one (E103)

	want      map[string]*expected         // by content path
	byVersion []placed                     // the files of the current manifest, by version
	states    map[string]map[string]string // of the current inventory: version → path → digest
}

func (c *objectCheck) run() {
	c.listRoot()
	c.result.Spec = checkDeclaration(c.fsys, c.dir, c.listing.declarations, objectDeclarationCodes, c.log)
	if len(c.listing.declarations) == 0 {
		c.log.addf("E003", ".", "no file declares the OCFL version; expected 0=ocfl_object_1.1 or 0=ocfl_object_1.0")
	}
	c.readRootInventory()
	c.checkVersionNames()
	for _, name := range sortVersions(c.listing.versions) {
		if c.ctx.Err() == nil {
			c.checkVersion(name)
		}
	}
	if c.ctx.Err() == nil && c.root != nil {
		c.checkContent()
	}
}

// isFolder reports whether the object's folder exists and can be checked.
func (c *objectCheck) isFolder() bool {
	if !fs.ValidPath(c.dir) {
		c.log.addf("E003", ".", "%q is not a path below the storage root", c.dir)
		return false
	}
	info, err := fs.Lstat(c.fsys, c.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.log.add(Issue{Code: "E003", Kind: KindMissing, Path: ".", Detail: "the object's folder is missing"})
	case err != nil:
		c.log.add(Issue{Code: "E003", Kind: KindUnreadable, Path: ".", Detail: err.Error()})
	case info.Mode()&fs.ModeSymlink != 0:
		c.log.addf("E090", ".", "the object's folder is a symbolic link")
	case !info.IsDir():
		c.log.addf("E003", ".", "not a folder, so not an object")
	default:
		return true
	}
	return false
}

// rootListing has the entries of the object's folder, by role.
type rootListing struct {
	declarations []fs.DirEntry
	inventory    bool
	sidecars     []string // the names that begin with "inventory.json."
	versions     []string // the folders named like versions
}

// listRoot sorts the entries of the object's folder (clause 3.1).
func (c *objectCheck) listRoot() {
	c.entries(c.dir, "E001", func(e fs.DirEntry) {
		name, isVersion := e.Name(), false
		if _, ok := parseVersionName(name); ok {
			isVersion = e.IsDir()
		}
		switch {
		case isDeclaration(name):
			c.listing.declarations = append(c.listing.declarations, e)
		case isVersion:
			c.listing.versions = append(c.listing.versions, name)
		case name == InventoryFile && !e.IsDir():
			c.listing.inventory = kindOfEntry(e) == isFile
		case strings.HasPrefix(name, InventoryFile+".") && kindOfEntry(e) == isFile:
			c.listing.sidecars = append(c.listing.sidecars, name)
		case name == LogsDir && e.IsDir():
			c.checkLinks(LogsDir, 0)
		case name == ExtensionsDir && e.IsDir():
			c.checkExtensions("E067", "W013")
		default:
			c.stray(e)
		}
	})
}

func (c *objectCheck) stray(e fs.DirEntry) {
	what := "file"
	if e.IsDir() {
		what = "folder"
	}
	c.log.add(Issue{Code: "E001", Kind: KindExtra, Path: e.Name(),
		Detail: "this " + what + " has no place in an object's folder"})
}

// finish translates the issues to the codes of the object's specification, and sorts them.
func (c *objectCheck) finish() *Result {
	spec := c.result.Spec
	if c.root != nil {
		c.result.ID, c.result.Head = c.root.inv.ID, c.root.inv.Head
		if spec == "" {
			spec = c.root.spec
		}
	}
	var log issues
	log.translate(c.found, spec)
	log.dropRepeatedWarnings()
	log.sort()
	c.result.Errors, c.result.Warnings, c.result.Omitted = log.Errors, log.Warnings, log.Omitted
	c.result.Err = c.ctx.Err()
	return c.result
}
