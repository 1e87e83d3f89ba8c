package dedup

import (
	"context"
	"iter"
	"os"
	"path"

	"quire/internal/archivefs"
	"quire/preserve/internal/containers"
	"quire/source/detect"
)

// Folder is a Holding of the containers in a source: a folder, an archive, archives within it, or a
// single file.
type Folder struct {
	list   *containers.List
	source *detect.Source
	found  []Held
	places map[string]*containers.Container // by path
	beside []containers.Container           // other files of the harvests
}

// OpenFolder lists the containers at the paths. The list may be empty.
func OpenFolder(ctx context.Context, paths ...string) (*Folder, error) {
	l, err := containers.Open(ctx, detect.Options{}, paths...)
	if err != nil {
		return nil, err
	}
	f := &Folder{list: l, source: l.Source, beside: l.Beside, places: map[string]*containers.Container{}}
	for i := range l.All {
		c := &l.All[i]
		f.places[c.Path] = c
		f.found = append(f.found, Held{Path: c.Path, Name: path.Base(c.Path)})
	}
	return f, nil
}

// Empty reports whether the folder has no containers.
func (f *Folder) Empty() bool { return len(f.found) == 0 }

// Containers implements Holding.
func (f *Folder) Containers(context.Context) iter.Seq2[Held, error] {
	return func(yield func(Held, error) bool) {
		for _, h := range f.found {
			if !yield(h, nil) {
				return
			}
		}
	}
}

// Open implements Holding.
func (f *Folder) Open(name string) (archivefs.Content, error) {
	c, known := f.places[name]
	if !known {
		return nil, &os.PathError{Op: "open", Path: name, Err: os.ErrNotExist}
	}
	return c.Open()
}

// Close implements Holding.
func (f *Folder) Close() error { return f.list.Close() }
