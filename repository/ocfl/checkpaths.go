package ocfl

import (
	"slices"
	"strings"
)

// pathCodes are the codes for path errors in one of the blocks.
type pathCodes struct {
	element  string // an element is empty, "." or ".."
	slash    string // it begins or ends with a slash
	conflict string // it occurs twice, or is also a folder of another path
}

var (
	contentPathCodes = pathCodes{element: "E099", slash: "E100", conflict: "E101"}
	logicalPathCodes = pathCodes{element: "E052", slash: "E053", conflict: "E095"}
)

// checkPaths applies the rules for safe paths to all paths of a block (clauses 3.5.2 and 3.5.3.1).
func checkPaths(block map[string][]string, codes pathCodes, report func(code, format string, args ...any)) {
	var all []string
	for _, paths := range block {
		for _, p := range paths {
			checkPath(p, codes, report)
		}
		all = append(all, paths...)
	}
	slices.SortFunc(all, comparePaths)
	for i := 1; i < len(all); i++ {
		switch folder, p := all[i-1], all[i]; {
		case p == folder:
			report(codes.conflict, "path %q occurs twice", p)
		case strings.HasPrefix(p, folder) && p[len(folder)] == '/':
			report(codes.conflict, "path %q is also a folder of %q", folder, p)
		}
	}
}

func checkPath(p string, codes pathCodes, report func(code, format string, args ...any)) {
	if strings.HasPrefix(p, "/") || strings.HasSuffix(p, "/") {
		report(codes.slash, "path %q begins or ends with a slash", p)
	}
	for element := range strings.SplitSeq(p, "/") {
		if element == "" || element == "." || element == ".." {
			report(codes.element, "path %q has the element %q", p, element)
			return
		}
	}
}

// isSafePath reports whether p is relative and consists of plain names. Such a path cannot lead out
// of its folder.
func isSafePath(p string) bool {
	for element := range strings.SplitSeq(p, "/") {
		if element == "" || element == "." || element == ".." {
			return false
		}
	}
	return true
}

// comparePaths sorts the slash before every other byte. The content of a folder then follows
// directly after the folder: "a/b" comes before "a-b".
func comparePaths(a, b string) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] == b[i] {
			continue
		}
		if a[i] == '/' || b[i] != '/' && a[i] < b[i] {
			return -1
		}
		return 1
	}
	return len(a) - len(b)
}

// manifest checks digests and content paths (clause 3.5.2).
func (c *inventoryCheck) manifest() {
	c.digests(c.inv.DigestAlgorithm, c.inv.Manifest, "manifest", "E096")
	report := func(code, format string, args ...any) { c.issue(code, "manifest", format, args...) }
	checkPaths(c.inv.Manifest, contentPathCodes, report)
	for digest, paths := range c.inv.Manifest {
		if len(paths) == 0 {
			report("E092", "digest %s has no content path", shortDigest(digest))
		}
		for _, p := range paths {
			c.contentPlace(p, report)
		}
	}
}

// contentPlace checks that a content path is in the content directory of an existing version.
func (c *inventoryCheck) contentPlace(p string, report func(code, format string, args ...any)) {
	if !isSafePath(p) || c.inv.Versions == nil {
		return // already reported, or nothing to compare with
	}
	version, rest, ok := strings.Cut(p, "/")
	v, isVersion := parseVersionName(version)
	switch {
	case !ok && strings.Contains(p, `\`):
		report("E035", "the elements of path %q are not separated by slashes", p)
	case c.inv.Versions[version] != nil:
		if !strings.HasPrefix(rest, c.inv.ContentDir()+"/") {
			report("E042", "path %q is not below %s/%s", p, version, c.inv.ContentDir())
		}
	case isVersion && v.number <= len(c.inv.Versions):
		report("E014", "path %q does not use the version directory's actual name", p)
	default:
		report("E042", "path %q is not in the directory of a version", p)
	}
}

// digests checks the spelling of the keys in a block, and that no digest occurs twice in different
// case.
func (c *inventoryCheck) digests(name string, block map[string][]string, where, duplicate string) {
	a, known := algorithms[name]
	seen := make(map[string]struct{}, len(block))
	for digest := range block {
		lower := strings.ToLower(digest)
		if _, twice := seen[lower]; twice {
			c.issue(duplicate, where, "digest %s occurs twice", shortDigest(lower))
		}
		seen[lower] = struct{}{}
		switch {
		case !known || a.isDigest(digest):
		case where == "manifest" && isHex(digest):
			c.issue("E039", where, "%s is not a %s digest", shortDigest(digest), name)
		default:
			c.issue(a.code, where, "%s is not a %s digest", shortDigest(digest), name)
		}
	}
}

// fixity checks the additional digests (clause 3.5.4). Quire knows all algorithms of the
// vocabulary. A name outside it is an error, and its digests are ignored (clause 3.4, E028).
func (c *inventoryCheck) fixity() {
	content := make(map[string]struct{}, len(c.inv.Manifest))
	for _, paths := range c.inv.Manifest {
		for _, p := range paths {
			content[p] = struct{}{}
		}
	}
	for name, block := range c.inv.Fixity {
		where := "fixity." + name
		report := func(code, format string, args ...any) { c.issue(code, where, format, args...) }
		if _, known := algorithms[name]; !known {
			report("E056", "%q is not in the vocabulary of digest algorithms", name)
		}
		c.digests(name, block, where, "E097")
		for _, paths := range block {
			for _, p := range paths {
				checkPath(p, contentPathCodes, report)
				if _, ok := content[p]; !ok && isSafePath(p) {
					report("E057", "path %q is not in the manifest", p)
				}
			}
		}
	}
}
