package archive

import (
	"context"
	"iter"
	"strconv"
	"strings"

	"quire/oai/protocol"
	"quire/oai/provider"
)

// The families of sets. For example, all records with a host are in the set host.
const (
	familyCollection = "collection"
	familyHost       = "host"
	familyMIME       = "mime"
	familyYear       = "year"
)

// setsAtOnce is the number of sets read at a time.
const setsAtOnce = 256

// Sets implements provider.Index. It returns the sets that have at least one record now. Deleted
// records are included.
func (a *Archive) Sets(ctx context.Context, after string) iter.Seq2[protocol.Set, error] {
	return func(yield func(protocol.Set, error) bool) {
		settled, err := a.current(ctx)
		if err == nil && !settled { // the name of a set may be withheld
			err = a.busy()
		}
		if err != nil {
			yield(protocol.Set{}, err)
			return
		}
		some := after != ""
		for {
			sets, err := a.someSets(ctx, after)
			if err == nil && len(sets) == 0 && !some {
				err = provider.ErrNoSets
			}
			if err != nil {
				yield(protocol.Set{}, err)
				return
			}
			for _, s := range sets {
				if !yield(s, nil) {
					return
				}
			}
			if len(sets) < setsAtOnce {
				return
			}
			some, after = true, sets[len(sets)-1].Spec
		}
	}
}

func (a *Archive) someSets(ctx context.Context, after string) (sets []protocol.Set, err error) {
	now := a.now()
	err = each(ctx, a.index.db, func(scan func(...any) error) error {
		var s protocol.Set
		err := scan(&s.Spec, &s.Name)
		if s.Name == "" {
			s.Name = nameOf(s.Spec)
		}
		sets = append(sets, s)
		return err
	}, `SELECT spec, title FROM spec s WHERE spec > ?1 AND EXISTS (
			SELECT 1 FROM tally t JOIN batch b ON b.id = t.batch WHERE t.spec = s.id AND b.stamp <= ?2 AND b.until > ?2)
		ORDER BY spec LIMIT ?3`, after, now, setsAtOnce)
	return sets, err
}

// nameOf returns the name of a set without a title.
func nameOf(spec string) string {
	switch spec {
	case familyCollection:
		return "Collections"
	case familyHost:
		return "Hosts"
	case familyMIME:
		return "Media types"
	case familyYear:
		return "Years of capture"
	}
	if mime, ok := protocol.ParseMIMESet(spec); ok {
		return mime
	}
	if host, ok := protocol.ParseHostSet(spec); ok {
		return host
	}
	if year, ok := protocol.ParseYearSet(spec); ok {
		return "captured in " + strconv.Itoa(year)
	}
	if name, ok := protocol.ParseCollectionSet(spec); ok {
		return name
	}
	return spec
}

// selection is a set in terms of the tables.
type selection struct {
	spec   int64  // 0 means everything
	rows   bool   // member lists its records; otherwise it has all records of the batches in tally,
	filter string // limited by this condition
	none   bool   // the set does not exist
}

// selected returns the selection for a set.
func (a *Archive) selected(ctx context.Context, q querier, set string) (s selection, err error) {
	if set == "" {
		return s, nil
	}
	found := false
	err = each(ctx, q, func(scan func(...any) error) error {
		found = true
		return scan(&s.spec)
	}, "SELECT id FROM spec WHERE spec = ?", set)
	s.none = !found
	switch {
	case set == familyHost:
		s.filter = " AND r.host <> 0"
	case set == familyYear:
		s.filter = " AND r.year <> 0"
	case set == familyMIME, set == familyCollection, strings.HasPrefix(set, familyCollection+":"):
	default:
		s.rows = true
	}
	return s, err
}
