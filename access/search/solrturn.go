package search

import (
	"context"
	"errors"
	"fmt"

	"quire/holdings"
	"quire/repository/store"
)

// turn gets the exclusive right to change the collections in Solr: in this process, on this machine, and on the
// machines that share the repository's database. The caller ends it.
func (s *Solr) turn(ctx context.Context) (t *holdings.Turn, end func(), err error) {
	unlock, err := s.lock()
	if err != nil {
		return nil, nil, err
	}
	t, err = s.house.Turn(ctx, "text index in Solr", "index")
	if err != nil {
		unlock()
		var busy *store.BusyError
		if errors.As(err, &busy) {
			err = fmt.Errorf("%w: %w", ErrBusy, err)
		}
		return nil, nil, err
	}
	return t, func() {
		t.Release()
		unlock()
	}, nil
}
