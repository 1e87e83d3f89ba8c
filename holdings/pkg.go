package holdings

import (
	"slices"
	"strings"
	"time"

	"quire/holdings/captures"
	"quire/holdings/facts"
	"quire/holdings/rights"
	"quire/repository/catalogue"
)

// pkg is the state of a package or collection. It is immutable, and replaced as a whole.
type pkg struct {
	card    catalogue.Package
	history catalogue.Record // without files
	facts   *facts.Facts     // of the newest version; of an older one, or nil, after an error
	trouble error            // why the newest version cannot be read; nil if it can
	tries   int
	retry   time.Time

	containers []captures.Container // of the newest version
	of         []membership         // its collections
	loose      string               // an unreadable collection that includes it; "" for none
	zones      *rights.Zones        // access by statements of the package and its collections
	notified   bool                 // its lines are indexed, and followers were notified
	viral      []string             // digests of its infected payloads
}

// indexedAs reports whether the index has exactly these containers.
func (p *pkg) indexedAs(in []captures.Container) bool {
	return slices.EqualFunc(p.containers, in, func(a, b captures.Container) bool {
		return a.Path == b.Path && a.SHA512 == b.SHA512 && a.Harvest == b.Harvest
	})
}

// Facts returns the facts of a package's newest version; nil if they cannot be read.
func (h *Holdings) Facts(id string) *facts.Facts {
	if p := h.known(id); p != nil && p.trouble == nil {
		return p.facts
	}
	return nil
}

// History returns the versions and events of a package, without files.
func (h *Holdings) History(id string) catalogue.Record {
	if p := h.known(id); p != nil {
		return p.history
	}
	return catalogue.Record{}
}

// membership is the inclusion of a package in a collection.
type membership struct {
	id      string
	title   string
	harvest int // of the collection
}

// recollect updates the rights of all packages, after a collection was changed or removed. The
// caller holds the lock.
func (h *Holdings) recollect() {
	h.unread, h.members, h.loose = "", map[string][]membership{}, map[string]string{}
	for id, p := range h.packages {
		if !p.isCollection() {
			continue
		}
		if p.facts == nil {
			h.unread = id
			continue
		}
		for name, n := range p.facts.Members {
			h.members[name] = append(h.members[name], membership{id, p.facts.Title, n})
			if p.trouble != nil {
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
	if p == nil || p.facts == nil {
		return
	}
	next := *p
	next.of, next.loose = h.members[id], h.loose[id]
	said := []rights.Said{{Set: p.facts.Rights}}
	for _, m := range next.of {
		if c := h.packages[m.id]; c != nil && c.facts != nil {
			said = append(said, rights.Said{Set: c.facts.Rights, Collection: m.id, Harvest: m.harvest})
		}
	}
	next.zones = rights.Weigh(h.options.Unstated, said...)
	h.packages[id] = &next
}
