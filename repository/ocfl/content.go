package ocfl

import (
	"cmp"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// expected has the requirements of an object's inventories for one content file.
type expected struct {
	digests    []expectedDigest
	inManifest bool // in the current manifest; earlier inventories alone do not make a file belong
	seen       bool // the file exists
}

// expectedDigest is one required digest of a file, and the place that requires it.
type expectedDigest struct {
	algorithm, digest string
	code              string // E092 from a manifest, E093 from a fixity block
	source            string // the inventory's path
}

// expectManifest collects the files and digests of an inventory's manifest and fixity block. It
// skips paths that are unsafe or outside a content directory: they are already reported, and must
// not be opened.
func (c *objectCheck) expectManifest(doc *document, current bool) {
	for digest, paths := range doc.inv.Manifest {
		for _, p := range paths {
			if c.isContentPath(p) {
				e := c.expect(p, expectedDigest{doc.inv.DigestAlgorithm, digest, "E092", doc.file})
				e.inManifest = e.inManifest || current
			}
		}
	}
	for name, block := range doc.inv.Fixity {
		for digest, paths := range block {
			for _, p := range paths {
				if c.isContentPath(p) && algorithms[name].isDigest(digest) {
					c.expect(p, expectedDigest{name, digest, "E093", doc.file})
				}
			}
		}
	}
}

// maxDigests bounds the digests that a hostile inventory can demand of one file. There are ten
// algorithms; more than one digest for each is a contradiction. A few contradictions are enough to
// report.
const maxDigests = 64

// expect adds a required digest to a file, unless it is already there.
func (c *objectCheck) expect(p string, d expectedDigest) *expected {
	e := c.want[p]
	if e == nil {
		e = &expected{}
		c.want[p] = e
	}
	for _, known := range e.digests {
		if known.algorithm == d.algorithm && equalDigest(known.digest, d.digest) {
			return e
		}
	}
	if len(e.digests) < maxDigests {
		e.digests = append(e.digests, d)
	}
	return e
}

// isContentPath reports whether a path leads into the content directory of a version.
func (c *objectCheck) isContentPath(p string) bool {
	version, rest, _ := strings.Cut(p, "/")
	return c.root.inv.Versions[version] != nil && strings.HasPrefix(rest, c.root.inv.ContentDir()+"/") && isSafePath(p)
}

// placed is a content file of the current manifest and the number of the version it is in.
type placed struct {
	version int
	path    string
}

// sortByVersion sorts the files of the current manifest by the version that added them.
func (c *objectCheck) sortByVersion() {
	for p, e := range c.want {
		name, _, _ := strings.Cut(p, "/")
		if v, ok := parseVersionName(name); ok && e.inManifest {
			c.byVersion = append(c.byVersion, placed{v.number, p})
		}
	}
	slices.SortFunc(c.byVersion, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.version, b.version), cmp.Compare(a.path, b.path))
	})
}

// hasContent reports whether the current manifest has files in this version.
func (c *objectCheck) hasContent(version string) bool {
	v, _ := parseVersionName(version)
	_, found := slices.BinarySearchFunc(c.byVersion, v.number, func(f placed, n int) int {
		return cmp.Compare(f.version, n)
	})
	return found
}

// walkContent checks a content directory (clause 3.3.1).
func (c *objectCheck) walkContent(version, content string) {
	if c.walk(content, 0) == 0 && !c.hasContent(version) {
		c.log.addf("W003", content, "the version adds no files, so it should have no content directory")
	}
}

// walk visits the files below a folder and returns the number of entries in it.
func (c *objectCheck) walk(folder string, depth int) (entries int) {
	var folders []string
	c.entries(path.Join(c.dir, folder), "E092", func(e fs.DirEntry) {
		entries++
		name := path.Join(folder, e.Name())
		switch kindOfEntry(e) {
		case isDir:
			folders = append(folders, name)
		case isFile:
			c.meet(name)
		}
	})
	if entries == 0 && depth > 0 && c.ctx.Err() == nil {
		c.log.addf("E024", folder, "an empty folder")
	}
	for _, name := range folders {
		if depth == maxFolders {
			c.log.addf("E023", name, "folders are nested more than %d deep; deeper ones were not checked",
				maxFolders)
			break
		}
		if c.ctx.Err() != nil {
			break
		}
		c.walk(name, depth+1)
	}
	return entries
}

// meet marks a file as existing.
func (c *objectCheck) meet(name string) {
	c.result.Files++
	e := c.want[name]
	if e != nil {
		e.seen = true
	}
	if e == nil || !e.inManifest {
		c.log.add(Issue{Code: "E023", Kind: KindExtra, Path: name, Detail: "not in the manifest of " + InventoryFile})
	}
}

// checkContent reports missing files and computes the digests of the others.
func (c *objectCheck) checkContent() {
	var there []string
	for _, p := range slices.Sorted(maps.Keys(c.want)) {
		if c.want[p].seen {
			there = append(there, p)
		} else {
			c.missing(p, c.want[p])
		}
	}
	if !c.o.SkipDigests {
		c.digestAll(there)
	}
}

// missing reports a missing file, under the code of each block that names it.
func (c *objectCheck) missing(p string, e *expected) {
	reported := map[string]bool{}
	for _, d := range e.digests {
		if reported[d.code] {
			continue
		}
		reported[d.code] = true
		c.log.add(Issue{Code: d.code, Kind: KindMissing, Path: p, Detail: "not there; " + d.source + " lists it",
			Algorithm: d.algorithm, Expected: strings.ToLower(d.digest)})
	}
}
