package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"quire/repository/catalogue"
)

// Contents lists the files of the newest version of a package.
func (s *Store) Contents(ctx context.Context, id string) ([]catalogue.File, error) {
	r, err := s.catalogue.Get(ctx, id)
	if err != nil {
		return nil, s.notFound(id, err)
	}
	if len(r.Versions) == 0 {
		return nil, nil
	}
	return r.Versions[len(r.Versions)-1].Files, nil
}

// OpenContent opens one file of the newest version of a package in place. It uses the first copy
// that has the file, starting with copies last found good. It does not check the digest: the caller
// must do that.
func (s *Store) OpenContent(ctx context.Context, id, path string) (*os.File, error) {
	for f, err := range s.OpenCopies(ctx, id, 0, path) {
		return f, err
	}
	return nil, fmt.Errorf("%s of package %s: %w", path, id, fs.ErrNotExist) // OpenCopies always yields a value
}

// OpenCopies opens one file of a version of a package (0 is the newest) in each copy in turn,
// copies last found good first. The caller can continue with the next copy if the bytes are wrong,
// and closes each file. An error is the last value yielded; if no copy has the file, it is the only
// one.
func (s *Store) OpenCopies(ctx context.Context, id string, version int, path string) iter.Seq2[*os.File, error] {
	return func(yield func(*os.File, error) bool) {
		e, err := s.reading(ctx, id, version)
		if err != nil {
			yield(nil, err)
			return
		}
		digest, known := e.state[path]
		if !known {
			yield(nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist})
			return
		}
		var failed error
		some := false
		for _, c := range e.copies {
			f, err := openRegular(filepath.Join(c.object(e.card.Path), filepath.FromSlash(e.content[digest])))
			if err != nil {
				failed = errors.Join(failed, err)
				continue
			}
			if some = true; !yield(f, nil) {
				return
			}
		}
		if !some {
			yield(nil, s.nowhere(path, id, failed))
		}
	}
}

// nowhere returns the error for a file that no folder has. A far copy is not read for each reader: a
// record of a container would cost the download of the container.
func (s *Store) nowhere(path, id string, failed error) error {
	if len(s.folders()) < len(s.copies) {
		return fmt.Errorf("%s of package %s is in no folder, but perhaps in another copy: quire audit --repair %s: %w",
			path, id, id, failed)
	}
	return fmt.Errorf("%s of package %s is in no copy: %w", path, id, failed)
}

// Views yields a version of a package (0 is the newest) as the folder that was ingested. It yields
// one view for each copy, copies last found good first. Digests are not checked. An error is the
// last value yielded.
func (s *Store) Views(ctx context.Context, id string, version int) iter.Seq2[fs.FS, error] {
	return func(yield func(fs.FS, error) bool) {
		e, err := s.reading(ctx, id, version)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, c := range e.copies {
			v := &view{files: map[string]string{}}
			for path, digest := range e.state {
				v.files[path] = filepath.Join(c.object(e.card.Path), filepath.FromSlash(e.content[digest]))
			}
			if !yield(v, nil) {
				return
			}
		}
	}
}

// reading returns the files of a version of a package, and the order of the copies.
func (s *Store) reading(ctx context.Context, id string, version int) (*export, error) {
	card, err := s.card(ctx, id)
	if err != nil {
		return nil, err
	}
	e := &export{store: s, card: card}
	return e, e.prepare(ctx, version)
}

// Changes returns a number that differs after any process has written to the catalogue. It is cheap
// to call often.
func (s *Store) Changes(ctx context.Context) (int64, error) { return s.catalogue.Changes(ctx) }

// Packages yields the catalogue row of each package, and of no document, sorted by id, without reading its copies. The
// error is the last value yielded.
func (s *Store) Packages(ctx context.Context) iter.Seq2[catalogue.Package, error] {
	return func(yield func(catalogue.Package, error) bool) {
		for p, err := range s.catalogue.Packages(ctx) {
			if err == nil && p.IsDocument() {
				continue
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// Heads yields the newest version of each package, as [Store.Packages] does, but faster.
func (s *Store) Heads(ctx context.Context) iter.Seq2[catalogue.Head, error] {
	return func(yield func(catalogue.Head, error) bool) {
		for n, err := range s.catalogue.Heads(ctx) {
			if _, is := catalogue.DocumentName(n.Object); err == nil && is {
				continue
			}
			if !yield(n, err) {
				return
			}
		}
	}
}

// Row returns the catalogue row of a package, or an error that is [ErrNotFound].
func (s *Store) Row(ctx context.Context, id string) (catalogue.Package, error) {
	p, err := s.catalogue.Package(ctx, id)
	return p, s.notFound(id, err)
}

// History returns the catalogue record of a package, or an error that is [ErrNotFound].
func (s *Store) History(ctx context.Context, id string) (catalogue.Record, error) {
	r, err := s.catalogue.Get(ctx, id)
	return r, s.notFound(id, err)
}
