package stored

import (
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"quire/internal/disk"
	"quire/preserve/aip"
	"quire/preserve/capturelines"
	"quire/repository/catalogue"
	"quire/repository/store"
)

// Lines reads what the pass wrote down of stored containers (preserve/capturelines). It is not safe for concurrent use.
type Lines struct {
	store *store.Store

	pkg     string // whose files are known
	version int
	files   map[string]catalogue.File // containers and lines, by path
}

// NewLines reads in a repository.
func NewLines(s *store.Store) *Lines { return &Lines{store: s} }

// Read gives the lines of a container of a version of a package (0 is the newest), and how the file of them begins. Nothing is given, and
// no header, when there is no such file, or records do not lie alone, or when it is not believed: it has not the digest that was stored, in no
// copy; it is of other bytes than the container; a line of it could not be of that. tell is told of the latter. No line is given before all were looked at.
//
// The error is that of visit, or of ctx, or one after which some lines were given.
func (l *Lines) Read(ctx context.Context, pkg string, version int, container string, tell func(error), visit func(*capturelines.Line) error) (*capturelines.Header, error) {
	if err := l.look(ctx, pkg, version); err != nil {
		return nil, err
	}
	c, known := l.files[container]
	f, there := l.files[aip.IndexOf(container)]
	if !known || !there || c.Use != aip.UseContainers || f.Use != aip.UseIndexes {
		return nil, nil
	}
	of := capturelines.Container{Path: container, Size: c.Size, SHA512: c.SHA512}
	for file, err := range l.store.OpenCopies(ctx, pkg, version, f.Path) {
		if err == nil {
			err = believe(ctx, file, f.SHA512, of)
		}
		if err == nil {
			h, err := again(ctx, file, of, visit)
			return h, errors.Join(err, file.Close())
		}
		if file != nil {
			err = fmt.Errorf("%s: %w", file.Name(), err)
			_ = file.Close() // it was only read
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if errors.Is(err, errNotAlone) {
			return nil, nil // nothing is wrong with that
		}
		if tell != nil {
			tell(fmt.Errorf("package %s: %w; the container %s is read instead", pkg, err, container))
		}
	}
	return nil, nil
}

// look brings the list of files.
func (l *Lines) look(ctx context.Context, pkg string, version int) error {
	if l.files != nil && l.pkg == pkg && l.version == version {
		return nil
	}
	r, err := l.store.History(ctx, pkg)
	if err != nil {
		return err
	}
	l.pkg, l.version, l.files = pkg, version, map[string]catalogue.File{}
	for i, v := range r.Versions {
		if v.Number != version && (version != 0 || i != len(r.Versions)-1) {
			continue
		}
		for _, f := range v.Files {
			if f.Use == aip.UseContainers || f.Use == aip.UseIndexes {
				l.files[f.Path] = f
			}
		}
	}
	return nil
}

// believe looks whether a file is as it was stored, and all of it could be of that container.
func believe(ctx context.Context, f *os.File, stored string, of capturelines.Container) error {
	sum := sha512.New()
	in := io.TeeReader(&disk.Counted{Ctx: ctx, From: f}, sum)
	_, wrong := capturelines.Read(in, of, alone)
	if _, err := io.Copy(io.Discard, in); err != nil {
		return err
	}
	if is := hex.EncodeToString(sum.Sum(nil)); is != stored {
		return fmt.Errorf("this copy has other bytes than were stored (SHA-512 %s, stored was %s): audit the repository", is, stored)
	}
	return wrong
}

// errNotAlone says that a record does not lie alone, so that what its line says cannot be looked at without reading the container.
var errNotAlone = errors.New("a record does not lie alone in its member")

func alone(l *capturelines.Line) error {
	if l.Stored <= 0 {
		return errNotAlone
	}
	return nil
}

// again gives what was looked at.
func again(ctx context.Context, f *os.File, of capturelines.Container, visit func(*capturelines.Line) error) (*capturelines.Header, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return capturelines.Read(&disk.Counted{Ctx: ctx, From: f}, of, visit)
}
