package ocfl

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// checkVersionNames compares the version directories with the versions in the inventory (E046).
func (c *objectCheck) checkVersionNames() {
	onDisk := c.listing.versions
	if c.root == nil {
		checkSequence(onDisk, c.reportSequence)
		return
	}
	known, there := c.root.inv.Versions, map[string]bool{}
	for _, name := range onDisk {
		there[name] = true
		if known[name] == nil {
			c.log.add(Issue{Code: "E046", Kind: KindExtra, Path: name, Detail: c.unknownVersion(name)})
		}
	}
	for name := range known {
		if _, ok := parseVersionName(name); ok && !there[name] {
			c.log.add(Issue{Code: "E046", Kind: KindMissing, Path: name,
				Detail: "the folder of this version is missing"})
		}
	}
	if len(onDisk) == 0 && len(known) > 0 {
		c.log.addf("E008", ".", "the object has no version directory")
	}
	if !sameSet(onDisk, known) {
		checkSequence(onDisk, c.reportSequence)
	}
}

func (c *objectCheck) reportSequence(code, format string, args ...any) {
	c.log.addf(code, ".", format, args...)
}

// unknownVersion describes a version directory that the root inventory does not list. An update
// replaces the root inventory last; if interrupted before, it leaves a folder after head.
func (c *objectCheck) unknownVersion(name string) string {
	v, _ := parseVersionName(name)
	if head, ok := parseVersionName(c.root.inv.Head); ok && v.number == head.number+1 {
		return "the root inventory ends at " + c.root.inv.Head + "; probably an interrupted update"
	}
	return "the root inventory does not list this version"
}

func sameSet(names []string, known map[string]*Version) bool {
	a, b := slices.Sorted(slices.Values(names)), slices.Sorted(maps.Keys(known))
	return slices.Equal(a, b)
}

// versionListing has the entries of a version directory, by role.
type versionListing struct {
	inventory, content bool
	sidecars           []string
}

// checkVersion checks one version directory (clause 3.3). It compares the inventory of the version
// with the inventory in the object's folder, and checks the content of the version.
func (c *objectCheck) checkVersion(name string) {
	l := c.listVersion(name)
	if l.inventory {
		c.checkVersionInventory(name, l)
	} else {
		c.log.addf("W010", name, "this version has no inventory")
		for _, sidecar := range l.sidecars {
			c.log.add(Issue{Code: "E015", Kind: KindExtra, Path: path.Join(name, sidecar),
				Detail: "a sidecar without its inventory"})
		}
	}
	if c.root == nil || c.root.inv.Versions[name] == nil {
		return // no inventory to compare with
	}
	switch content := path.Join(name, c.root.inv.ContentDir()); {
	case l.content:
		c.walkContent(name, content)
	case c.hasContent(name):
		c.log.add(Issue{Code: "E016", Kind: KindMissing, Path: content,
			Detail: "the version has files, but its content directory is missing"})
	}
}

func (c *objectCheck) listVersion(name string) (l versionListing) {
	contentDir := DefaultContentDir
	if c.root != nil {
		contentDir = c.root.inv.ContentDir()
	}
	c.entries(path.Join(c.dir, name), "E092", func(e fs.DirEntry) {
		file := path.Join(name, e.Name())
		switch {
		case e.IsDir() && e.Name() == contentDir:
			l.content = true
		case e.IsDir():
			c.log.addf("W002", file, "an extra folder; the content directory is %s", contentDir)
		case kindOfEntry(e) != isFile: // reported as a link or special file
		case e.Name() == InventoryFile:
			l.inventory = true
		case strings.HasPrefix(e.Name(), InventoryFile+"."):
			l.sidecars = append(l.sidecars, e.Name())
		default:
			c.log.add(Issue{Code: "E015", Kind: KindExtra, Path: file,
				Detail: "a version directory has no files except its inventory and sidecar"})
		}
	})
	return l
}

func (c *objectCheck) checkVersionInventory(name string, l versionListing) {
	file := c.readInventory(name, l.sidecars)
	if file == nil {
		return
	}
	c.extraSidecars(name, "E015", file.inv.DigestAlgorithm, l.sidecars)
	if c.root == nil {
		return
	}
	isHead := name == c.root.inv.Head
	if isHead && file.sum != c.rootSum {
		c.log.add(Issue{Code: "E064", Path: path.Join(name, InventoryFile),
			Detail:    "differs from the inventory in the object's folder, but must be the same",
			Algorithm: SHA512, Expected: c.rootSum, Found: file.sum})
	}
	if file.broken || c.root.inv.Versions[name] == nil {
		return
	}
	p := priorCheck{objectCheck: c, name: name, prior: file.document}
	p.checkSpec()
	if !isHead || file.sum != c.rootSum {
		p.compare()
	}
}
