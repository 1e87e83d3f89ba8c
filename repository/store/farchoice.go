package store

import (
	"context"
	"errors"
	"fmt"

	"quire/repository/catalogue"
	"quire/repository/ocfl"
)

// chooseFar returns the far copy of each object that the new catalogue lacks, by the path of the object: the one
// with the newest version. It writes nothing. The error is a [*ChoiceError] if far copies contradict each other.
func (s *Store) chooseFar(ctx context.Context, gone *purges) (map[string]*copyFolder, error) {
	chosen := map[string]*copyFolder{}
	far := s.farPresent()
	var open ChoiceError
	for _, c := range far {
		err := c.farObjects(ctx, func(path string) error {
			if chosen[path] != nil || gone.byPath[path] != nil {
				return nil
			}
			if _, err := s.catalogue.AtPath(ctx, path); !errors.Is(err, catalogue.ErrNotFound) {
				return err
			}
			newest, choice := s.newestFar(ctx, far, c, path)
			if choice != nil {
				open.add(*choice)
			}
			chosen[path] = newest
			return ctx.Err()
		})
		if err != nil {
			return nil, fmt.Errorf("copy %s: %w", c.name, err)
		}
	}
	if open.Total > 0 {
		return nil, &open
	}
	return chosen, nil
}

// newestFar returns the far copy with the newest version of an object. Without any readable inventory it returns
// first, whose restore then reports the error. Different inventories of the newest version are a choice, unless
// one of them is in the trusted copy.
func (s *Store) newestFar(ctx context.Context, far []*copyFolder, first *copyFolder, path string) (*copyFolder,
	*ObjectChoice) {
	best, head, sums := first, 0, map[string]bool{}
	choice := &ObjectChoice{onlyFar: true}
	trusted := false
	for _, c := range far {
		text, sum, err := c.farInventory(ctx, path)
		if err != nil {
			continue
		}
		inv, err := ocfl.ParseInventory(text)
		if err != nil || ocfl.ObjectPath(inv.ID) != path {
			continue
		}
		choice.Object = inv.ID
		choice.Copies = append(choice.Copies, c.name+" has "+inv.Head)
		n := (&object{inventory: inv}).head()
		if c.name == s.trust {
			best, head, sums, trusted = c, n, map[string]bool{sum: true}, true
		}
		if trusted || n < head {
			continue
		}
		if n > head {
			best, head, sums = c, n, map[string]bool{}
		}
		sums[sum] = true
	}
	if len(sums) > 1 {
		return best, choice
	}
	return best, nil
}
