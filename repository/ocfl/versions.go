package ocfl

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// checkVersionNames compares the version directories that are there with the versions that the
// inventory knows (E046).
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
				Detail: "the folder of this version is not there"})
		}
	}
	if len(onDisk) == 0 && len(known) > 0 {
		c.log.addf("E008", ".", "there is no version directory")
	}
	if !sameSet(onDisk, known) {
		checkSequence(onDisk, c.reportSequence)
	}
}

func (c *objectCheck) reportSequence(code, format string, args ...any) {
	c.log.addf(code, ".", format, args...)
}

// unknownVersion says what a version directory is that the root inventory does not list. The folder
// after head is what an update leaves that was interrupted before its last step, the exchange of
// the root inventory.
func (c *objectCheck) unknownVersion(name string) string {
	v, _ := parseVersionName(name)
	if head, ok := parseVersionName(c.root.inv.Head); ok && v.number == head.number+1 {
		return "the root inventory ends at " + c.root.inv.Head + "; this is probably an update that was interrupted"
	}
	return "the root inventory does not list this version"
}

func sameSet(names []string, known map[string]*Version) bool {
	a, b := slices.Sorted(slices.Values(names)), slices.Sorted(maps.Keys(known))
	return slices.Equal(a, b)
}

// versionListing is what stands in a version directory, by its role.
type versionListing struct {
	inventory, content bool
	sidecars           []string
}

// checkVersion looks into one version directory (clause 3.3), compares its inventory with the one
// of the object's folder and goes through its content.
func (c *objectCheck) checkVersion(name string) {
	l := c.listVersion(name)
	if l.inventory {
		c.checkVersionInventory(name, l)
	} else {
		c.log.addf("W010", name, "there is no inventory in this version")
		for _, sidecar := range l.sidecars {
			c.log.add(Issue{Code: "E015", Kind: KindExtra, Path: path.Join(name, sidecar),
				Detail: "a sidecar without its inventory"})
		}
	}
	if c.root == nil || c.root.inv.Versions[name] == nil {
		return // nothing says what should be there
	}
	switch content := path.Join(name, c.root.inv.ContentDir()); {
	case l.content:
		c.walkContent(name, content)
	case c.hasContent(name):
		c.log.add(Issue{Code: "E016", Kind: KindMissing, Path: content,
			Detail: "the version has files, its content directory is not there"})
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
			c.log.addf("W002", file, "a folder that is not the content directory, which is called %s", contentDir)
		case kindOfEntry(e) != isFile: // reported as a link or worse
		case e.Name() == InventoryFile:
			l.inventory = true
		case strings.HasPrefix(e.Name(), InventoryFile+"."):
			l.sidecars = append(l.sidecars, e.Name())
		default:
			c.log.add(Issue{Code: "E015", Kind: KindExtra, Path: file,
				Detail: "a version directory holds no files but its inventory and sidecar"})
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
			Detail:    "differs from the inventory in the object's folder, which must be the same",
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
