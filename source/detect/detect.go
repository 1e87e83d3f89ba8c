package detect

import (
	"cmp"
	"context"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"quire/model"
	"quire/source"
	"quire/source/bare"
	"quire/source/tree"
)

// maxArchives bounds the archives within a source that stay open at the same time.
const maxArchives = 200

// Path is where a harvest lies, for people: the source, the archives in it, the folder in that.
func (f *Found) Path() string { return filepath.Join(f.Tree.Path(), f.Root) }

// detection is what is under way.
type detection struct {
	Options
	*Source
	archives int
}

// detect recognises what lies in each Tree.
func (o Options) detect(ctx context.Context, s *Source) error {
	d := &detection{Options: o, Source: s}
	for _, t := range slices.Clone(s.trees) {
		s.refused(t)
		found, rest, err := d.look(ctx, t, "")
		if err != nil {
			return err
		}
		s.Found = append(s.Found, found...)
		s.Unclaimed = append(s.Unclaimed, rest...)
	}
	return nil
}

// look recognises what lies in one Tree and in the archives in it, and gives the files that are left: first the readers that
// know a system by its own files, then the one of containers that nothing documents.
func (d *detection) look(ctx context.Context, t *tree.Tree, archive string) ([]Found, []Unclaimed, error) {
	var found []Found
	taken := map[string]bool{}
	for _, readers := range [][]source.Reader{d.readers, {bare.Reader{}}} {
		left := t.Only(func(p string) bool { return !taken[p] })
		a, err := arbitrate(ctx, left, readers)
		if err != nil {
			return nil, nil, err
		}
		for _, f := range a.found {
			f.Tree, f.Archive = t, archive
			found = append(found, f)
		}
		for p := range a.taken {
			taken[p] = true
		}
	}
	slices.SortStableFunc(found, func(a, b Found) int {
		return cmp.Or(strings.Compare(a.Root, b.Root), cmp.Compare(rank(a.Reader), rank(b.Reader)))
	})
	var rest []Unclaimed
	for _, f := range t.Files() {
		if taken[f.Path] {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		within, left, why, err := d.nested(ctx, t, f, path.Join(archive, f.Path))
		if err != nil {
			return nil, nil, err
		}
		if within == nil {
			rest = append(rest, Unclaimed{t, f.Path, f.Size, why})
			continue
		}
		d.Opened = append(d.Opened, Archive{t, f.Path, f.Size})
		found, rest = append(found, within...), append(rest, left...)
	}
	return found, rest, nil
}

// nested recognises what lies in a file that is an archive. Without a harvest in it, it is a file like others, and why says of
// which kind.
func (d *detection) nested(ctx context.Context, t *tree.Tree, f tree.File, archive string) (found []Found, rest []Unclaimed, why string, err error) {
	place := filepath.Join(t.Path(), f.Path)
	is, err := t.IsArchive(f.Path)
	if err != nil {
		d.find(tree.FaultTorn, model.Error, place, 0, "cannot be read: %v", err)
		return nil, nil, "it cannot be read", nil
	}
	if !is {
		return nil, nil, "no reader knows it", nil
	}
	if d.archives >= maxArchives {
		d.find(tree.FaultMore, model.Warning, place, 0, "is an archive that was not opened: more than %d lie in this source", maxArchives)
		return nil, nil, "an archive that was not opened", nil
	}
	n, err := t.Nested(f.Path)
	switch {
	case errors.Is(err, tree.ErrDepth):
		d.find(tree.FaultMore, model.Warning, place, 0, "is an archive that was not opened: %v", tree.ErrDepth)
		return nil, nil, "an archive that was not opened", nil
	case err != nil:
		d.find(tree.FaultTorn, model.Error, place, 0, "is an archive that cannot be opened: %v", err)
		return nil, nil, "an archive that cannot be opened", nil
	}
	d.refused(n)
	d.archives++
	opened := len(d.Opened)
	found, rest, err = d.look(ctx, n, archive)
	if err == nil && len(found) > 0 {
		d.trees = append(d.trees, n)
		return found, rest, "", nil
	}
	d.archives--
	d.Opened = d.Opened[:opened]
	return nil, nil, "an archive in which no reader knows anything", errors.Join(err, n.Close())
}
