package desk

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/repository/catalogue"
	"quire/repository/store"
	"quire/service/role"
)

// Package is a package in a list.
type Package struct {
	ID         string
	Title      string
	Kind       string // package or collection
	First      time.Time
	Last       time.Time
	Stored     time.Time
	Version    int // 0 for readers
	Containers int64
	Records    int64
	Bytes      int64
	Status     catalogue.Status // the worst state of its copies; "" for readers
}

// Packages lists at most limit packages after an id, as the person may see them.
func (d *Desk) Packages(ctx context.Context, who *role.Person, after string, limit int) ([]Package, error) {
	all := make([]Package, 0, limit)
	if who.Staff() {
		for e, err := range d.Store.ListAfter(ctx, after) {
			if err != nil {
				return nil, err
			}
			all = append(all, Package{e.ID, e.Title, kindOf(&e), e.First, e.Last, e.Stored, e.Head, e.Containers,
				e.Records, e.Bytes, e.Status})
			if len(all) == limit {
				break
			}
		}
		return all, nil
	}
	for p, err := range d.Holdings.PackagesAfter(ctx, who.Reading(), after) {
		if err != nil {
			return nil, err
		}
		all = append(all, Package{ID: p.ID, Title: p.Title, Kind: "package", First: p.First, Last: p.Last,
			Stored: p.Stored, Containers: p.Containers, Records: p.Records, Bytes: p.Bytes})
		if len(all) == limit {
			break
		}
	}
	return all, nil
}

func kindOf(e *store.Entry) string {
	if e.IsCollection() {
		return "collection"
	}
	return "package"
}

// Package returns a package as the person may see it.
func (d *Desk) Package(ctx context.Context, who *role.Person, id string) (*holdings.Package, error) {
	return d.Holdings.Package(ctx, who.Reading(), id)
}

// Access is the decision on a package for a class of readers.
type Access struct {
	Class holdings.Class
	holdings.Decision
}

// Rights returns the decisions on a package for each class of readers, and its rights statements.
func (d *Desk) Rights(ctx context.Context, id string) (all []Access, statements []holdings.Right, err error) {
	for _, class := range []holdings.Class{holdings.Staff, holdings.OnSite, holdings.Public} {
		p, err := d.Holdings.Package(ctx, holdings.Reader{Class: class}, id)
		switch {
		case err == nil:
			all = append(all, Access{class, p.Decision})
			if class == holdings.Staff {
				statements = p.Rights
			}
		case class != holdings.Staff && errors.Is(err, captures.ErrNotFound):
			all = append(all, Access{class, holdings.Decision{Verdict: holdings.Blocked, Hidden: true}})
		default:
			return nil, nil, err
		}
	}
	return all, statements, nil
}

// isPackage refuses documents of the repository, such as that of withdrawals: their content has operations and roles
// of its own.
func isPackage(id string) error {
	if strings.HasPrefix(id, catalogue.DocumentPrefix) {
		return fmt.Errorf("%s: %w", id, store.ErrNotFound)
	}
	return nil
}

// Versions returns the versions of a package.
func (d *Desk) Versions(ctx context.Context, id string) ([]store.VersionInfo, error) {
	if err := isPackage(id); err != nil {
		return nil, err
	}
	return d.Store.Versions(ctx, id)
}

// Files lists at most limit files of the newest version of a package, after a path.
func (d *Desk) Files(ctx context.Context, id, after string, limit int) ([]catalogue.File, error) {
	if err := isPackage(id); err != nil {
		return nil, err
	}
	all, err := d.Store.Contents(ctx, id)
	if err != nil {
		return nil, err
	}
	some := make([]catalogue.File, 0, min(limit, len(all)))
	for _, f := range all {
		if f.Path > after && len(some) < limit {
			some = append(some, f)
		}
	}
	return some, nil
}

// Copies returns the copies and events of a package.
func (d *Desk) Copies(ctx context.Context, id string) (store.Details, error) {
	if err := isPackage(id); err != nil {
		return store.Details{}, err
	}
	return d.Store.Show(ctx, id)
}

// Count returns the number of packages, without the documents of the repository.
func (d *Desk) Count(ctx context.Context) (n int64, err error) {
	states, err := d.Store.CountStates(ctx, catalogue.NumberQuery{})
	for _, some := range states {
		n += some
	}
	return n, err
}
