package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"quire/model"
	"quire/repository/catalogue"
)

// settleRefills finishes what failed batches of this process left, or killed processes: notes of events, and records.
func (s *Store) settleRefills(ctx context.Context) error {
	keys, err := s.journalKeys()
	if err != nil {
		return err
	}
	keys = slices.DeleteFunc(keys, func(key string) bool { return !strings.HasPrefix(key, eventsPrefix) })
	if _, err = s.recoverChanges(ctx, keys); err == nil {
		err = s.settleRuns(ctx)
	}
	if err == nil {
		err = s.importAudits(ctx)
	}
	return err
}

// cameBack reports whether a copy that is known to lack a package has its object: a refill that was killed
// wrote it, or a person.
func (r *repair) cameBack(known *facts) bool {
	for _, c := range r.present {
		if known.Copies[c.name] == catalogue.Missing && exists(c.object(r.card.Path)) {
			return true
		}
	}
	return false
}

// confirmGood records that copies are good that a repair read in full, and that the catalogue has in another
// state. The caller holds no lock of the object.
func (s *Store) confirmGood(ctx context.Context, card catalogue.Package, good []string) error {
	held, err := s.catalogue.Copies(ctx, card.ID)
	if err != nil {
		return err
	}
	var list []objectEvent
	for _, k := range held {
		if k.Status == catalogue.Good || !slices.Contains(good, k.Name) {
			continue
		}
		e := s.newEvent(model.FixityCheck, card.ID, k.Name,
			fmt.Sprintf("read in %s: 0 problems; it was %s before and is %s now", k.Name, k.Status, catalogue.Good))
		e.Status = catalogue.Good
		if err := s.follow(ctx, card.Path, &e); err != nil {
			return err
		}
		list = append(list, objectEvent{card.Object, card.Path, e})
	}
	if len(list) == 0 {
		return nil
	}
	return s.recordEvents(ctx, list, func() error {
		var states []catalogue.State
		for _, e := range list {
			line := e.Event
			line.Copy = copyOf(e.Copy)
			states = append(states, catalogue.State{Package: card.ID, Copy: line.Copy, Status: e.Status, Event: line})
		}
		return s.catalogue.SetStates(ctx, states)
	})
}
