package ocfl

import (
	"fmt"
	"strings"
)

// priorCheck compares the inventory in a version directory with the one in the object's folder
// (clause 3.7). Its statements about the versions up to its own must still hold.
type priorCheck struct {
	*objectCheck
	name  string // the version directory
	prior *document

	translation map[[2]string]struct{} // digests of the same file in both inventories; see translate
}

func (p *priorCheck) issuef(code, format string, args ...any) {
	p.log.addf(code, p.file(), format, args...)
}

// file returns the path of the inventory. The head's own inventory may be the document of the
// object's folder, with another path.
func (p *priorCheck) file() string { return p.name + "/" + InventoryFile }

// checkSpec checks the order of specifications: a version must not use an older one than its
// predecessor (E103).
func (p *priorCheck) checkSpec() {
	spec := p.prior.spec
	if spec == "" {
		return
	}
	if spec < p.lastSpec {
		p.log.addf("E103", p.file(), "the type is that of OCFL %s, but the version before has %s", spec, p.lastSpec)
	} else if p.root.spec != "" && spec > p.root.spec {
		p.log.addf("E103", p.file(), "the type is that of OCFL %s, but the object's inventory has %s", spec, p.root.spec)
	}
	p.lastSpec = max(p.lastSpec, spec)
}

func (p *priorCheck) compare() {
	p.basics()
	for _, name := range p.prior.inv.VersionNames() {
		p.version(name)
	}
	p.manifest()
	p.expectManifest(p.prior, false)
}

func (p *priorCheck) basics() {
	root, prior := p.root.inv, p.prior.inv
	if prior.ID != root.ID {
		p.issuef("E037", "the id is %q, but the object's inventory has %q", prior.ID, root.ID)
		p.issuef("E110", "the id is %q, but the object's inventory has %q", prior.ID, root.ID)
	}
	if prior.Head != p.name {
		p.issuef("E040", "the head is %q, but this is the inventory of %s", prior.Head, p.name)
	}
	if prior.ContentDir() == root.ContentDir() {
		return
	}
	code := "E020"
	if v, _ := parseVersionName(p.name); v.number == 1 {
		code = "E019"
	}
	p.issuef(code, "the content directory is %q, but the object's inventory has %q", prior.ContentDir(),
		root.ContentDir())
}

// version compares one version block of the prior inventory with the same block in the current
// inventory.
func (p *priorCheck) version(name string) {
	now, then := p.root.inv.Versions[name], p.prior.inv.Versions[name]
	if now == nil {
		p.issuef("E066", "it has a version %q, but the object's inventory does not", name)
		return
	}
	p.state(name, now, then)
	if !now.Created.Equal(then.Created) {
		p.issuef("W011", "%s: created is %s, but the object's inventory has %s", name, then.Created, now.Created)
	}
	if now.Message != then.Message {
		p.issuef("W011", "%s: the message is %q, but the object's inventory has %q", name, then.Message, now.Message)
	}
	if a, b := userOf(now), userOf(then); a != b {
		p.issuef("W011", "%s: the user is %q, but the object's inventory has %q", name, b, a)
	}
}

func userOf(v *Version) string {
	if v.User == nil {
		return ""
	}
	return v.User.Name + " <" + v.User.Address + ">"
}

// state compares the logical states. Both states need the same names, with the same bytes (E066).
// The cost grows only with the prior inventory, so many small inventories beside a large inventory
// stay cheap.
func (p *priorCheck) state(name string, now, then *Version) {
	current := p.currentState(name, now)
	matching, differing, example := 0, 0, ""
	for digest, paths := range then.State {
		for _, path := range paths {
			if is, ok := current[path]; ok && p.sameContent(is, digest) {
				matching++
				continue
			}
			differing++
			if example == "" || path < example {
				example = path
			}
		}
	}
	if differing > 0 {
		p.issuef("E066", "%s: the state differs from that in the object's inventory for %d paths, first %q", name,
			differing, example)
	} else if missing := len(current) - matching; missing > 0 {
		p.issuef("E066", "%s: the state lacks %d paths of the state in the object's inventory", name, missing)
	}
}

// currentState returns the state of a version in the current inventory, by path. It is inverted
// once for all comparisons.
func (p *priorCheck) currentState(name string, now *Version) map[string]string {
	if p.states[name] == nil {
		p.states[name] = byPath(now.State)
	}
	return p.states[name]
}

// sameContent reports whether a digest of the current inventory and one of the prior inventory mean
// the same bytes. If the algorithm changed between them, a common file in the manifests shows that.
func (p *priorCheck) sameContent(now, then string) bool {
	if p.prior.inv.DigestAlgorithm == p.root.inv.DigestAlgorithm {
		return equalDigest(now, then)
	}
	if p.translation == nil {
		p.translation = p.translate()
	}
	_, same := p.translation[[2]string{strings.ToLower(now), strings.ToLower(then)}]
	return same
}

// translate pairs the current and the prior digest of each file in both manifests.
func (p *priorCheck) translate() map[[2]string]struct{} {
	pairs := make(map[[2]string]struct{}, len(p.prior.inv.Manifest))
	for then, paths := range p.prior.inv.Manifest {
		for _, path := range paths {
			if now := p.currentDigest(path); now != "" {
				pairs[[2]string{strings.ToLower(now), strings.ToLower(then)}] = struct{}{}
			}
		}
	}
	return pairs
}

// currentDigest returns the digest of a file in the current manifest, or "".
func (c *objectCheck) currentDigest(path string) string {
	if e := c.want[path]; e != nil && e.inManifest {
		return e.digests[0].digest
	}
	return ""
}

// manifest checks that the manifest lists all files of the versions up to this one (E023). Reading
// the files shows whether the digests match. For files that are not read, the digests must match
// the current manifest (E092).
func (p *priorCheck) manifest() {
	v, _ := parseVersionName(p.name)
	compare := p.o.SkipDigests && p.prior.inv.DigestAlgorithm == p.root.inv.DigestAlgorithm
	listed := map[string]struct{}{}
	for then, paths := range p.prior.inv.Manifest {
		for _, path := range paths {
			now := p.currentDigest(path)
			if now != "" {
				listed[path] = struct{}{}
			}
			if now != "" && compare && !equalDigest(now, then) {
				p.log.add(Issue{Code: "E092", Path: path,
					Detail: fmt.Sprintf("the %s digest is %s in the manifest of %s, but %s in the "+
						"manifest of %s",
						p.root.inv.DigestAlgorithm, strings.ToLower(then), p.file(), strings.ToLower(now),
						InventoryFile)})
			}
		}
	}
	for _, f := range p.byVersion {
		if f.version > v.number {
			return
		}
		if _, ok := listed[f.path]; !ok {
			p.issuef("E023", "the manifest lacks %q, a file of version %d", f.path, f.version)
			return // one example is enough; more would take time from other checks
		}
	}
}

// byPath inverts digest → paths to path → digest.
func byPath(block map[string][]string) map[string]string {
	m := make(map[string]string, len(block))
	for digest, paths := range block {
		for _, p := range paths {
			m[p] = digest
		}
	}
	return m
}
