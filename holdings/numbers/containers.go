package numbers

import (
	"context"
	"fmt"

	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/report"
	"quire/repository/store"
)

// byContainer is the kind of a row for each container. No catalogue has such rows.
const byContainer = model.NumberKind(report.ByContainer)

// ofContainers counts the containers of a package one by one, or one of them. The catalogue has only their sums, so
// the METS is read from a copy.
func ofContainers(ctx context.Context, s *store.Store, t *report.Table, q *Query) error {
	all, err := containersOf(ctx, s, q.Package)
	if err != nil {
		return err
	}
	t.Scope.Packages = 1
	var rows []model.Number
	known := false
	for i := range all {
		c := &all[i]
		if q.Container != "" && c.Path != q.Container {
			continue
		}
		known = true
		rows = append(append(rows, c.Rows...), rowsOf(c)...)
	}
	if q.Container != "" && !known {
		return &noContainerError{q.Package, q.Container}
	}
	addUp(t, q, rows)
	return nil
}

// noContainerError reports a container that a package does not have. It is a store.ErrNotFound.
type noContainerError struct{ pkg, container string }

func (e *noContainerError) Error() string {
	return fmt.Sprintf("package %s has no container %s", e.pkg, e.container)
}

func (e *noContainerError) Unwrap() error { return store.ErrNotFound }

// containersOf reads the METS of the newest version from the first copy that has it.
func containersOf(ctx context.Context, s *store.Store, id string) (all []aip.ContainerNumbers, failed error) {
	for fsys, err := range s.Views(ctx, id, 0) {
		if err == nil {
			all, err = aip.NumbersByContainer(fsys)
		}
		if err == nil {
			return all, nil
		}
		failed = err
		if ctx.Err() != nil {
			break
		}
	}
	return nil, failed
}

// rowsOf returns a row that counts the records of a container, with its size as stored.
func rowsOf(c *aip.ContainerNumbers) []model.Number {
	row := model.Number{Kind: byContainer, Name: c.Path, Containers: 1}
	for _, r := range c.Rows {
		row.Harvest, row.Year = r.Harvest, r.Year
		switch r.Kind {
		case model.ByType:
			row.Count += r.Count
		case model.ByOutcome:
			row.Bytes = r.Bytes
		}
	}
	return []model.Number{row}
}
