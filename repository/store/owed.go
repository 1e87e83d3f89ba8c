package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"quire/repository/catalogue"
)

// Owed yields the packages that a copy lacks, as far as the catalogue knows, sorted by package and
// copy: a copy that was away when the package was stored (owed), and a copy that lost it, or is new
// (missing). name selects a copy; "" selects all. The error is the last value yielded.
func (s *Store) Owed(ctx context.Context, name string) iter.Seq2[catalogue.Debt, error] {
	return func(yield func(catalogue.Debt, error) bool) {
		for d, err := range s.catalogue.Debts(ctx) {
			if err == nil && (s.copyNamed(d.Copy) == nil || name != "" && d.Copy != name) {
				continue
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// lacking yields the packages that a copy lacks, one value for each package. It omits copies that are
// away.
func (s *Store) lacking(ctx context.Context, name string) iter.Seq2[*facts, error] {
	return func(yield func(*facts, error) bool) {
		away := s.away()
		var known *facts
		for d, err := range s.Owed(ctx, name) {
			if err != nil {
				yield(nil, err)
				return
			}
			if slices.Contains(away, d.Copy) {
				continue
			}
			if known != nil && known.ID != d.Package {
				if !yield(known, nil) {
					return
				}
				known = nil
			}
			if known == nil {
				card, err := s.catalogue.Package(ctx, d.Package)
				if errors.Is(err, catalogue.ErrNotFound) {
					continue // removed meanwhile
				}
				if err != nil {
					yield(nil, err)
					return
				}
				known = &facts{ID: d.Package, object: card.Object, Inventory: card.Inventory, Bytes: card.Bytes,
					Copies: map[string]catalogue.Status{}}
			}
			known.Copies[d.Copy] = d.Status
		}
		if known != nil {
			yield(known, nil)
		}
	}
}

func (s *Store) lackedBytes(ctx context.Context, name string) (int64, error) {
	var sum int64
	for known, err := range s.lacking(ctx, name) {
		if err != nil {
			return 0, err
		}
		sum += known.Bytes
	}
	return sum, nil
}

// shown returns the state to show for a package whose copies have a worst known state.
func (s *Store) shown(known catalogue.Status, away []string) catalogue.Status {
	if len(away) > 0 && known == catalogue.Good {
		return catalogue.Away
	}
	return known
}

// CheckEmpty returns an error if the catalogue has no package, although a copy has an object: the
// catalogue was replaced by another one.
func (s *Store) CheckEmpty(ctx context.Context) error {
	for _, err := range s.catalogue.Packages(ctx) {
		return err
	}
	for _, c := range s.present() {
		err := c.eachObject(ctx, func(path string) error {
			if s.inChange(path) {
				return nil
			}
			return fmt.Errorf("the catalogue of repository %s lists no package, but copy %s has one at %s; build the "+
				"catalogue again: quire init rebuild %s", s.root, c.name, path, s.root)
		}, func(string, error) {})
		if err != nil {
			return err
		}
	}
	return nil
}
