package detect

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
	"quire/source/bare"
	"quire/source/browsertrix"
	"quire/source/heritrix"
	"quire/source/httrack"
	"quire/source/plain"
	"quire/source/saved"
	"quire/source/wget"
)

// Path returns the location of a harvest for people: the source, the archives in it, and the folder
// in the archive. For a single file it is the file.
func (f *Found) Path() string {
	if len(f.Files) == 1 {
		return filepath.Join(f.Tree.Path(), f.Files[0])
	}
	return filepath.Join(f.Tree.Path(), f.Root)
}

// detection is a detection in progress.
type detection struct {
	Options
	*Source
	site   plain.Reader
	within int // number of open archives within
}

// run detects the harvests in each Tree.
func (d *detection) run(ctx context.Context) error {
	for _, t := range slices.Clone(d.trees) {
		d.refused(t)
		l := &look{detection: d, tree: t, taken: map[string]bool{}}
		if err := l.all(ctx, true); err != nil {
			return err
		}
		d.Found = append(d.Found, l.found...)
		d.Unclaimed = append(d.Unclaimed, l.unclaimed...)
	}
	return nil
}

// look is the detection in one Tree and in the archives in it.
type look struct {
	*detection
	tree      *archivefs.Tree
	archive   string // path of the Tree within the source, if it is an archive there
	taken     map[string]bool
	found     []Found
	unclaimed []Unclaimed
}

// all runs the readers in order: first those that recognise a system by its folders, then those
// that recognise single files, then the reader for undocumented containers. Then it opens archives.
// A folder is a website only if no other reader recognises it.
func (l *look) all(ctx context.Context, sites bool) error {
	for _, readers := range [][]source.Reader{l.readers,
		{heritrix.Loose{}, httrack.Loose{}, wget.Loose{}, browsertrix.Loose{}, saved.Reader{}}, {bare.Reader{}}} {
		if err := l.runReaders(ctx, readers...); err != nil {
			return err
		}
	}
	why := map[string]string{} // by path, for unclaimed files
	if err := l.archives(ctx, false, why); err != nil {
		return err
	}
	if sites {
		site := l.site
		site.Taken = l.holdsTaken()
		before := len(l.found)
		if err := l.runReaders(ctx, site); err != nil {
			return err
		}
		l.reportDownloads(l.found[before:])
		if err := l.archives(ctx, true, why); err != nil {
			return err
		}
	}
	for _, f := range l.tree.Files() {
		if !l.taken[f.Path] {
			l.unclaimed = append(l.unclaimed, Unclaimed{l.tree, f.Path, f.Size, why[f.Path]})
		}
	}
	slices.SortStableFunc(l.found, func(a, b Found) int {
		return cmp.Or(strings.Compare(path.Join(a.Archive, a.Root), path.Join(b.Archive, b.Root)),
			cmp.Compare(rank(a.Reader), rank(b.Reader)))
	})
	return nil
}

// runReaders runs readers on the files that are not taken.
func (l *look) runReaders(ctx context.Context, readers ...source.Reader) error {
	left := l.tree.Only(func(p string) bool { return !l.taken[p] })
	a, err := arbitrate(ctx, left, readers, func(reader string, err error) {
		l.find(archivefs.FaultTorn, model.Error, l.tree.Path(), 0, "the reader of %s could not look through it: %v",
			reader, err)
	})
	if err != nil {
		return err
	}
	for _, f := range a.found {
		f.Tree, f.Archive = l.tree, l.archive
		l.found = append(l.found, f)
	}
	for p := range a.taken {
		l.taken[p] = true
	}
	return nil
}
