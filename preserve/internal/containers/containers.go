// Package containers lists the ARC and WARC files of a source: a folder, an archive, archives
// within it, or single files.
package containers

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"

	"quire/internal/archivefs"
	"quire/internal/atomicdir"
	"quire/preserve/inspect"
	"quire/source/detect"
)

// List is a list of containers. It must stay open while they are read.
type List struct {
	Source *detect.Source
	All    []Container
	Beside []Container // other files of the harvests: logs, seeds, reports, configurations, indexes

	places map[string]*archivefs.Tree // by path, the Tree of the container
}

// Container is a file that begins like a container, or has the name of one. In List.Beside it is another file.
type Container struct {
	Path string // below the named source; opened archives count as folders
	tree *archivefs.Tree
	name string // within the Tree
}

// Open lists the containers at the paths. The list may be empty.
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

// fill lists the files of harvests first, then those without a harvest.
func (l *List) fill() error {
	for i := range l.Source.Found {
		for _, p := range l.Source.Found[i].Files {
			if err := l.add(l.Source.Found[i].Tree, p, true); err != nil {
				return err
			}
		}
	}
	for _, u := range l.Source.Unclaimed {
		if err := l.add(u.Tree, u.Path, false); err != nil {
			return err
		}
	}
	return nil
}

// add adds a file, if it is a container, or documents a harvest.
func (l *List) add(t *archivefs.Tree, name string, documents bool) error {
	if t.Find(name) == nil {
		return nil // a harvest may list missing files
	}
	if strings.HasPrefix(name, atomicdir.Prefix) || strings.Contains(name, "/"+atomicdir.Prefix) {
		return nil // the temporary file of an interrupted or running call of Quire
	}
	content, err := t.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }() // it was only read
	container := inspect.Recognise(name, content)
	if !container && !documents {
		return nil
	}
	where := l.within(t, name)
	if other, twice := l.places[where]; twice {
		if other == t {
			return nil // a file may document two harvests
		}
		return fmt.Errorf("%s exists twice, in %s and in %s: name one source at a time", where, other.Path(),
			t.Path())
	}
	l.places[where] = t
	if container {
		l.All = append(l.All, Container{where, t, name})
	} else {
		l.Beside = append(l.Beside, Container{where, t, name})
	}
	return nil
}

// within returns the path of a file below the named source.
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

// Modified returns the time of the last change; zero if unknown.
func (c *Container) Modified() time.Time { return c.tree.Find(c.name).Modified }

// Size returns the stored size in bytes.
func (c *Container) Size() int64 { return c.tree.Find(c.name).Size }

// Place returns the location for people: below the opened folder or archive.
func (c *Container) Place() string { return path.Join(filepath.ToSlash(c.tree.Path()), c.name) }

// OnDisk returns the path of the file; false if it is in an archive and has none.
func (c *Container) OnDisk() (string, bool) {
	if k := c.tree.Kind(); k != archivefs.Folder && k != archivefs.Virtual {
		return "", false
	}
	return filepath.Join(c.tree.Path(), filepath.FromSlash(c.name)), true
}
