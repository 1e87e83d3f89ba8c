package catalogue

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"quire/model"
)

// Transferred counts what [Transfer] wrote.
type Transferred struct {
	Packages int64 `json:"packages"` // with the documents of the repository
	Events   int64 `json:"events"`
	Runs     int64 `json:"runs"` // of audits
}

// Transfer writes all rows of one catalogue into another one, which is empty. The first must
// not change meanwhile. done, if not nil, receives the number of packages written.
func Transfer(ctx context.Context, from, to *Catalogue, done func(packages int64)) (n Transferred, err error) {
	for p, err := range from.Packages(ctx) {
		if err != nil {
			return n, err
		}
		r, err := from.Get(ctx, p.ID)
		if err != nil {
			return n, err
		}
		if err := addNumbers(ctx, from, &r); err != nil {
			return n, err
		}
		if err := to.Put(ctx, r); err != nil {
			return n, err
		}
		n.Packages++
		n.Events += int64(len(r.Events))
		if done != nil {
			done(n.Packages)
		}
	}
	if err := transferRuns(ctx, from, to, &n); err != nil {
		return n, err
	}
	copyings, err := from.Copyings(ctx) // lines that were staged are read again: their runs are not among these
	if err != nil {
		return n, err
	}
	if err := to.EndCopying(ctx, slices.Sorted(maps.Keys(copyings))...); err != nil {
		return n, err
	}
	count, err := to.Count(ctx)
	if err == nil && count != n.Packages {
		err = fmt.Errorf("catalogue: %d packages were written, but it has %d", n.Packages, count)
	}
	return n, err
}

// addNumbers adds the numbers of a package, or the members of a collection. A catalogue of an earlier version has
// none.
func addNumbers(ctx context.Context, from *Catalogue, r *Record) error {
	rows, state, err := from.Numbers(ctx, r.Package.ID)
	if errors.Is(err, ErrNotCounted) || err == nil && state == NotCounted {
		return nil
	}
	if err == nil && r.Package.IsCollection() {
		r.Members, _, err = from.Members(ctx, r.Package.ID)
		r.Members = append([]string{}, r.Members...) // an empty list is known, too
	} else if err == nil {
		r.Numbers = &model.Numbers{Exact: state == Counted, Rows: rows}
	}
	return err
}

// transferRuns writes the audit runs, those under way, too.
func transferRuns(ctx context.Context, from, to *Catalogue, n *Transferred) error {
	runs, err := from.Runs(ctx)
	if err != nil {
		return err
	}
	audits, err := from.Audits(ctx, math.MaxInt32)
	if err != nil {
		return err
	}
	sums := map[string][]Audit{}
	for _, a := range audits {
		sums[a.Run] = append(sums[a.Run], a)
	}
	for _, r := range runs {
		if err := to.EndRun(ctx, r, sums[r.Run]); err != nil {
			return err
		}
		delete(sums, r.Run)
		n.Runs++
	}
	if len(sums) > 0 {
		return errors.New("catalogue: it has sums of an audit run that it does not have")
	}
	return nil
}
