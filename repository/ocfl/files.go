package ocfl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// ContentFile is a file that an object must hold.
type ContentFile struct {
	Path   string // the content path, below the object root
	Digest string // by the inventory's DigestAlgorithm, in lower case
}

// ContentFiles lists what the manifest promises, by path. With it an audit can go through the files
// of an object in its own way; [ValidateObject] does the whole of it.
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

// LogicalFile is a file as a version presents it, and where its bytes are.
type LogicalFile struct {
	Path    string // the logical path: its name in the package
	Digest  string // by the inventory's DigestAlgorithm, in lower case
	Content string // a content path that holds these bytes
}

// Files lists the state of a version by logical path, each file with a place to read it from; an
// empty version means head. The error tells that there is no such version, or that the manifest
// lacks the bytes of a file.
func (inv *Inventory) Files(version string) ([]LogicalFile, error) {
	version = cmp.Or(version, inv.Head)
	v := inv.Versions[version]
	if v == nil {
		return nil, fmt.Errorf("object %q has no version %q; it has %s", inv.ID, version,
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
