package numbers

import (
	"context"
	"fmt"
	"iter"

	"quire/model"
	"quire/preserve/policy"
	"quire/repository/store"
)

// Selected is a package on which a selection decided.
type Selected struct {
	store.Entry
	Why error // why it is undecided: a value is not known; nil for a chosen package
}

// selectedAtOnce is the number of packages that are judged between two questions to the catalogue.
const selectedAtOnce = 256

// Select yields the packages after an id that a selection chooses, and those on which it cannot decide, sorted by id.
// It reads the catalogue only. Collections are not judged. The error is the last value yielded.
func Select(ctx context.Context, s *store.Store, sel *policy.Selection, after string) iter.Seq2[Selected, error] {
	return func(yield func(Selected, error) bool) {
		before := after
		var page []store.Entry
		flush := func() bool {
			ok := judgePage(ctx, s, sel, before, page, yield)
			if len(page) > 0 {
				before = page[len(page)-1].ID
			}
			page = page[:0]
			return ok
		}
		for e, err := range s.ListAfter(ctx, after) {
			if err != nil {
				yield(Selected{}, err)
				return
			}
			if page = append(page, e); len(page) == selectedAtOnce && !flush() {
				return
			}
		}
		flush()
	}
}

// judgePage judges some packages, whose ids are behind before. It reports whether to go on.
func judgePage(ctx context.Context, s *store.Store, sel *policy.Selection, before string, page []store.Entry,
	yield func(Selected, error) bool) bool {
	if len(page) == 0 {
		return true
	}
	names, err := s.Names(ctx, before, page[len(page)-1].ID, sel.Kinds())
	if err != nil {
		yield(Selected{}, err)
		return false
	}
	for _, e := range page {
		if e.IsCollection() {
			continue
		}
		match, why := sel.Match(&policy.Stored{ID: e.ID, Title: e.Title, Bytes: e.Bytes, Files: e.Files,
			Containers: e.Containers, Records: e.Records, First: e.First, Last: e.Last, Stored: e.Package.Stored,
			Names: names[e.ID]})
		if match == policy.NotChosen {
			continue
		}
		if !yield(Selected{e, why}, nil) {
			return false
		}
	}
	return ctx.Err() == nil
}

// Packages yields the packages that an expression chooses, as the catalogue lists their newest version. It fails if
// the expression cannot decide on a package.
func Packages(ctx context.Context, s *store.Store, expression string) iter.Seq2[*model.Package, error] {
	return func(yield func(*model.Package, error) bool) {
		sel, err := policy.Select(expression)
		if err != nil {
			yield(nil, err)
			return
		}
		for e, err := range Select(ctx, s, sel, "") {
			var p *model.Package
			if err == nil && e.Why != nil {
				err = fmt.Errorf("the selection does not decide on a package: %w", e.Why)
			}
			if err == nil {
				p, err = packageOf(ctx, s, e.ID)
			}
			if !yield(p, err) || err != nil {
				return
			}
		}
	}
}

// packageOf returns a package with the files of its newest version.
func packageOf(ctx context.Context, s *store.Store, id string) (*model.Package, error) {
	d, err := s.Show(ctx, id)
	if err != nil {
		return nil, err
	}
	p := &model.Package{ID: d.Package.ID, Title: d.Package.Title, Profile: d.Package.Profile, First: d.Package.First}
	for _, f := range d.Versions[len(d.Versions)-1].Files {
		p.Files = append(p.Files, model.PackageFile{Path: f.Path, Size: f.Size, SHA512: f.SHA512, Use: f.Use})
	}
	return p, nil
}
