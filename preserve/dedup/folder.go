package dedup

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"

	"quire/preserve/inspect"
	"quire/source/detect"
	"quire/source/tree"
)

// Folder is a Holding of the containers that lie in a source: a folder, an archive, archives within those, a single file.
type Folder struct {
	source *detect.Source
	found  []Held
	places map[string]placed // by path
}

// placed is where a container lies.
type placed struct {
	tree *tree.Tree
	path string
}

// OpenFolder lists the containers at the paths. There may be none.
func OpenFolder(ctx context.Context, paths ...string) (*Folder, error) {
	s, err := detect.Open(ctx, paths...)
	if err != nil {
		return nil, err
	}
	f := &Folder{source: s, places: map[string]placed{}}
	for i := range s.Found {
		for _, p := range s.Found[i].Files {
			if err := f.add(s.Found[i].Tree, p); err != nil {
				return nil, closing(f, err)
			}
		}
	}
	for _, u := range s.Unclaimed {
		if err := f.add(u.Tree, u.Path); err != nil {
			return nil, closing(f, err)
		}
	}
	return f, nil
}

// closing closes what is of no use after an error.
func closing(f *Folder, err error) error {
	_ = f.Close() // it was only read, and the error is told
	return err
}

// add lists a file, if it is a container.
func (f *Folder) add(t *tree.Tree, name string) error {
	if t.Find(name) == nil {
		return nil // a harvest may list what is missing
	}
	content, err := t.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }() // it was only read
	if !inspect.Recognise(name, content) {
		return nil
	}
	where := f.within(t, name)
	if other, twice := f.places[where]; twice {
		if other.tree == t {
			return nil // a file may document two harvests
		}
		return fmt.Errorf("%s is there twice, in %s and in %s: name one source at a time", where, other.tree.Path(), t.Path())
	}
	f.places[where] = placed{t, name}
	f.found = append(f.found, Held{Path: where, Name: path.Base(name), State: "read"})
	return nil
}

// within is the path of a file below what was named: archives that were opened on the way are folders.
func (f *Folder) within(t *tree.Tree, name string) string {
	for _, given := range f.source.Paths {
		if rel, err := filepath.Rel(given, t.Path()); err == nil && rel != "." && filepath.IsLocal(rel) {
			return path.Join(filepath.ToSlash(rel), name)
		}
	}
	return strings.TrimPrefix(path.Clean("/"+name), "/")
}

// Empty says that there is no container.
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
func (f *Folder) Open(name string) (tree.Content, error) {
	p, known := f.places[name]
	if !known {
		return nil, &os.PathError{Op: "open", Path: name, Err: os.ErrNotExist}
	}
	return p.tree.Open(p.path)
}

// Cache implements Holding: a folder is read anew, for nobody says when it changes.
func (f *Folder) Cache() string { return "" }

// Close implements Holding.
func (f *Folder) Close() error { return f.source.Close() }
