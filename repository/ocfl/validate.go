package ocfl

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"
)

// Options say how much to check. The zero value checks everything.
type Options struct {
	SkipDigests bool // do not read content: check structure, inventories and sidecars only
	Concurrency int  // how many files are read at a time; 0 means one for each processor

	// Progress is told how many bytes of content were read since it was last called. Calls do not
	// overlap.
	Progress func(bytes int64)

	// Object receives the verdict on each object of a storage root as soon as it is known; only
	// [ValidateRoot] uses it.
	Object func(*Result)
}

// Result is the verdict on one object.
type Result struct {
	Path string // the object's folder, as it was given or found
	ID   string // from its inventory; empty if that cannot be read
	Spec string // the OCFL version it declares: "1.0", "1.1", or empty
	Head string // its latest version

	Errors   []Issue // sorted by path; none means that the object is valid
	Warnings []Issue // what should be otherwise but leaves the object valid
	Omitted  int     // issues beyond the first 10,000 of each, which are not kept

	Files int   // content files found
	Bytes int64 // bytes of content read and digested

	Err error // why the check did not come to its end: the context's error. The verdict is then incomplete.
}

// Valid tells whether the check was finished and found no error.
func (r *Result) Valid() bool { return r.Err == nil && len(r.Errors) == 0 }

// ValidateObject checks the object in folder dir of fsys by every rule of OCFL that can be seen
// from outside, and reads all its content unless told not to. It never fails and never writes:
// whatever is wrong, down to a folder that is not there, is an issue in the result. Memory grows
// with the inventories, not with the content.
func ValidateObject(ctx context.Context, fsys fs.FS, dir string, o Options) *Result {
	c := &objectCheck{o: o, found: &issues{}, want: map[string]*expected{}, states: map[string]map[string]string{},
		result: &Result{Path: dir}}
	c.tree = tree{ctx: ctx, fsys: fsys, dir: path.Clean(dir), log: c.found}
	if c.isFolder() {
		c.run()
	}
	return c.finish()
}

// objectCheck is one object under check.
type objectCheck struct {
	tree
	o      Options
	found  *issues // in codes of 1.1
	result *Result

	listing  rootListing
	root     *document // the root inventory; nil if there is none to work with
	rootSum  string    // the digest of its bytes, to recognize the same inventory in a version
	lastSpec string    // the specification of the version before the one that is looked at (E103)

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

// isFolder tells whether there is a folder to check at all.
func (c *objectCheck) isFolder() bool {
	if !fs.ValidPath(c.dir) {
		c.log.addf("E003", ".", "%q is not a path below the storage root", c.dir)
		return false
	}
	info, err := fs.Lstat(c.fsys, c.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.log.add(Issue{Code: "E003", Kind: KindMissing, Path: ".", Detail: "the object's folder is not there"})
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

// rootListing is what stands in the object's folder, by its role.
type rootListing struct {
	declarations []fs.DirEntry
	inventory    bool
	sidecars     []string // the names that begin with "inventory.json."
	versions     []string // the folders that are named like versions
}

// listRoot sorts out the object's folder (clause 3.1).
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

// finish brings the issues into the codes of the object's own specification and into order.
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
