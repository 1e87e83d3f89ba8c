package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quire/repository/catalogue"
)

// farSource finds a far copy that has a file of the package. It reads the lists of the far copies once.
func (r *repair) farSource(ctx context.Context, name string) *copyFolder {
	if r.farFiles == nil {
		r.farFiles = map[*copyFolder]map[string]int64{}
		for _, c := range r.far {
			files, err := c.farFiles(ctx, r.card.Path)
			if err != nil {
				continue // another one may have the file
			}
			r.farFiles[c] = map[string]int64{}
			for file, e := range files {
				r.farFiles[c][file] = e.Size
			}
		}
	}
	for _, c := range r.far {
		if _, there := r.farFiles[c][name]; there && !r.faults[c][name] {
			return c
		}
	}
	return nil
}

// fetchFar brings the files that only far copies have into the staging of the first copy to repair.
func (r *repair) fetchFar(ctx context.Context) error {
	for i, f := range r.files {
		if f.far == nil {
			continue
		}
		from := &copyFolder{name: f.far.name, disk: r.store.disk,
			path: filepath.Join(r.bad[0].staging(r.journal.Tx), "from-"+f.far.name)}
		target := filepath.Join(from.object(r.card.Path), filepath.FromSlash(f.path))
		if err := r.store.disk.mkdirAll(filepath.Dir(target)); err != nil {
			return err
		}
		if err := f.far.fetch(ctx, r.store.disk, r.card.Path, f.path, target, f.digest, f.size); err != nil {
			return fmt.Errorf("%s, which is whole in no folder: %w", f.path, err)
		}
		r.files[i].sources = []*copyFolder{from}
	}
	return nil
}

// pushFar brings the package to the far copies that lack it, or have it damaged.
func (r *repair) pushFar(ctx context.Context, progress func(Progress)) error {
	meter := newMeter(progress, Copying, r.card.Bytes*int64(len(r.farBad)))
	for _, c := range r.farBad {
		if err := r.store.pushTo(ctx, r.card.ID, c, r.farMends[c], meter.add); err != nil {
			return err
		}
		r.report.Repaired = append(r.report.Repaired, c.name)
		for _, from := range r.present {
			if !slices.Contains(r.bad, from) {
				r.use(from)
				break
			}
		}
	}
	if len(r.bad) == 0 {
		return nil
	}
	for _, c := range r.far {
		if slices.Contains(r.farBad, c) {
			continue
		}
		if err := r.store.farEvents(ctx, c, r.card.Object, r.card.Path); err != nil {
			return fmt.Errorf("copy %s: %w", c.name, err)
		}
	}
	return nil
}

// digests returns the SHA-512 of each content file.
func (o *object) digests() map[string]string {
	all := map[string]string{}
	for digest, paths := range o.inventory.Manifest {
		for _, p := range paths {
			all[p] = strings.ToLower(digest)
		}
	}
	return all
}

// openFar copies a file of a far copy into a temporary file without a name, and opens that.
func (s *Store) openFar(ctx context.Context, card catalogue.Package, name, want string) (*os.File, error) {
	size, err := s.catalogue.SizeOf(ctx, card.ID, want)
	if err != nil {
		return nil, err
	}
	failed := fs.ErrNotExist
	for _, c := range s.farPresent() {
		f, err := c.spool(ctx, card.Path, name, want, size)
		if err == nil {
			return f, nil
		}
		failed = errors.Join(failed, fmt.Errorf("copy %s: %w", c.name, err))
	}
	return nil, failed
}

// spool copies a file of a size in bytes.
func (c *copyFolder) spool(ctx context.Context, path, name, want string, size int64) (*os.File, error) {
	r, err := c.far.Open(ctx, farName(path, name), 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }() // opened for reading only
	f, err := os.CreateTemp("", "quire-far-")
	if err != nil {
		return nil, err
	}
	h := newDigest()
	err = os.Remove(f.Name()) // it stays open
	if err == nil {
		err = copyExactly(io.MultiWriter(f, h), r, size)
	}
	if err == nil && h.sum() != want {
		err = errOther
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// bringFar brings a new version to the far copies that answered. It returns those that have it now, and
// the reasons of the others, which are owed the version.
func (in *ingest) bringFar(ctx context.Context) (have []*copyFolder, failed error) {
	if len(in.far) == 0 {
		return nil, nil
	}
	meter := newMeter(in.options.Progress, Copying, in.newBytes*int64(len(in.far)))
	for _, c := range in.far {
		if err := in.store.pushTo(ctx, in.survey.pkg.ID, c, false, meter.add); err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		have = append(have, c)
	}
	in.targets = append(in.targets, have...)
	in.owed = in.store.without(in.targets)
	if len(in.targets) < in.store.Required() {
		return have, fmt.Errorf("package %s is stored in %d copies; the repository requires %d. Bring it to the "+
			"others (quire audit --repair --owed): %w", in.survey.pkg.ID, len(in.targets), in.store.Required(), failed)
	}
	return have, nil
}

// farStates returns the far copies that have the newest version, as far as known, and the others.
func (in *ingest) farStates(ctx context.Context) (have, lack []*copyFolder, err error) {
	held, err := in.store.catalogue.Copies(ctx, in.survey.pkg.ID)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range in.far {
		known := slices.ContainsFunc(held, func(k catalogue.Copy) bool {
			return k.Name == c.name && (k.Status == catalogue.Good || k.Status == catalogue.AsListed)
		})
		if known {
			have = append(have, c)
		} else {
			lack = append(lack, c)
		}
	}
	return have, lack, nil
}
