// Package numbers counts a repository, a collection, a package or one of its harvests. The numbers are those that
// the catalogue added up when packages were stored, so no container is read (docs/reference/376_numbers.md).
package numbers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quire/model"
	"quire/preserve/report"
	"quire/repository/catalogue"
	"quire/repository/store"
)

// Query chooses numbers.
type Query struct {
	By         report.By
	Collection string // its id
	Package    string // its id
	Harvest    int    // of the package, from 1; 0 for all
	Container  string // its path in the package
	From, To   int    // years of the first capture of the containers; 0 for no limit
	Top        int    // most frequent names; the others are summed in one row. 0 for all
}

// ErrNotCounted reports a package, or a collection, whose METS was not read for numbers yet.
var ErrNotCounted = errors.New("is not counted yet: run quire stats --repo REPO --count")

// check returns an error for parts of a query that exclude each other.
func (q *Query) check() error {
	switch {
	case q.Collection != "" && q.Package != "":
		return errors.New("name a collection or a package, not both")
	case (q.Container != "" || q.By == report.ByContainer) && q.Package == "":
		return errors.New("name the package of the containers: the catalogue has the sums of its harvests")
	case q.Harvest != 0 && q.Package == "":
		return errors.New("name the package of the harvest")
	case q.Harvest < 0 || q.From < 0 || q.To < 0 || q.Top < 0:
		return errors.New("a harvest, a year and a number of names cannot be negative")
	case q.To != 0 && q.From > q.To:
		return fmt.Errorf("no year is between %d and %d", q.From, q.To)
	}
	return nil
}

// Table counts by one criterion.
func Table(ctx context.Context, s *store.Store, q Query) (*report.Table, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	q.years()
	t := &report.Table{By: q.By, Rows: []report.Row{}, Scope: &report.Scope{Collection: q.Collection,
		Package: q.Package, Container: q.Container, Harvest: q.Harvest, From: q.From, To: q.To}}
	var err error
	if q.Container != "" || q.By == report.ByContainer {
		err = ofContainers(ctx, s, t, &q)
	} else if q.Package != "" {
		err = ofPackage(ctx, s, t, &q)
	} else {
		err = ofSums(ctx, s, t, &q)
	}
	if err == nil && q.By == report.ByYear {
		slices.SortFunc(t.Rows, func(a, b report.Row) int { return strings.Compare(a.Name, b.Name) })
	}
	return t, err
}

// years completes the range of years.
func (q *Query) years() {
	if q.From != 0 && q.To == 0 {
		q.To = maxYear
	}
	if q.From == 0 && q.To != 0 {
		q.From = 1 // 0 is no year
	}
}

// has reports whether a number of the package is in the harvest and the years.
func (q *Query) has(n *model.Number) bool {
	return (q.Harvest == 0 || n.Harvest == q.Harvest) && (q.To == 0 || n.Year >= q.From && n.Year <= q.To)
}

const (
	maxYear       = 9999
	notIdentified = "no" // name of containers whose formats were not identified
)

// ofSums reads sums that the catalogue has.
func ofSums(ctx context.Context, s *store.Store, t *report.Table, q *Query) error {
	if q.Collection != "" {
		_, known, err := s.Members(ctx, q.Collection)
		if err == nil && !known {
			err = fmt.Errorf("%s %w", q.Collection, ErrNotCounted)
		}
		if err != nil {
			return err
		}
	}
	sums := catalogue.NumberQuery{Kind: model.NumberKind(q.By), Collection: q.Collection, From: q.From, To: q.To,
		Top: q.Top}
	rows, err := s.Sums(ctx, sums)
	if err != nil {
		return err
	}
	for _, r := range rows {
		t.Rows = append(t.Rows, rowOf(q.By, r))
	}
	states, err := s.CountStates(ctx, sums)
	if err != nil {
		return err
	}
	for _, n := range states {
		t.Scope.Packages += n
	}
	t.Scope.Partly, t.Scope.Uncounted = states[catalogue.PartCounted], states[catalogue.NotCounted]
	if q.Top > 0 && len(rows) == q.Top {
		err = others(ctx, s, t, sums)
	} else {
		t.Scope.Values = int64(len(rows))
	}
	if err == nil && q.By == report.ByFormat {
		err = unidentified(ctx, s, t, sums)
	}
	if err != nil {
		return err
	}
	sums.Kind = model.ByOutcome
	all, err := s.Total(ctx, sums)
	t.Containers = all.Count
	if err == nil && q.By == report.ByLanguage {
		err = withoutLanguages(ctx, s, t, sums)
	}
	return err
}

// others sums the names beyond the first. Their containers are not known: one can have several of the names.
func others(ctx context.Context, s *store.Store, t *report.Table, q catalogue.NumberQuery) error {
	all, err := s.Total(ctx, q)
	if err != nil {
		return err
	}
	other := report.Row{Name: "all others", Count: all.Count, Bytes: all.Bytes}
	for _, r := range t.Rows {
		other.Count -= r.Count
		other.Bytes -= r.Bytes
	}
	if other.Count > 0 {
		t.Other = &other
	} else {
		t.Scope.Values = int64(len(t.Rows))
	}
	return nil
}

// unidentified counts the containers whose formats are not known.
func unidentified(ctx context.Context, s *store.Store, t *report.Table, q catalogue.NumberQuery) error {
	q.Kind, q.Top = model.ByIdentified, 0
	rows, err := s.Sums(ctx, q)
	for _, r := range rows {
		if r.Name == notIdentified {
			t.Scope.Unidentified = r.Containers
		}
	}
	return err
}

// withoutLanguages counts the containers whose METS states no languages: all without a row that says that it does.
func withoutLanguages(ctx context.Context, s *store.Store, t *report.Table, q catalogue.NumberQuery) error {
	q.Kind, q.Top = model.ByLanguagesKnown, 0
	rows, err := s.Sums(ctx, q)
	t.Scope.Unlisted = t.Containers
	for _, r := range rows {
		if r.Name == model.LanguagesKnown {
			t.Scope.Unlisted -= r.Containers
		}
	}
	return err
}

// ofPackage adds up the harvests and years of one package.
func ofPackage(ctx context.Context, s *store.Store, t *report.Table, q *Query) error {
	numbers, state, err := s.Numbers(ctx, q.Package)
	if err != nil {
		return err
	}
	if state == catalogue.NotCounted {
		return fmt.Errorf("%s %w", q.Package, ErrNotCounted)
	}
	t.Scope.Packages = 1
	if state == catalogue.PartCounted {
		t.Scope.Partly = 1
	}
	addUp(t, q, numbers)
	return nil
}

// addUp adds up numbers of one package.
func addUp(t *report.Table, q *Query, numbers []model.Number) {
	sums := map[string]*catalogue.NumberSum{}
	languages := int64(0) // containers that state theirs
	for _, n := range numbers {
		if !q.has(&n) {
			continue
		}
		if n.Kind == model.ByOutcome {
			t.Containers += n.Containers
		}
		if n.Kind == model.ByIdentified && n.Name == notIdentified && q.By == report.ByFormat {
			t.Scope.Unidentified += n.Containers
		}
		if n.Kind == model.ByLanguagesKnown && n.Name == model.LanguagesKnown {
			languages += n.Containers
		}
		if n.Kind != model.NumberKind(q.By) {
			continue
		}
		if sums[n.Name] == nil {
			sums[n.Name] = &catalogue.NumberSum{Name: n.Name}
		}
		sum := sums[n.Name]
		sum.Count, sum.Bytes, sum.Containers = sum.Count+n.Count, sum.Bytes+n.Bytes, sum.Containers+n.Containers
	}
	if q.By == report.ByLanguage {
		t.Scope.Unlisted = t.Containers - languages
	}
	if q.Top == 0 || len(sums) <= q.Top {
		t.Scope.Values = int64(len(sums))
	}
	all := slices.SortedFunc(maps.Values(sums), func(a, b *catalogue.NumberSum) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	other := report.Row{Name: "all others"}
	for i, sum := range all {
		if q.Top == 0 || i < q.Top {
			t.Rows = append(t.Rows, rowOf(q.By, *sum))
			continue
		}
		other.Count, other.Bytes = other.Count+sum.Count, other.Bytes+sum.Bytes
	}
	if other.Count > 0 {
		t.Other = &other
	}
}

// rowOf returns a sum as the row of a table.
func rowOf(by report.By, s catalogue.NumberSum) report.Row {
	r := report.Row{Name: s.Name, Count: s.Count, Bytes: s.Bytes, Containers: s.Containers, Packages: s.Packages}
	if by == report.ByFormat {
		f := model.FormatOf(s.Name)
		r.Name, r.Version, r.PUID = f.Name, f.Version, f.PUID
	}
	return r
}
