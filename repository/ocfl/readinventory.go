package ocfl

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// inventoryFile is an inventory of the object, with the digest of its bytes.
type inventoryFile struct {
	*document
	sum string // always SHA-512, independent of the inventory's algorithm
}

// readInventory reads the inventory in a folder of the object ("" for the object's own folder) and
// compares it with its sidecar. It returns nil if the file cannot be read; for a damaged one,
// broken is set. An inventory with the same bytes as the root inventory is not parsed again.
func (c *objectCheck) readInventory(folder string, sidecars []string) *inventoryFile {
	name := path.Join(folder, InventoryFile)
	b, err := readSmall(c.fsys, path.Join(c.dir, name), MaxInventorySize)
	if err != nil {
		c.log.add(Issue{Code: "E063", Kind: KindUnreadable, Path: name, Detail: err.Error()})
		return nil
	}
	sum, _ := digestOf(SHA512, b)
	doc := c.root
	if doc == nil || sum != c.rootSum {
		doc = decodeInventoryFile(b, name)
		checkInventory(doc)
		c.log.append(&doc.log)
	}
	c.checkSidecar(folder, sidecars, doc.inv.DigestAlgorithm, b)
	return &inventoryFile{document: doc, sum: sum}
}

// readRootInventory reads the inventory of the object's folder (clause 3.7).
func (c *objectCheck) readRootInventory() {
	if !c.listing.inventory {
		c.log.add(Issue{Code: "E063", Kind: KindMissing, Path: InventoryFile, Detail: "the inventory is not there"})
		for _, name := range c.listing.sidecars {
			c.log.add(Issue{Code: "E001", Kind: KindExtra, Path: name, Detail: "a sidecar without its inventory"})
		}
		return
	}
	file := c.readInventory("", c.listing.sidecars)
	if file == nil {
		return
	}
	c.extraSidecars("", "E001", file.inv.DigestAlgorithm, c.listing.sidecars)
	if file.broken {
		return
	}
	c.root, c.rootSum = file.document, file.sum
	if c.result.Spec != "" && c.root.spec != "" && c.root.spec != c.result.Spec {
		c.log.addf("E038", InventoryFile, "the type is that of OCFL %s, but the object declares %s", c.root.spec,
			c.result.Spec)
	}
	c.expectManifest(c.root, true)
	c.sortByVersion()
}

// checkSidecar compares an inventory's bytes with the digest in its sidecar (clause 3.6). If the
// inventory is too damaged to name its algorithm, the name of the sidecar does.
func (c *objectCheck) checkSidecar(folder string, sidecars []string, algorithmName string, b []byte) {
	if algorithmName == "" && len(sidecars) > 0 {
		algorithmName = strings.TrimPrefix(slices.Min(sidecars), InventoryFile+".")
	}
	found, known := digestOf(algorithmName, b)
	if !known {
		algorithmName, found = SHA512, ""
	}
	name := SidecarName(algorithmName)
	file := path.Join(folder, name)
	if !slices.Contains(sidecars, name) {
		c.log.add(Issue{Code: "E058", Kind: KindMissing, Path: file,
			Detail: "the inventory has no sidecar of this name"})
		return
	}
	if expected, ok := c.readSidecar(file); ok && found != "" && !equalDigest(expected, found) {
		c.log.add(Issue{Code: "E060", Kind: KindSidecarMismatch, Path: path.Join(folder, InventoryFile),
			Detail:    fmt.Sprintf("%s is %s, but the sidecar states %s", algorithmName, found, strings.ToLower(expected)),
			Algorithm: algorithmName, Expected: strings.ToLower(expected), Found: found})
	}
}

func (c *objectCheck) readSidecar(file string) (digest string, ok bool) {
	b, err := readSmall(c.fsys, path.Join(c.dir, file), maxSidecarSize)
	if err != nil {
		c.log.add(Issue{Code: "E058", Kind: KindUnreadable, Path: file, Detail: err.Error()})
		return "", false
	}
	digest, err = ParseSidecar(b)
	if err != nil {
		c.log.add(Issue{Code: "E061", Kind: KindSidecarMismatch, Path: file, Detail: err.Error()})
		return "", false
	}
	return digest, true
}

// extraSidecars reports sidecars named for another algorithm than the inventory's. If the right one
// is missing, the wrong one is probably meant instead.
func (c *objectCheck) extraSidecars(folder, code, algorithmName string, sidecars []string) {
	right := SidecarName(algorithmName)
	isThere := slices.Contains(sidecars, right)
	for _, name := range sidecars {
		if name == right || algorithmName == "" {
			continue
		}
		file := path.Join(folder, name)
		c.log.add(Issue{Code: code, Kind: KindExtra, Path: file,
			Detail: "not the sidecar of this inventory; expected " + right})
		if !isThere {
			c.log.addf("E059", file, "the inventory's digestAlgorithm is %q", algorithmName)
		}
	}
}
