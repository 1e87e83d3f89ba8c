package ocfl

import (
	"cmp"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// expected is what the inventories of an object say about one content file.
type expected struct {
	digests    []expectedDigest
	inManifest bool // the current manifest has it; prior inventories alone do not make a file belong
	seen       bool // there is a file
}

// expectedDigest is one digest that a file must have, and where that is written.
type expectedDigest struct {
	algorithm, digest string
	code              string // E092 from a manifest, E093 from a fixity block
	source            string // the inventory's path
}

// expectManifest notes the files and digests of an inventory's manifest and fixity block. Paths
// that are not safe or not in a content directory are left out: they are reported already, and must
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

// maxDigests bounds what a hostile inventory can demand of one file. There are ten algorithms; more
// than one digest for each is a contradiction, and a few contradictions are as good as many.
const maxDigests = 64

// expect adds a digest to what a file must have, unless the same is expected already.
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

// isContentPath tells whether a path leads into the content directory of a version, and nowhere
// else.
func (c *objectCheck) isContentPath(p string) bool {
	version, rest, _ := strings.Cut(p, "/")
	return c.root.inv.Versions[version] != nil && strings.HasPrefix(rest, c.root.inv.ContentDir()+"/") && isSafePath(p)
}

// placed is a content file of the current manifest and the number of the version it is in.
type placed struct {
	version int
	path    string
}

// sortByVersion lists the files of the current manifest in the order of the versions that brought
// them.
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

// hasContent tells whether the current manifest has files in this version.
func (c *objectCheck) hasContent(version string) bool {
	v, _ := parseVersionName(version)
	_, found := slices.BinarySearchFunc(c.byVersion, v.number, func(f placed, n int) int {
		return cmp.Compare(f.version, n)
	})
	return found
}

// walkContent goes through a content directory (clause 3.3.1).
func (c *objectCheck) walkContent(version, content string) {
	if c.walk(content, 0) == 0 && !c.hasContent(version) {
		c.log.addf("W003", content, "the version adds no files, so it should have no content directory")
	}
}

// walk visits the files below a folder and gives the number of entries in it.
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
			c.log.addf("E023", name, "folders lie more than %d deep in each other; what is below was not checked",
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

// meet notes a file that is there.
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

// checkContent reports the files that are not there and takes the digests of those that are.
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

// missing reports a file that is not there, under the code of each block that names it.
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
