package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quire/model"
	"quire/repository/catalogue"
)

// recordObject writes the state of an object in the copies into the catalogue, and replaces the earlier
// record. Ingest, recovery, repair and rebuild all end here, so their results are equal. It reads the
// copies in verified first: they have just been read back.
func (s *Store) recordObject(ctx context.Context, path string, verified []*copyFolder) error {
	o, err := s.bestObject(ctx, path, verified)
	if err != nil {
		return err
	}
	record, err := s.makeRecord(ctx, o, path)
	if err != nil {
		return err
	}
	if err := s.disk.allow("catalogue", path); err != nil {
		return err
	}
	return s.catalogue.Put(ctx, record)
}

// bestObject finds the copy to trust. In a rebuild, or where copies differ, the register decides. Of the copies
// with an inventory that matches its sidecar, it selects the newest version, and among those the
// inventory of the majority. It compares only
// complete inventories; the audit checks the bytes. Among equal inventories it takes a verified copy, if
// there is one.
func (s *Store) bestObject(ctx context.Context, path string, verified []*copyFolder) (*object, error) {
	votes := map[string]int{}
	found := map[string]*object{}
	var errs []error
	present := s.present()
	slices.SortStableFunc(present, func(a, b *copyFolder) int {
		return rank(!slices.Contains(verified, a)) - rank(!slices.Contains(verified, b))
	})
	for _, c := range present {
		o, err := openObject(c.object(path))
		if err != nil {
			errs = append(errs, fmt.Errorf("copy %s: %w", c.name, err))
			continue
		}
		votes[o.sum]++
		if first := found[o.sum]; first != nil {
			first.others = append(first.others, o.dir)
		} else {
			found[o.sum] = o
		}
	}
	if len(found) > 0 && (s.rebuilding || len(found) > 1) && s.registered() {
		var err error
		if found, err = s.undisputed(ctx, path, found); err != nil {
			return nil, err
		}
	}
	var best *object
	for _, o := range found {
		if best == nil || better(o, best, votes) {
			best = o
		}
	}
	if best == nil {
		return nil, fmt.Errorf("no copy has a readable object at %s: %w", path, errors.Join(errs...))
	}
	return best, nil
}

func better(a, b *object, votes map[string]int) bool {
	if a.head() != b.head() {
		return a.head() > b.head()
	}
	if votes[a.sum] != votes[b.sum] {
		return votes[a.sum] > votes[b.sum]
	}
	return a.sum < b.sum // any fixed order
}

// makeRecord builds the catalogue record of an object.
func (s *Store) makeRecord(ctx context.Context, o *object, path string) (catalogue.Record, error) {
	pkg, err := s.describeVersion(o, o.inventory.Head)
	if err != nil {
		return catalogue.Record{}, err
	}
	if _, document := catalogue.DocumentName(o.inventory.ID); !document && objectID(pkg.ID) != o.inventory.ID {
		return catalogue.Record{}, fmt.Errorf("%s is object %s, but its METS belongs to package %s", o.dir, o.inventory.ID,
			pkg.ID)
	}
	r := catalogue.Record{Package: catalogue.Package{
		ID: pkg.ID, Object: o.inventory.ID, Path: path, Title: pkg.Title, Profile: pkg.Profile, METS: pkg.METS,
		Head:      o.head(),
		Inventory: o.sum, Created: pkg.Created, First: pkg.First, Last: pkg.Last, Containers: pkg.Containers,
		Records: pkg.Records,
	}, Numbers: pkg.Numbers, Members: pkg.Members}
	for n := 1; n <= o.head(); n++ {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		v, err := s.makeVersion(o, n, pkg)
		if err != nil {
			return r, err
		}
		r.Versions = append(r.Versions, v)
	}
	newest := r.Versions[len(r.Versions)-1]
	r.Package.Stored = r.Versions[0].Created
	r.Package.Files, r.Package.Bytes = int64(len(newest.Files)), newest.Bytes
	events, err := s.eventsOf(ctx, o, path)
	if err != nil {
		return r, err
	}
	lines, err := s.linesOf(ctx, pkg.ID, o.inventory.ID, path)
	if err != nil {
		return r, err
	}
	events = append(events, lines...)
	slices.SortFunc(events, func(a, b event) int { return strings.Compare(a.File, b.File) })
	for _, e := range events {
		line := e.Event
		line.Copy = copyOf(e.Copy)
		r.Events = append(r.Events, line)
	}
	r.Copies, err = s.copyStates(ctx, pkg.ID, events)
	return r, err
}

// eventsOf returns the events of an object. A rebuild takes only those that the register has.
func (s *Store) eventsOf(ctx context.Context, o *object, path string) ([]event, error) {
	events := readEvents(s.present(), path)
	if !s.rebuilding || !s.registered() {
		return events, nil
	}
	k, err := s.known(ctx, o.inventory.ID, path)
	if err != nil {
		return nil, err
	}
	texts := k.events(objectsIn(s.present(), path))
	return slices.DeleteFunc(events, func(e event) bool { return texts[e.File] == nil }), nil
}

// makeVersion lists the files of one version. head is the description of the newest version.
func (s *Store) makeVersion(o *object, n int, head model.Package) (catalogue.Version, error) {
	name := versionName(n)
	pkg := head
	if name != o.inventory.Head {
		var err error
		if pkg, err = s.describeVersion(o, name); err != nil {
			return catalogue.Version{}, err
		}
	}
	uses := make(map[string]string, len(pkg.Files))
	for _, f := range pkg.Files {
		uses[f.Path] = f.Use
	}
	var sum string
	err := o.inAny(func(dir string) (err error) {
		_, sum, err = readInventory(filepath.Join(dir, name))
		return err
	})
	if err != nil {
		return catalogue.Version{}, err
	}
	stated := o.inventory.Versions[name]
	v := catalogue.Version{Number: n, Created: stated.Created.UTC(), Message: stated.Message, Inventory: sum}
	sizes, err := o.sizes()
	if err != nil {
		return v, err
	}
	state := o.state(name)
	for _, path := range slices.Sorted(maps.Keys(state)) {
		digest := state[path]
		v.Files = append(v.Files, catalogue.File{Path: path, Size: sizes[digest], SHA512: digest, Use: uses[path]})
		v.Bytes += sizes[digest]
	}
	return v, nil
}

// sizes returns the size of the bytes of each digest.
func (o *object) sizes() (map[string]int64, error) {
	sizes := make(map[string]int64, len(o.inventory.Manifest))
	for digest, path := range o.content() {
		err := o.inAny(func(dir string) error {
			info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(path)))
			if err == nil {
				sizes[digest] = info.Size()
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return sizes, nil
}

// copyStates derives the last known state of each copy from the events, which are files or lines of records. A
// copy without events does not have the package.
func (s *Store) copyStates(ctx context.Context, id string, events []event) ([]catalogue.Copy, error) {
	states := map[string]catalogue.Copy{}
	for _, c := range s.copies {
		states[c.name] = catalogue.Copy{Name: c.name, Status: catalogue.Missing}
	}
	for _, e := range events {
		k, ok := states[copyOf(e.Copy)]
		if !ok || e.Status == "" {
			continue
		}
		if k.Status != e.Status || k.Since.IsZero() {
			k.Since = e.Time
		}
		k.Status = e.Status
		if e.Status.WasRead() {
			k.Checked = e.Time
		}
		states[k.Name] = k
	}
	known, err := s.catalogue.Copies(ctx, id)
	if err != nil {
		return nil, err
	}
	for _, old := range known { // audits that found no change left no event
		if k, ok := states[old.Name]; ok && old.Checked.After(k.Checked) {
			k.Checked = old.Checked
			states[k.Name] = k
		}
	}
	return slices.SortedFunc(maps.Values(states), func(a, b catalogue.Copy) int {
		return strings.Compare(a.Name, b.Name)
	}), nil
}
