package holdings

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"quire/holdings/captures"
)

// infected lists infected payloads across packages: another package may have the same bytes without
// a virus check.
type infected struct {
	sums    map[string]string // SHA-256 of bodies → package with the finding
	digests map[string]string // of payloads, as in the index
	epoch   string            // changes with the list
}

func newInfected() infected { return infected{sums: map[string]string{}, digests: map[string]string{}} }

// infectedIn combines the infected payloads of all packages.
func infectedIn(packages map[string]*pkg) infected {
	all := newInfected()
	for id, p := range packages {
		if p.closed == nil {
			continue
		}
		for _, c := range p.closed.containers {
			for _, sum := range c.ViralSums {
				all.sums[sum] = id
			}
		}
		for _, digest := range p.closed.viral {
			if sum, ok := strings.CutPrefix(digest, "body:"); ok {
				all.sums[sum] = id
			} else {
				all.digests[digest] = id
			}
		}
	}
	all.epoch = all.fingerprint()
	return all
}

// fingerprint returns a text that changes when the infected payloads change. The text is "" if no
// payload is infected.
func (i *infected) fingerprint() string {
	if len(i.sums)+len(i.digests) == 0 {
		return ""
	}
	all := slices.AppendSeq(slices.Collect(maps.Keys(i.sums)), maps.Keys(i.digests))
	slices.Sort(all)
	sum := sha256.Sum256([]byte(strings.Join(all, "\n")))
	return hex.EncodeToString(sum[:])
}

// dangerous reports whether a package has infected content.
func (p *pkg) dangerous() bool {
	if p.closed == nil {
		return false
	}
	for _, c := range p.closed.containers {
		if len(c.Viral) > 0 {
			return true
		}
	}
	return false
}

// viralLines returns the digests of infected payloads of a package: of bodies, as "body:HEX", and
// of payloads.
func (h *Holdings) viralLines(ctx context.Context, p *pkg) (digests []string, err error) {
	if !p.dangerous() {
		return nil, nil
	}
	for c, err := range h.index.Captures(ctx, captures.Query{Packages: []string{p.id}}) {
		if err != nil {
			return nil, err
		}
		if !p.infectedAt(&c.Record) {
			continue
		}
		digests = append(digests, "body:"+c.Record.SHA256)
		if c.Digest != "" && c.Length > 0 {
			digests = append(digests, c.Digest)
		}
	}
	return digests, nil
}

// infectedAt reports whether the record at a place, or any segment of it, is infected.
func (p *pkg) infectedAt(at *captures.Place) bool {
	if in := p.container(at.Container); in != nil && in.Infected(at.Order) {
		return true
	}
	for i := range at.Segments {
		part := at.Part(i)
		if in := p.container(part.Container); in != nil && in.Infected(part.Order) {
			return true
		}
	}
	return false
}

// is returns the package in which a scanner found these bytes, or this payload, infected. It
// returns "" if there is no such package.
func (i *infected) is(place *captures.Place, digest string) string {
	if len(i.sums) == 0 && len(i.digests) == 0 {
		return ""
	}
	if id := i.sums[place.SHA256]; id != "" {
		return id
	}
	return i.digests[digest]
}
