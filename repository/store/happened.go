package store

import (
	"context"
	"fmt"
	"slices"

	"quire/model"
	"quire/repository/catalogue"
)

// Happened is something that was done with a package, and changed nothing of what is stored: it was
// handed out, or a part of it.
type Happened struct {
	Type    model.EventType
	Outcome model.EventOutcome // "" is success
	Detail  string             // in a sentence: what the catalogue shows
	// on the outcome: what was handed out, what was not and why. They stand in the event's file
	// only.
	Notes []string
	By    string // who had it done: a name, or an address; "" when nobody is to be named
}

// Record writes an event into the log of a package: into each copy that is there, and into the
// catalogue. The error says when no copy took it, or that it is longer than an event may be (1
// MiB).
func (s *Store) Record(ctx context.Context, id string, h Happened) (catalogue.Event, error) {
	if err := s.Writable(); err != nil {
		return catalogue.Event{}, err
	}
	card, err := s.card(ctx, id)
	if err != nil {
		return catalogue.Event{}, err
	}
	l, err := s.waitRead(ctx, card.Object) // a version that is put in place brings a folder of its own for the log
	if err != nil {
		return catalogue.Event{}, err
	}
	defer l.release()
	e := s.newEvent(h.Type, id, "", h.Detail)
	e.Notes, e.By = h.Notes, h.By
	if h.Outcome != "" {
		e.Outcome = string(h.Outcome)
	}
	text, err := e.marshal()
	if err != nil {
		return catalogue.Event{}, err
	}
	if len(text) > maxEventSize {
		return catalogue.Event{},
			fmt.Errorf("the event %q of package %s takes %d bytes; at most %d are kept: give it fewer notes", h.Type,
				id, len(text), maxEventSize)
	}
	if !slices.ContainsFunc(s.present(), func(c *copyFolder) bool { return exists(c.object(card.Path)) }) {
		return catalogue.Event{},
			fmt.Errorf("no copy of package %s is there, so that the event %q can be written nowhere", id, h.Type)
	}
	if err := s.writeEvent(card.Path, e); err != nil {
		return catalogue.Event{}, err
	}
	return e.Event, s.catalogue.AddEvent(ctx, id, e.Event)
}

// Software is the name and version of the program, as events have it.
func (s *Store) Software() string { return s.software }
