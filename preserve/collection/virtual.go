package collection

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"quire/internal/spool"
	"quire/model"
)

// undated stands for the year of packages without a known capture.
const undated = "undated"

// virtual records a harvest for each year of a first capture. The packages are written to disk, and read once for
// each year, so memory grows only by their identifiers.
func (b *builder) virtual(ctx context.Context, h *Harvest) (err error) {
	packages, err := spool.New[model.Package](b.work)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, packages.Close()) }()
	years := map[int]bool{}
	if err := b.selected(ctx, h, func(p *model.Package) error {
		years[yearOf(p)] = true
		return packages.Add(*p)
	}); err != nil {
		return err
	}
	for _, year := range slices.Sorted(maps.Keys(years)) {
		name := fmt.Sprint(year)
		if year == 0 {
			name = undated
		}
		r := row{ID: h.ID + "-" + name, Label: name}
		if h.Label != "" {
			r.Label = h.Label + ", " + name
		}
		if err := packages.Each(func(p model.Package) error {
			if err := ctx.Err(); err != nil || yearOf(&p) != year {
				return err
			}
			return b.take(&r, &p)
		}); err != nil {
			return err
		}
		if err := b.addHarvest(r); err != nil {
			return err
		}
	}
	return nil
}

// yearOf returns the year of the first capture, 0 if it is not known.
func yearOf(p *model.Package) int {
	if p.First.IsZero() {
		return 0
	}
	return p.First.UTC().Year()
}
