package store

import (
	"context"
	"fmt"
	"slices"

	"quire/model"
	"quire/repository/catalogue"
)

// Action is an action on a package that changed no stored content: an export of the package or a
// part of it.
type Action struct {
	Type    model.EventType
	Outcome model.EventOutcome // "" is success
	Detail  string             // one sentence, which the catalogue shows
	// Notes describe the outcome: the exported content, and the withheld content with the reasons.
	// They are only in the event's file.
	Notes []string
	By    string // the person responsible: a name or an address; "" for none
}

// Record writes an event into the log of a package: into each available copy and into the
// catalogue. The error reports that no copy could write it, or that it exceeds the limit of an
// event (1 MiB).
func (s *Store) Record(ctx context.Context, id string, h Action) (catalogue.Event, error) {
	if err := s.Writable(); err != nil {
		return catalogue.Event{}, err
	}
	card, err := s.card(ctx, id)
	if err != nil {
		return catalogue.Event{}, err
	}
	l, err := s.waitRead(ctx, card.Object) // installing a version replaces the log folder
	if err != nil {
		return catalogue.Event{}, err
	}
	defer l.release()
	e := s.newEvent(h.Type, id, "", h.Detail)
	e.Notes, e.By = h.Notes, h.By
	if h.Outcome != "" {
		e.Outcome = string(h.Outcome)
	}
	if err := s.follow(ctx, card.Path, &e); err != nil {
		return catalogue.Event{}, err
	}
	text, err := e.marshal()
	if err != nil {
		return catalogue.Event{}, err
	}
	if len(text) > maxEventSize {
		return catalogue.Event{},
			fmt.Errorf("the event %q of package %s has %d bytes; the limit is %d: shorten its notes", h.Type,
				id, len(text), maxEventSize)
	}
	if !slices.ContainsFunc(s.present(), func(c *copyFolder) bool { return exists(c.object(card.Path)) }) {
		return catalogue.Event{},
			fmt.Errorf("no copy of package %s is available, so the event %q cannot be written", id, h.Type)
	}
	err = s.recordEvents(ctx, []objectEvent{{card.Object, card.Path, e}}, func() error {
		return s.catalogue.AddEvent(ctx, id, e.Event)
	})
	return e.Event, err
}

// Software returns the name and version of the program, as used in events.
func (s *Store) Software() string { return s.software }
