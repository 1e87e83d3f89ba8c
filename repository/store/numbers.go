package store

import (
	"context"
	"errors"
	"fmt"

	"quire/model"
	"quire/repository/catalogue"
)

// Sums returns the sums of the values of a criterion: see [catalogue.Catalogue.Sums].
func (s *Store) Sums(ctx context.Context, q catalogue.NumberQuery) ([]catalogue.NumberSum, error) {
	return s.catalogue.Sums(ctx, q)
}

// Total returns the sum of all names of a criterion: see [catalogue.Catalogue.Total].
func (s *Store) Total(ctx context.Context, q catalogue.NumberQuery) (catalogue.NumberSum, error) {
	return s.catalogue.Total(ctx, q)
}

// TotalsByYear returns the sum of all names in each year: see [catalogue.Catalogue.TotalsByYear].
func (s *Store) TotalsByYear(ctx context.Context, q catalogue.NumberQuery) ([]catalogue.YearSum, error) {
	return s.catalogue.TotalsByYear(ctx, q)
}

// NamesByYear returns the sum of some names in each year: see [catalogue.Catalogue.NamesByYear].
func (s *Store) NamesByYear(ctx context.Context, q catalogue.NumberQuery, names []string) ([]catalogue.YearSum, error) {
	return s.catalogue.NamesByYear(ctx, q, names)
}

// Spans returns the years of some names: see [catalogue.Catalogue.Spans].
func (s *Store) Spans(ctx context.Context, q catalogue.NumberQuery, names []string) (map[string]catalogue.Span,
	error) {
	return s.catalogue.Spans(ctx, q, names)
}

// CountStates counts the packages by the state of their numbers: see [catalogue.Catalogue.CountStates].
func (s *Store) CountStates(ctx context.Context, q catalogue.NumberQuery) (map[catalogue.NumberState]int64, error) {
	return s.catalogue.CountStates(ctx, q)
}

// Numbers returns the numbers of one package, or an error that is [ErrNotFound].
func (s *Store) Numbers(ctx context.Context, id string) ([]model.Number, catalogue.NumberState, error) {
	n, state, err := s.catalogue.Numbers(ctx, id)
	return n, state, s.notFound(id, err)
}

// Names returns the names of the numbers of some packages: see [catalogue.Catalogue.Names].
func (s *Store) Names(ctx context.Context, after, last string, kinds []model.NumberKind) (
	map[string]map[model.NumberKind][]string, error) {
	return s.catalogue.Names(ctx, after, last, kinds)
}

// Members returns the packages of a collection, or an error that is [ErrNotFound]: see
// [catalogue.Catalogue.Members].
func (s *Store) Members(ctx context.Context, id string) (members []string, known bool, err error) {
	p, err := s.card(ctx, id)
	if err == nil && !p.IsCollection() {
		err = fmt.Errorf("%s is a package, no collection", id)
	}
	if err != nil {
		return nil, false, err
	}
	members, known, err = s.catalogue.Members(ctx, id)
	return members, known, s.notFound(id, err)
}

// uncountedAtOnce is the number of packages that are read from the catalogue at once.
const uncountedAtOnce = 256

// CountPackages reads the METS of the packages and collections that an earlier version of Quire stored, and
// catalogues their numbers. done, if not nil, receives each. It returns how many were counted. The error joins
// those of packages that could not be read; they stay uncounted.
func (s *Store) CountPackages(ctx context.Context, done func(id string)) (counted int64, err error) {
	if err := s.Writable(); err != nil {
		return 0, err
	}
	after, failed := "", []error{}
	for {
		some, err := s.catalogue.Uncounted(ctx, after, uncountedAtOnce)
		if err != nil || len(some) == 0 {
			return counted, errors.Join(append(failed, err)...)
		}
		for i := range some {
			if err := s.countPackage(ctx, &some[i]); ctx.Err() != nil {
				return counted, ctx.Err()
			} else if err != nil {
				failed = append(failed, fmt.Errorf("counting %s: %w", some[i].ID, err))
			} else {
				counted++
			}
			if done != nil {
				done(some[i].ID)
			}
		}
		after = some[len(some)-1].ID
	}
}

// countPackage reads the METS of the newest version, whose inventory the catalogue has.
func (s *Store) countPackage(ctx context.Context, p *catalogue.Package) error {
	l, err := s.waitRead(ctx, p.Object)
	if err != nil {
		return err
	}
	defer l.release()
	var pkg model.Package
	errs := []error{errors.New("no copy has the version of the catalogue")}
	for _, c := range s.present() {
		o, err := openObject(c.object(p.Path))
		if err != nil || o.sum != p.Inventory {
			errs = append(errs, err)
			continue
		}
		if pkg, err = s.describeVersion(o, o.inventory.Head); err == nil {
			return s.catalogue.SetNumbers(ctx, p.ID, p.Inventory, pkg.Numbers, pkg.Members)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
