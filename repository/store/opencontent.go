package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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

// OpenContent opens one file of the newest version of a package where it lies: in the first copy that has it, of those last found
// good before the others. It is not digested: whoever reads it must see for himself that it holds what he wants.
func (s *Store) OpenContent(ctx context.Context, id, path string) (*os.File, error) {
	card, err := s.card(ctx, id)
	if err != nil {
		return nil, err
	}
	e := &export{store: s, card: card}
	if err := e.prepare(ctx, 0); err != nil {
		return nil, err
	}
	digest, known := e.state[path]
	if !known {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	var failed error
	for _, c := range e.copies {
		f, err := openRegular(filepath.Join(c.object(card.Path), filepath.FromSlash(e.content[digest])))
		if err == nil {
			return f, nil
		}
		failed = errors.Join(failed, err)
	}
	return nil, fmt.Errorf("%s of package %s is in no copy: %w", path, id, failed)
}
