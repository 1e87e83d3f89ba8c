package ocfl

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// checkInventory applies every rule that needs only the inventory itself (clauses 3.3 and 3.5).
func checkInventory(doc *document) {
	if doc.broken {
		return // after a syntax error, missing parts mean nothing
	}
	c := &inventoryCheck{document: doc}
	c.basics()
	c.contentDirectory()
	c.versionNames()
	c.head()
	c.manifest()
	c.versions()
	c.fixity()
}

type inventoryCheck struct{ *document }

// uri is the part of RFC 3986 that separates identifiers with a scheme from those without.
var uri = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^` + "`" + `]+$`)

// basics checks id, type and digestAlgorithm (clause 3.5.1).
func (c *inventoryCheck) basics() {
	inv := c.inv
	switch {
	case c.has["id"] && inv.ID == "":
		c.issue("E037", "id", "must not be empty")
	case inv.ID != "" && !uri.MatchString(inv.ID):
		c.issue("W005", "id", "%q is not a URI", inv.ID)
	}
	if inv.Type != "" && c.spec == "" {
		c.issue("E038", "type", "%q is not the inventory type of OCFL 1.0 or 1.1", inv.Type)
	}
	switch inv.DigestAlgorithm {
	case SHA512:
	case SHA256:
		c.issue("W004", "digestAlgorithm", "is sha256; sha512 is preferred")
	default:
		if c.has["digestAlgorithm"] {
			c.issue("E025", "digestAlgorithm", "%q; must be sha512 or sha256", inv.DigestAlgorithm)
		}
	}
}

// contentDirectory checks that the name is plain (clause 3.3.1): any other name could lead out of
// the version.
func (c *inventoryCheck) contentDirectory() {
	switch name := c.inv.ContentDirectory; {
	case strings.Contains(name, "/"):
		c.issue("E017", "contentDirectory", "%q contains a slash", name)
		c.issue("E108", "contentDirectory", "%q is not a direct child of the version directory", name)
	case name == "." || name == "..":
		c.issue("E018", "contentDirectory", "must not be %q", name)
	}
}

// versionNames checks that the versions are v1, v2, v3 … without a gap, all padded to one length or
// none (clause 3.3).
func (c *inventoryCheck) versionNames() {
	if c.inv.Versions == nil {
		return
	}
	if len(c.inv.Versions) == 0 {
		c.issue("E008", "versions", "the object has no version")
		return
	}
	for _, name := range c.inv.VersionNames() {
		if code, why := badVersionName(name); code != "" {
			c.issue("E046", "versions", "%q is not the name of a version directory", name)
			c.issue(code, "versions", "%q %s", name, why)
		}
	}
	checkSequence(slices.Collect(maps.Keys(c.inv.Versions)), func(code, format string, args ...any) {
		c.issue(code, "versions", format, args...)
	})
}

// badVersionName returns the code and the reason for an invalid version name.
func badVersionName(name string) (code, why string) {
	if _, ok := parseVersionName(name); ok {
		return "", ""
	}
	if !strings.HasPrefix(name, "v") {
		return "E104", `does not begin with "v"`
	}
	return "E105", "has no positive decimal number after the v"
}

// checkSequence reports gaps and mixed padding in a set of version names; it skips invalid names.
// The first version sets the convention: v0001 means four digits and a leading zero for all later
// ones.
func checkSequence(names []string, report func(code, format string, args ...any)) {
	next, first := 1, versionName{}
	for _, name := range sortVersions(names) {
		v, ok := parseVersionName(name)
		if !ok {
			continue
		}
		if next == 1 {
			first = v
		}
		switch {
		case next == 1 && v.number != 1:
			report("E009", "the first version is %s, not v1", name)
		case v.number > next:
			report("E010", "%s follows version %d: the numbers between are missing", name, next-1)
		case v.number < next:
			report("E012", "%s is a second name for version %d", name, v.number)
		}
		next = v.number + 1
		checkPadding(name, v, first, report)
	}
	if len(names) > 0 && first.padded {
		report("W001", "version numbers are padded with zeros")
	}
}

func checkPadding(name string, v, first versionName, report func(code, format string, args ...any)) {
	switch {
	case first.padded && !v.padded:
		report("E011", "%s does not begin with v and a zero, unlike the padded first version", name)
		report("E013", "%s does not follow the naming of the first version", name)
	case first.padded != v.padded, first.padded && first.digits != v.digits:
		report("E012", "%s is not padded like the first version", name)
		report("E013", "%s does not follow the naming of the first version", name)
	}
}

// head checks that the head is the highest version (clause 3.5.1).
func (c *inventoryCheck) head() {
	if !c.has["head"] || len(c.inv.Versions) == 0 {
		return
	}
	names := c.inv.VersionNames()
	highest := names[0]
	for _, name := range names {
		if _, ok := parseVersionName(name); ok {
			highest = name
		}
	}
	switch {
	case c.inv.Head == highest:
	case c.inv.Versions[c.inv.Head] == nil:
		c.issue("E040", "head", "is %q, which is not among the versions; the highest is %s", c.inv.Head, highest)
	default:
		c.issue("E040", "head", "is %q, but the highest version is %s", c.inv.Head, highest)
	}
}

// versions checks the state and the metadata of each version (clause 3.5.3.1).
func (c *inventoryCheck) versions() {
	used := make(map[string]struct{}, len(c.inv.Manifest))
	for _, name := range c.inv.VersionNames() {
		v, where := c.inv.Versions[name], "versions."+name
		c.metadata(v, name, where)
		c.state(v.State, where+".state", used)
	}
	for digest, paths := range c.inv.Manifest {
		if _, ok := used[digest]; !ok && c.inv.Versions != nil {
			c.issue("E107", "manifest", "no version uses %s %s", shortDigest(digest), firstOf(paths))
		}
	}
}

func (c *inventoryCheck) metadata(v *Version, name, where string) {
	if !c.noted[name] {
		c.issue("W007", where, "should have a message and a user")
	}
	switch u := v.User; {
	case u == nil:
	case u.Address == "":
		c.issue("W008", where+".user", "should have an address")
	case !uri.MatchString(u.Address):
		c.issue("W009", where+".user.address", "%q is not a URI", u.Address)
	}
}

func (c *inventoryCheck) state(state map[string][]string, where string, used map[string]struct{}) {
	for digest := range state {
		if _, ok := c.inv.Manifest[digest]; ok {
			used[digest] = struct{}{}
		} else if c.inv.Manifest != nil {
			c.issue("E050", where, "digest %s is not in the manifest in the same spelling", shortDigest(digest))
		}
	}
	checkPaths(state, logicalPathCodes, func(code, format string, args ...any) {
		c.issue(code, where, format, args...)
	})
}

// shortDigest shortens a digest, because a hostile one could fill the report.
func shortDigest(s string) string {
	if len(s) > 128 {
		return fmt.Sprintf("%.128q…", s)
	}
	return fmt.Sprintf("%q", s)
}

func firstOf(paths []string) string {
	if len(paths) == 0 {
		return ""
	}
	return fmt.Sprintf("(%q)", paths[0])
}
