package ocfl

import (
	"context"
	"io/fs"
	"path"
)

// RootResult is the verdict on a storage root. What was found in the objects is not in it: that is
// in their own results, which [Options].Object receives one by one, so that memory does not grow
// with their number.
type RootResult struct {
	Spec   string // the OCFL version it declares
	Layout string // the extension that ocfl_layout.json names, or nothing

	Objects int // objects found
	Invalid int // those of them that have errors

	Errors   []Issue // about the root and the folders that lead to objects; paths are below the root
	Warnings []Issue
	Omitted  int
}

// Valid tells whether the root and all its objects are without error.
func (r *RootResult) Valid() bool { return len(r.Errors) == 0 && r.Invalid == 0 }

// ValidateRoot checks the storage root at the top of fsys (clause 4): its declaration and layout,
// that nothing but objects is below it, that each object is in the place its identifier gives it,
// and every object. The error is the context's, if that ended the check.
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

// rootCheck is one storage root under check.
type rootCheck struct {
	tree
	o      Options
	found  *issues // in codes of 1.1
	result *RootResult
	layout *layout // nil where objects may be anywhere

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
		c.log.addf("W015", ".", "some objects lie directly in the root, some below folders")
	}
}

// visitRoot goes through the folders of the root. Files are ignored here (E087), folders are not.
func (c *rootCheck) visitRoot() { c.descend(".", 0) }

// folderContent is what a folder in the hierarchy turns out to be.
type folderContent struct {
	isObject bool
	folders  int
	files    int
	example  string // one of the files
	problems issues // links, and what could not be read
}

// visit looks at one folder of the hierarchy: an object is validated, in any other folder there are
// only folders. The folder is listed twice, to know what it is before anything is done with it,
// without holding its names.
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
			c.log.addf("E084", file, "a file in a folder that leads to objects; there are %d", has.files)
		}
		c.descend(dir, depth)
	case has.files > 0 && depth == 1:
		c.log.addf("E088", dir, "neither extensions nor a folder that leads to objects")
		c.log.addf("E072", file, "a file that is part of no object; there are %d", has.files)
	case has.files > 0:
		c.log.addf("E085", dir, "the path ends here without an object")
		c.log.addf("E072", file, "a file that is part of no object; there are %d", has.files)
	case c.ctx.Err() == nil && len(has.problems.Errors) == 0:
		c.log.addf("E073", dir, "an empty folder")
	}
}

// look lists a folder for what it is. What is wrong in it is kept apart: in an object, the object's
// own check finds it.
func (c *rootCheck) look(dir string) (has folderContent) {
	t := c.tree
	t.log = &has.problems
	t.entries(dir, "E088", func(e fs.DirEntry) {
		switch {
		case isObjectDeclaration(e.Name()), e.Name() == InventoryFile:
			has.isObject = true // an object that lost its declaration is still an object, a damaged one
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

// descend visits the folders in a folder whose other content was looked at before.
func (c *rootCheck) descend(dir string, depth int) {
	if depth > maxHierarchy {
		c.log.addf("E085", dir, "folders lie more than %d deep in each other without an object", maxHierarchy)
		return
	}
	t := c.tree
	t.log = &issues{} // reported when it was looked at
	t.entries(dir, "E088", func(e fs.DirEntry) {
		if e.IsDir() && (dir != "." || e.Name() != ExtensionsDir) {
			c.visit(path.Join(dir, e.Name()), depth+1)
		}
	})
}

// maxHierarchy bounds how deep objects may lie. Each level holds a folder open; the deepest
// registered layout has 33.
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
		c.log.addf("E081", dir, "the object declares OCFL %s, the storage root %s", r.Spec, c.result.Spec)
	}
	if c.layout != nil && r.ID != "" {
		// A warning, because a root may have more than one layout; it should have one.
		if want := c.layout.path(r.ID); want != dir {
			c.log.addf("W014", dir, "object %q is not where the layout puts it, which is %s", r.ID, want)
		}
	}
	if c.o.Object != nil {
		c.o.Object(r)
	}
}
