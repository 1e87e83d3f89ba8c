package holdings

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"quire/holdings/captures"
	"quire/holdings/facts"
	"quire/holdings/outline"
	"quire/holdings/rights"
	"quire/preserve/aip"
	"quire/preserve/statements"
	"quire/repository/catalogue"
)

// pkg is the state of a package or collection: a row with the values for lists and decisions. Everything else is read
// on demand, see [Holdings.details]. It is immutable, and replaced as a whole.
type pkg struct {
	card
	failing *failing // nil if there is no error

	// The following are of the newest version that could be read.
	own         *rights.Own   // nil if none could be read
	zones       *rights.Zones // access by statements of the package and its collections; nil like own
	titleSource *aip.TitleSource
	harvests    int32
	notified    bool // its lines are indexed, and followers were notified
	containers  containers
	index       [16]byte     // digest of the containers that the index should have
	closed      *closed      // nil if all containers are governed by the statements
	collection  *facts.Facts // of a collection, with its members; nil for packages
	within      *within      // nil if no collection has it
}

// card is a row of the catalogue, without fields that no list shows.
type card struct {
	id                             string
	inventory                      [sha512.Size]byte
	head                           int32
	isCollection                   bool
	title                          string
	first, last, stored            moment
	containerCount, records, bytes int64
}

// cardOf returns the row of a package.
func cardOf(c *catalogue.Package) card {
	return card{id: c.ID, inventory: inventoryOf(c.Inventory), head: int32(c.Head), isCollection: c.IsCollection(),
		title: c.Title, first: momentOf(c.First), last: momentOf(c.Last),
		stored: momentOf(c.Stored), containerCount: c.Containers,
		records: c.Records, bytes: c.Bytes}
}

// inventoryOf returns the digest that identifies a version.
func inventoryOf(text string) [sha512.Size]byte {
	if b, err := hex.DecodeString(text); err == nil && len(b) == sha512.Size {
		return [sha512.Size]byte(b)
	}
	return sha512.Sum512([]byte(text))
}

// failing is the last error of a package.
type failing struct {
	err   error // why the newest version cannot be read; nil if only its captures cannot be indexed
	tries int
	retry time.Time
}

// trouble returns why the newest version cannot be read; nil if it can.
func (p *pkg) trouble() error {
	if p.failing == nil {
		return nil
	}
	return p.failing.err
}

// waits reports whether the next attempt is later.
func (p *pkg) waits(now time.Time) bool { return p.failing != nil && p.failing.retry.After(now) }

// within are the collections of a package.
type within struct {
	of    []membership
	loose string // an unreadable one among them; "" for none
}

// of returns the collections of a package.
func (p *pkg) of() []membership {
	if p.within == nil {
		return nil
	}
	return p.within.of
}

// membership is the inclusion of a package in a collection.
type membership struct {
	id      string
	title   string
	harvest int // of the collection
}

// closed are containers with rights of their own.
type closed struct {
	containers map[string]*outline.Container
	viral      []string // digests of infected payloads, from the index
}

// outlined returns the package with the outline of its newest version.
func (p pkg) outlined(o *outline.Outline) *pkg {
	p.own, p.titleSource, p.harvests, p.closed = o.Rights, o.TitleSource, int32(o.Harvests), nil
	p.containers = newContainers(o.Containers)
	sum := sha256.Sum256([]byte(o.Index))
	p.index = [16]byte(sum[:])
	for i := range o.Containers {
		if c := &o.Containers[i]; !c.Plain() {
			if p.closed == nil {
				p.closed = &closed{containers: map[string]*outline.Container{}}
			}
			p.closed.containers[c.Path] = c
		}
	}
	return &p
}

// container returns the container of the newest version with a path; nil if it has none. One without rights of its own
// has no Path.
func (p *pkg) container(path string) *outline.Container {
	if p.closed != nil {
		if c := p.closed.containers[path]; c != nil {
			return c
		}
	}
	return p.containers.plain(path)
}

// indexText returns a text that changes with the containers in the index.
func indexText(all []captures.Container) string {
	var s strings.Builder
	for i := range all {
		fmt.Fprintf(&s, "%s %d %s\n", all[i].SHA512, all[i].Harvest, all[i].Path)
	}
	return s.String()
}

// indexedAs reports whether the index has exactly these containers.
func (p *pkg) indexedAs(in []captures.Container) bool {
	sum := sha256.Sum256([]byte(indexText(in)))
	return p.index == [16]byte(sum[:])
}

// recollect updates the rights of all packages, after a collection was changed or removed. The
// caller holds the lock.
func (h *Holdings) recollect() {
	h.unread, h.members, h.loose = "", map[string][]membership{}, map[string]string{}
	for id, p := range h.packages {
		if !p.isCollection {
			continue
		}
		if p.collection == nil {
			h.unread = id
			continue
		}
		for name, n := range p.collection.Members {
			h.members[name] = append(h.members[name], membership{id, p.collection.Title, n})
			if p.trouble() != nil {
				h.loose[name] = id
			}
		}
	}
	for _, of := range h.members {
		slices.SortFunc(of, func(a, b membership) int { return strings.Compare(a.id, b.id) })
	}
	for id := range h.packages {
		h.rejudge(id)
	}
}

// rejudge computes the rights of a package again, from its own statements and the statements of its
// collections. The caller holds the lock.
func (h *Holdings) rejudge(id string) {
	p := h.packages[id]
	if p == nil || p.own == nil {
		return
	}
	var in *within
	var of []rights.Member
	if m, loose := h.members[id], h.loose[id]; len(m) > 0 || loose != "" {
		in = &within{m, loose}
		for _, m := range in.of {
			if c := h.packages[m.id]; c != nil && c.own != nil {
				of = append(of, rights.Member{Own: c.own, Collection: m.id, Harvest: m.harvest})
			}
		}
	}
	zones := h.shared.Weigh(p.own, of...)
	if zones == p.zones && in == nil && p.within == nil {
		return
	}
	next := *p
	next.zones, next.within = zones, in
	h.packages[id] = &next
}

// speaks reports whether the file of that name contains rights statements.
func (p *pkg) speaks(name string) bool {
	return slices.ContainsFunc(p.own.Set.Statements, func(s statements.Statement) bool {
		return strings.HasPrefix(s.Source, name+", line ")
	})
}
