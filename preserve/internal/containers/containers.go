// Package containers lists the ARC and WARC files that lie in a source: a folder, an archive,
// archives within those, single files.
package containers

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"quire/internal/archivefs"
	"quire/internal/atomicdir"
	"quire/preserve/inspect"
	"quire/source/detect"
)

// List is what was found. It must stay open while containers are read.
type List struct {
	Source *detect.Source
	All    []Container

	places map[string]*archivefs.Tree // by path, the Tree that it lies in
}

// Container is a file that begins like a container, or has the name of one.
type Container struct {
	Path string // below what was named; archives that were opened on the way are folders
	tree *archivefs.Tree
	name string // within the Tree
}

// Open lists the containers at the paths. There may be none.
func Open(ctx context.Context, o detect.Options, paths ...string) (*List, error) {
	s, err := o.Open(ctx, paths...)
	if err != nil {
		return nil, err
	}
	l := &List{Source: s, places: map[string]*archivefs.Tree{}}
	if err := l.fill(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return l, nil
}

// fill lists the files of harvests first, then those that belong to none.
func (l *List) fill() error {
	for i := range l.Source.Found {
		for _, p := range l.Source.Found[i].Files {
			if err := l.add(l.Source.Found[i].Tree, p); err != nil {
				return err
			}
		}
	}
	for _, u := range l.Source.Unclaimed {
		if err := l.add(u.Tree, u.Path); err != nil {
			return err
		}
	}
	return nil
}

// add lists a file, if it is a container.
func (l *List) add(t *archivefs.Tree, name string) error {
	if t.Find(name) == nil {
		return nil // a harvest may list what is missing
	}
	if strings.HasPrefix(name, atomicdir.Prefix) || strings.Contains(name, "/"+atomicdir.Prefix) {
		return nil // an interrupted run of ours was making it, or another one is
	}
	content, err := t.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }() // it was only read
	if !inspect.Recognise(name, content) {
		return nil
	}
	where := l.within(t, name)
	if other, twice := l.places[where]; twice {
		if other == t {
			return nil // a file may document two harvests
		}
		return fmt.Errorf("%s is there twice, in %s and in %s: name one source at a time", where, other.Path(),
			t.Path())
	}
	l.places[where] = t
	l.All = append(l.All, Container{where, t, name})
	return nil
}

// within is the path of a file below what was named.
func (l *List) within(t *archivefs.Tree, name string) string {
	for _, given := range l.Source.Paths {
		if rel, err := filepath.Rel(given, t.Path()); err == nil && rel != "." && filepath.IsLocal(rel) {
			return path.Join(filepath.ToSlash(rel), name)
		}
	}
	return strings.TrimPrefix(path.Clean("/"+name), "/")
}

// Close closes the source.
func (l *List) Close() error { return l.Source.Close() }

// Open opens the container.
func (c *Container) Open() (archivefs.Content, error) { return c.tree.Open(c.name) }

// Size is how long it is as stored, in bytes.
func (c *Container) Size() int64 { return c.tree.Find(c.name).Size }

// Place is where it lies, for people: below the folder or archive that was opened.
func (c *Container) Place() string { return path.Join(filepath.ToSlash(c.tree.Path()), c.name) }

// OnDisk is the path of the file; false when it lies in an archive, and has none.
func (c *Container) OnDisk() (string, bool) {
	if k := c.tree.Kind(); k != archivefs.Folder && k != archivefs.Virtual {
		return "", false
	}
	return filepath.Join(c.tree.Path(), filepath.FromSlash(c.name)), true
}
