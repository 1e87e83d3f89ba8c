package ocfl

import (
	"context"
	"io/fs"
	"path"
)

// RootResult is the result for a storage root. The results for objects are separate:
// [Options].Object receives them one by one, to keep memory independent of their number.
type RootResult struct {
	Spec   string // the OCFL version it declares
	Layout string // the extension named in ocfl_layout.json, or ""

	Objects int // objects found
	Invalid int // objects with errors

	Errors   []Issue // about the root and the folders above objects; paths are below the root
	Warnings []Issue
	Omitted  int
}

// Valid reports whether the root and all its objects are without error.
func (r *RootResult) Valid() bool { return len(r.Errors) == 0 && r.Invalid == 0 }

// ValidateRoot checks the storage root at the top of fsys (clause 4). It checks the declaration and
// the layout, every object, the place of each object by its identifier, and that only objects are
// below the root. It returns the context's error if that ended the check.
func ValidateRoot(ctx context.Context, fsys fs.FS, o Options) (*RootResult, error) {
	c := &rootCheck{o: o, found: &issues{}, result: &RootResult{}}
	c.tree = tree{ctx: ctx, fsys: fsys, dir: ".", log: c.found}
	c.run()
	var log issues
	log.translate(c.found, c.result.Spec)
	log.sort()
	c.result.Errors, c.result.Warnings, c.result.Omitted = log.Errors, log.Warnings, log.Omitted
	return c.result, ctx.Err()
}

// rootCheck is the state of a storage root check.
type rootCheck struct {
	tree
	o      Options
	found  *issues // in codes of 1.1
	result *RootResult
	layout *layout // nil if objects may be anywhere

	direct, nested bool // objects directly in the root, and below folders (W015)
}

func (c *rootCheck) run() {
	var declarations []fs.DirEntry
	hasLayout, hasExtensions := false, false
	c.entries(".", "E069", func(e fs.DirEntry) {
		switch name := e.Name(); {
		case isDeclaration(name):
			declarations = append(declarations, e)
		case name == layoutFile:
			hasLayout = true
		case name == ExtensionsDir && e.IsDir():
			hasExtensions = true
		}
	})
	if len(declarations) == 0 {
		c.log.addf("E069", ".", "no file declares a storage root; expected 0=ocfl_1.1 or 0=ocfl_1.0")
	}
	c.result.Spec = checkDeclaration(c.fsys, ".", declarations, rootDeclarationCodes, c.log)
	if hasLayout {
		c.readLayout()
	}
	if hasExtensions {
		c.checkExtensions("E112", "W016")
	}
	c.visitRoot()
	if c.direct && c.nested {
		c.log.addf("W015", ".", "some objects are directly in the root, some below folders")
	}
}

// visitRoot checks the folders of the root. Files are ignored here (E087), folders are not.
func (c *rootCheck) visitRoot() { c.descend(".", 0) }

// folderContent is the kind and content of a folder in the hierarchy.
type folderContent struct {
	isObject bool
	folders  int
	files    int
	example  string // one of the files
	problems issues // links, and unreadable entries
}

// visit checks one folder of the hierarchy. It validates an object; any other folder may contain
// only folders. The folder is listed twice: first to find its kind, then to visit its entries. So
// its names are never all held in memory.
func (c *rootCheck) visit(dir string, depth int) {
	if c.ctx.Err() != nil {
		return
	}
	has := c.look(dir)
	if has.isObject {
		c.object(dir, depth)
		return
	}
	c.log.append(&has.problems)
	switch file := path.Join(dir, has.example); {
	case has.folders > 0:
		if has.files > 0 {
			c.log.addf("E084", file, "a file in a folder above objects; there are %d", has.files)
		}
		c.descend(dir, depth)
	case has.files > 0 && depth == 1:
		c.log.addf("E088", dir, "neither extensions nor a folder above objects")
		c.log.addf("E072", file, "a file that belongs to no object; there are %d", has.files)
	case has.files > 0:
		c.log.addf("E085", dir, "the path ends here without an object")
		c.log.addf("E072", file, "a file that belongs to no object; there are %d", has.files)
	case c.ctx.Err() == nil && len(has.problems.Errors) == 0:
		c.log.addf("E073", dir, "an empty folder")
	}
}

// look lists a folder to find its kind. It keeps the problems separate, because the check of an
// object finds them itself.
func (c *rootCheck) look(dir string) (has folderContent) {
	t := c.tree
	t.log = &has.problems
	t.entries(dir, "E088", func(e fs.DirEntry) {
		switch {
		case isObjectDeclaration(e.Name()), e.Name() == InventoryFile:
			has.isObject = true // an object without a declaration is still an object, a damaged one
		case e.IsDir():
			has.folders++
		default:
			has.files++
			if has.example == "" || e.Name() < has.example {
				has.example = e.Name()
			}
		}
	})
	return has
}

// descend visits the subfolders of a folder; look has already checked its other entries.
func (c *rootCheck) descend(dir string, depth int) {
	if depth > maxHierarchy {
		c.log.addf("E085", dir, "folders are nested more than %d deep without an object", maxHierarchy)
		return
	}
	t := c.tree
	t.log = &issues{} // already reported by look
	t.entries(dir, "E088", func(e fs.DirEntry) {
		if e.IsDir() && (dir != "." || e.Name() != ExtensionsDir) {
			c.visit(path.Join(dir, e.Name()), depth+1)
		}
	})
}

// maxHierarchy bounds the depth of objects. Each level holds a folder open; the deepest registered
// layout has 33.
const maxHierarchy = 128

// object validates an object and its place.
func (c *rootCheck) object(dir string, depth int) {
	c.direct = c.direct || depth == 1
	c.nested = c.nested || depth > 1
	r := ValidateObject(c.ctx, c.fsys, dir, c.o)
	if r.Err != nil {
		return // unfinished: no verdict
	}
	c.result.Objects++
	if len(r.Errors) > 0 {
		c.result.Invalid++
	}
	if c.result.Spec != "" && r.Spec > c.result.Spec {
		c.log.addf("E081", dir, "the object declares OCFL %s, but the storage root %s", r.Spec, c.result.Spec)
	}
	if c.layout != nil && r.ID != "" {
		// A warning, because a root may have more than one layout; it should have one.
		if want := c.layout.path(r.ID); want != dir {
			c.log.addf("W014", dir, "object %q is not at its place in the layout, %s", r.ID, want)
		}
	}
	if c.o.Object != nil {
		c.o.Object(r)
	}
}
