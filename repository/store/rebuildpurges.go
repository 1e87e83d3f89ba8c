package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"quire/repository/ocfl"
)

// purgesFirst catalogues the document of purges before all other objects: a purged package that a copy
// still has must not come back. If no folder has the document whole, it comes from a far copy. The error is a
// [*ChoiceError] if only a person can choose its version.
func (s *Store) purgesFirst(ctx context.Context, far []*copyFolder) (*purges, error) {
	id, err := documentID(PurgesDocument)
	if err != nil {
		return nil, err
	}
	path := ocfl.ObjectPath(id)
	there := slices.ContainsFunc(s.present(), func(c *copyFolder) bool { return exists(c.object(path)) })
	if there {
		err = s.recordObject(ctx, path, nil)
	}
	if err != nil || !there {
		err = s.purgesFromFar(ctx, far, path, err)
	}
	var choice *unchosen
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &choice):
		return nil, &ChoiceError{Objects: []ObjectChoice{choice.ObjectChoice}, Total: 1}
	case err != nil:
		return nil, fmt.Errorf("the document of purges cannot be read, so purged packages could come back: %w", err)
	}
	return s.readPurges(ctx)
}

// purgesFromFar brings the document of purges from a far copy. failed is the error of the folders, which stays if
// no far copy has the document.
func (s *Store) purgesFromFar(ctx context.Context, far []*copyFolder, path string, failed error) error {
	have := false
	for _, c := range far {
		files, err := c.farFiles(ctx, path)
		if err != nil {
			return errors.Join(failed, fmt.Errorf("copy %s: %w", c.name, err))
		}
		have = have || len(files) > 0
	}
	if !have {
		return failed
	}
	pick, err := s.pickFar(ctx, far, path)
	if err != nil {
		return alsoFailed(failed, err)
	}
	return s.restore(ctx, far, pick, path, failed)
}

// clearPurgedFar removes the objects of purged packages that far copies have. One that cannot be removed, such as
// under an object lock, is reported, and never catalogued.
func (s *Store) clearPurgedFar(ctx context.Context, far []*copyFolder, gone *purges) error {
	for _, path := range sortedKeys(gone.byPath) {
		for _, c := range far {
			files, err := c.farFiles(ctx, path)
			if err == nil && len(files) > 0 {
				_, err = s.purgeAgain(ctx, c.name, path)
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				s.addRecovery(Recovery{Package: gone.byPath[path].Package, Outcome: Pending,
					Detail: fmt.Sprintf("it was purged, and is in %s: %v; remove it: quire audit --repair --repo %s",
						c.name, err, s.root)})
			}
		}
	}
	return nil
}
