package captures

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"quire/holdings/facts"
	"quire/preserve/aip"
	"quire/repository/catalogue"
	"quire/repository/store"
)

// Update updates the index with the newest versions of all packages of a repository, in a version
// of lines: for callers that need it once, and do not follow changes. The error lists unreadable
// containers; all others are then indexed.
func (x *Index) Update(ctx context.Context, s *store.Store, version int, progress func(bytes int64),
	tell func(error)) error {
	all, err := x.Containers(ctx, "")
	if err != nil {
		return err
	}
	in := map[string][]Container{}
	for _, c := range all {
		in[c.Package] = append(in[c.Package], c)
	}
	var failed error
	batch := Batch{Index: x, Read: x.Stored(s, progress, tell), Added: func(_ []Addition, each []error) error {
		failed = errors.Join(append(each, failed)...)
		return nil
	}}
	for p, err := range s.Packages(ctx) {
		if err != nil {
			return err
		}
		was := in[p.ID]
		delete(in, p.ID)
		if p.IsCollection() {
			continue
		}
		h, err := s.History(ctx, p.ID)
		if err != nil {
			return err
		}
		files := containersOf(&h)
		same := slices.EqualFunc(files, was, func(f catalogue.File, c Container) bool {
			return f.Path == c.Path && f.SHA512 == c.SHA512 && c.Suffices(version)
		})
		if same {
			continue
		}
		f, err := facts.Load(ctx, s, p.ID, 0)
		if err == nil {
			err = batch.Add(ctx, p.ID, Wanted(&h, f, version))
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		failed = errors.Join(failed, err)
	}
	for id := range in {
		if err := batch.Add(ctx, id, nil); err != nil {
			return err
		}
	}
	if err := batch.Flush(ctx); err != nil {
		return err
	}
	return errors.Join(failed, x.Sweep(ctx, s))
}

// containersOf returns the containers of the newest version, by path.
func containersOf(h *catalogue.Record) (all []catalogue.File) {
	if len(h.Versions) == 0 {
		return nil
	}
	for _, f := range h.Versions[len(h.Versions)-1].Files {
		if f.Use == aip.UseContainers {
			all = append(all, f)
		}
	}
	slices.SortFunc(all, func(a, b catalogue.File) int { return strings.Compare(a.Path, b.Path) })
	return all
}

// Wanted returns the containers of the newest version of a package that must be indexed, by path:
// those that are also in its METS.
func Wanted(h *catalogue.Record, f *facts.Facts, version int) (all []Container) {
	for _, file := range containersOf(h) {
		if c := f.Containers[file.Path]; c != nil {
			all = append(all, Container{Package: h.Package.ID, Path: file.Path, SHA512: file.SHA512, Harvest: c.Harvest,
				Size: file.Size, Version: version})
		}
	}
	return all
}

// Unwritable reports whether an error means that the index is read-only: its disk or folder is not
// writable.
func Unwritable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}
