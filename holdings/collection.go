package holdings

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"quire/holdings/captures"
)

// Collection is a collection as visible to a reader.
type Collection struct {
	ID    string
	Title string
	Decision
	Descriptions []Description // by its curators
	Rights       []Right
	Packages     []string // in the repository and visible to the reader, sorted
	Harvests     []CollectionHarvest
}

// CollectionHarvest is a harvest named in a collection.
type CollectionHarvest struct {
	ID, Label string
	Packages  []string // as above
}

// Collections yields the collections visible to a reader, by id. The error is yielded last.
func (h *Holdings) Collections(ctx context.Context, who Reader) iter.Seq2[*Collection, error] {
	return func(yield func(*Collection, error) bool) {
		if err := h.current(ctx); err != nil {
			yield(nil, err)
			return
		}
		h.mu.RLock()
		order := h.order
		h.mu.RUnlock()
		j := h.judging()
		for _, id := range order {
			if c := j.collection(&who, id); c != nil && !yield(c, nil) {
				return
			}
		}
	}
}

// Collection returns a collection as visible to a reader, or an error that is
// [captures.ErrNotFound].
func (h *Holdings) Collection(ctx context.Context, who Reader, id string) (*Collection, error) {
	if err := h.current(ctx); err != nil {
		return nil, err
	}
	if c := h.judging().collection(&who, id); c != nil {
		return c, nil
	}
	return nil, fmt.Errorf("collection %s: %w", id, captures.ErrNotFound)
}

// collection returns the part of a collection that the reader may see, or nil if there is none. It
// omits hidden packages.
func (j *judging) collection(who *Reader, id string) *Collection {
	p, d := j.whole(who, id)
	if p == nil || !p.isCollection || d.Hidden || p.collection == nil {
		return nil
	}
	c := &Collection{ID: id, Title: p.title, Decision: d}
	if p.trouble() == nil {
		c.Descriptions, c.Rights = descriptions(p.collection), p.statements(who.In(id))
	}
	for i := range p.collection.Harvests {
		of := &p.collection.Harvests[i]
		c.Harvests = append(c.Harvests, CollectionHarvest{ID: of.ID, Label: of.Label})
	}
	for _, name := range slices.Sorted(maps.Keys(p.collection.Members)) {
		if member, d := j.whole(who, name); member == nil || d.Hidden {
			continue
		}
		c.Packages = append(c.Packages, name)
		if n := p.collection.Members[name]; n > 0 && n <= len(c.Harvests) {
			c.Harvests[n-1].Packages = append(c.Harvests[n-1].Packages, name)
		}
	}
	return c
}

// All is the name for replay of all packages.
const All = "all"

// InCollection returns the packages selected by the first part of a replay URL: all, a package or a
// collection. nil means all of them; known reports whether the name exists.
func (h *Holdings) InCollection(name string) (packages []string, known bool) {
	if name == All {
		return nil, true
	}
	h.mu.RLock()
	defer h.mu.RUnlock()
	p := h.packages[name]
	switch {
	case p == nil:
		return nil, false
	case !p.isCollection:
		return []string{name}, true
	case p.collection == nil:
		return []string{}, true
	}
	packages = []string{}
	for id := range p.collection.Members {
		if h.packages[id] != nil {
			packages = append(packages, id)
		}
	}
	slices.Sort(packages)
	return packages, true
}

// Members returns the ids of the collections of each package, and the titles of these collections,
// as visible to a reader.
func (h *Holdings) Members(ctx context.Context, who Reader) (ids map[string][]string, titles map[string]string,
	err error) {
	if err := h.current(ctx); err != nil {
		return nil, nil, err
	}
	of := map[string][]membership{}
	h.mu.RLock()
	for id, p := range h.packages {
		if len(p.of()) > 0 {
			of[id] = p.of()
		}
	}
	h.mu.RUnlock()
	ids, titles = map[string][]string{}, map[string]string{}
	hidden := map[string]bool{}
	j := h.judging()
	for id, members := range of {
		for _, m := range members {
			if _, asked := titles[m.id]; !asked && !hidden[m.id] {
				p, d := j.whole(&who, m.id)
				if hidden[m.id] = p == nil || d.Hidden; !hidden[m.id] {
					titles[m.id] = m.title
				}
			}
			if !hidden[m.id] {
				ids[id] = append(ids[id], m.id)
			}
		}
	}
	return ids, titles, nil
}
