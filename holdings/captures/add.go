package captures

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Reading yields the lines of a container, in any order. If it fails, its lines are discarded.
type Reading func(ctx context.Context, c *Container, line func(*Line) error) error

// Add replaces the containers of a package in the index. Containers with an unchanged SHA-512 are
// not read again, even under another path or for another harvest, if their lines are sufficient
// [Container.Suffices]. The change is atomic: concurrent readers see the old or the new state, and
// a killed process leaves one of them. An unreadable container is omitted, reported in the error,
// and retried by the next call.
//
// Each Container needs Package, Path, SHA512, Harvest, and the minimum Version of its lines. read
// records in it the omitted records, and the version of its lines.
func (x *Index) Add(ctx context.Context, pkg string, containers []Container, read Reading) error {
	return x.AddAll(ctx, []Addition{{pkg, containers}}, read)[0]
}

// Addition is a package with all its containers.
type Addition struct {
	Package    string
	Containers []Container
}

// AddAll is Add for several packages in one change: the index is written once. It returns the error of each.
func (x *Index) AddAll(ctx context.Context, all []Addition, read Reading) []error {
	failed := make([]error, len(all))
	if err := x.addAll(ctx, all, read, failed); err != nil {
		for i := range failed {
			failed[i] = errors.Join(failed[i], err)
		}
	}
	return failed
}

func (x *Index) addAll(ctx context.Context, all []Addition, read Reading, failed []error) error {
	unlock, err := x.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	s, err := x.acquire()
	if err != nil {
		return err
	}
	defer x.release(s)
	a := &adding{was: map[string]map[string][]Container{}, m: s.manifest, w: newWriter(x.dir), read: read}
	defer a.w.close()
	for i := range all {
		a.was[all[i].Package] = map[string][]Container{}
	}
	a.m.Containers = make([]Container, 0, len(s.manifest.Containers)+len(all))
	for _, c := range s.manifest.Containers {
		if was := a.was[c.Package]; was != nil {
			was[c.SHA512] = append(was[c.SHA512], c)
		} else {
			a.m.Containers = append(a.m.Containers, c)
		}
	}
	for i := range all {
		harvests, again := harvestsOf(all[i].Containers), !same(all[i].Containers, a.was[all[i].Package])
		for _, c := range all[i].Containers {
			c.Package, c.Harvests = all[i].Package, harvests
			a.again = again
			if err := a.container(ctx, c); err != nil {
				failed[i] = errors.Join(failed[i], fmt.Errorf("%s of package %s: %w", c.Path, c.Package, err))
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		for _, gone := range a.was[all[i].Package] {
			a.changed = a.changed || len(gone) > 0
		}
	}
	if !a.changed {
		return nil
	}
	return x.commit(ctx, s, &a.m, a.w)
}

// adding is one change of the index.
type adding struct {
	was     map[string]map[string][]Container // former containers, by package and SHA-512
	m       manifest
	w       *writer
	read    Reading
	changed bool
	again   bool // the containers of the package changed: segments may be in other places
}

// harvestsOf returns the harvests of containers, by path.
func harvestsOf(all []Container) map[string]int {
	by := make(map[string]int, len(all))
	for _, c := range all {
		by[c.Path] = c.Harvest
	}
	return by
}

// same reports whether a package has the containers that it had, at the same paths.
func same(now []Container, was map[string][]Container) bool {
	n := 0
	for _, all := range was {
		n += len(all)
	}
	return n == len(now) && !slices.ContainsFunc(now, func(c Container) bool {
		return !slices.ContainsFunc(was[c.SHA512], func(old Container) bool {
			return old.Path == c.Path && old.Harvest == c.Harvest
		})
	})
}

// container adds a container, or keeps its lines.
func (a *adding) container(ctx context.Context, c Container) error {
	was := a.was[c.Package]
	same := was[c.SHA512]
	keep := func() {
		old := same[0]
		was[c.SHA512] = same[1:]
		a.changed = a.changed || old.Path != c.Path || old.Harvest != c.Harvest
		old.Path, old.Harvest = c.Path, c.Harvest
		a.m.Containers = append(a.m.Containers, old)
	}
	there := len(same) > 0 && c.SHA512 != ""
	if there && same[0].Suffices(c.Version) && (same[0].Segments == 0 || !a.again) {
		keep()
		return nil
	}
	c.In = a.m.Next
	a.m.Next++
	if err := a.w.container(ctx, &c, a.read); err != nil {
		if ctx.Err() == nil && there { // but with an insufficient version
			keep()
		}
		return err
	}
	a.m.Containers = append(a.m.Containers, c)
	a.changed = true
	return nil
}

// Remove removes a package from the index.
func (x *Index) Remove(ctx context.Context, pkg string) error { return x.Add(ctx, pkg, nil, nil) }

// commit writes the writer's lines as a segment, puts the manifest into force, and merges segments
// if there are many.
func (x *Index) commit(ctx context.Context, s *snapshot, m *manifest, w *writer) error {
	if w.lines > 0 {
		n, err := w.write(ctx, s, m)
		if err != nil {
			return err
		}
		m.Segments = append(slices.Clone(m.Segments), n)
	}
	if err := x.force(m); err != nil {
		return err
	}
	return x.tidy(ctx)
}

// force puts a manifest into force, and removes files that it does not name.
func (x *Index) force(m *manifest) error {
	if err := m.write(x.dir); err != nil {
		return err
	}
	x.mu.Lock()
	err := x.refresh()
	x.mu.Unlock()
	if err != nil {
		return err
	}
	return sweep(x.dir, m)
}

// writer collects lines for a segment.
type writer struct {
	dir                string
	captures, payloads sorter
	lines              int64
}

func newWriter(dir string) *writer {
	return &writer{dir: dir, captures: sorter{dir: dir}, payloads: sorter{dir: dir}}
}

func (w *writer) close() {
	w.captures.close()
	w.payloads.close()
}

// container adds the lines of a container.
func (w *writer) container(ctx context.Context, c *Container, read Reading) error {
	c.Captures, c.Unlisted = 0, 0
	return read(ctx, c, func(l *Line) error {
		capture, payloads, err := encodeLine(c.In, l)
		if err != nil {
			return err
		}
		for _, p := range payloads {
			if err := w.payloads.add(p); err != nil {
				return err
			}
		}
		if l.Unlisted {
			c.Unlisted++
		} else {
			c.Captures++
		}
		w.lines++
		return w.captures.add(capture)
	})
}

// write writes the files of a segment. The lines with payloads come first: revisits of the same
// package refer to them.
func (w *writer) write(ctx context.Context, s *snapshot, m *manifest) (named, error) {
	b := builder{dir: w.dir, name: fmt.Sprintf("%06d", m.Next)}
	m.Next++
	if err := b.payloads(ctx, w.payloads.each); err != nil {
		return named{}, err
	}
	own, err := openSegment(b.path(payloadsExt))
	if err != nil {
		return named{}, err
	}
	defer own.close()
	return b.captures(ctx, newResolver(s, m, own), w.captures.each)
}
