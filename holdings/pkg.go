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

// pkg is what is known of a package, or of a collection. It is never changed: another takes its
// place.
type pkg struct {
	card    catalogue.Package
	history catalogue.Record // without files
	facts   *facts.Facts     // of the newest version; of an older one, or nil, when there is trouble
	trouble error            // why the newest version cannot be read; nil when it can
	tries   int
	retry   time.Time

	containers []captures.Container // of the newest version
	of         []membership         // the collections that name it
	loose      string               // a collection that names it and cannot be read; "" when there is none
	zones      *rights.Zones        // who may see what, by what it and its collections say
	told       bool                 // its lines are in the index, and those who follow were told
	viral      []string             // digests of what is infected in it
}

// indexedAs says whether the index has the containers, and no others.
func (p *pkg) indexedAs(in []captures.Container) bool {
	return slices.EqualFunc(p.containers, in, func(a, b captures.Container) bool {
		return a.Path == b.Path && a.SHA512 == b.SHA512 && a.Harvest == b.Harvest
	})
}

// Facts returns what the newest version of a package says; nil when that cannot be read.
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

// membership is that a collection names a package.
type membership struct {
	id      string
	title   string
	harvest int // of the collection
}

// recollect brings the rights of all packages up to date with what the collections say, after one
// was changed, or is gone. It is called under the lock.
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

// rejudge brings the rights of a package up to date with what it and its collections say. It is
// called under the lock.
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
