package ocfl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// ContentFile is a file that an object must contain.
type ContentFile struct {
	Path   string // the content path, below the object root
	Digest string // by the inventory's DigestAlgorithm, in lower case
}

// ContentFiles lists the files of the manifest, sorted by path. An audit can use it to check the
// files of an object in its own way; [ValidateObject] does a full check.
func (inv *Inventory) ContentFiles() []ContentFile {
	list := make([]ContentFile, 0, len(inv.Manifest))
	for digest, paths := range inv.Manifest {
		for _, p := range paths {
			list = append(list, ContentFile{Path: p, Digest: strings.ToLower(digest)})
		}
	}
	slices.SortFunc(list, func(a, b ContentFile) int { return cmp.Compare(a.Path, b.Path) })
	return list
}

// LogicalFile is a file of a version, with the place of its bytes.
type LogicalFile struct {
	Path    string // the logical path: its name in the package
	Digest  string // by the inventory's DigestAlgorithm, in lower case
	Content string // a content path that holds these bytes
}

// Files lists the state of a version by logical path, with a place to read each file from. An empty
// version means head. The error reports an unknown version, or a file without content in the
// manifest.
func (inv *Inventory) Files(version string) ([]LogicalFile, error) {
	version = cmp.Or(version, inv.Head)
	v := inv.Versions[version]
	if v == nil {
		return nil, fmt.Errorf("object %q has no version %q; its versions: %s", inv.ID, version,
			strings.Join(inv.VersionNames(), ", "))
	}
	var list []LogicalFile
	for digest, paths := range v.State {
		content := inv.Manifest[digest]
		if len(content) == 0 {
			return nil, fmt.Errorf("object %q: no content for %s in %s", inv.ID, firstOf(paths), version)
		}
		for _, p := range paths {
			list = append(list, LogicalFile{Path: p, Digest: strings.ToLower(digest), Content: slices.Min(content)})
		}
	}
	slices.SortFunc(list, func(a, b LogicalFile) int { return cmp.Compare(a.Path, b.Path) })
	return list, nil
}
