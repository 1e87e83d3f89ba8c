package withdrawal

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"quire/access/search"
	"quire/access/thumbnail"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/rights"
	"quire/model"
	"quire/preserve/statements"
	"quire/repository/catalogue"
	"quire/repository/store"
)

// HeldError reports that a search engine for others still holds content that is closed. The withdrawal itself
// is complete.
type HeldError struct{ Err error }

// Error implements error.
func (e *HeldError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *HeldError) Unwrap() error { return e.Err }

// textFolder is the folder of the text index, below the data derived for readers.
const textFolder = "text"

// complete counts the captures of a withdrawal, deletes them from a search engine that others ask, records the
// events that are missing, and returns the certificate. With a [HeldError] the certificate is complete, too.
func complete(ctx context.Context, s *store.Store, open Opener, w rights.Withdrawal) (*Certificate, error) {
	h, err := open()
	if err != nil {
		return nil, err
	}
	counts, err := count(ctx, h, &w)
	if err != nil {
		return nil, err
	}
	var held error
	if w.Lifted == nil {
		if err := errors.Join(thumbnail.Clear(h.Dir()), thumbnail.ClearShots(ctx, h.Dir(), h)); err != nil {
			return nil, fmt.Errorf("removing the thumbnails: %w", err)
		}
		held = search.Takedown(ctx, filepath.Join(h.Dir(), textFolder), h, slices.Sorted(maps.Keys(counts)), false)
	}
	for _, id := range slices.Sorted(maps.Keys(counts)) {
		if err := record(ctx, s, id, &w, counts[id]); err != nil {
			return nil, err
		}
	}
	if w.Lifted == nil {
		if err := note(ctx, s, &w, counts); err != nil {
			return nil, err
		}
	}
	c, err := Certify(ctx, s, w.ID)
	if err == nil && held != nil {
		err = &HeldError{held}
	}
	return c, err
}

// count returns the captures of a withdrawal by package.
func count(ctx context.Context, h *holdings.Holdings, w *rights.Withdrawal) (map[string]int64, error) {
	if err := h.Ready(ctx); err != nil {
		return nil, err
	}
	matches, err := w.Matcher()
	if err != nil {
		return nil, err
	}
	q := captures.Query{}
	if w.Package != "" {
		q.Packages = []string{w.Package}
	}
	if host, ok := w.Host(); ok {
		q.URL, q.Match = "http://"+host+"/", captures.Domain
	}
	counts := map[string]int64{}
	if w.Package != "" {
		counts[w.Package] = 0 // it is concerned, even without captures
	}
	for c, err := range h.Captures(ctx, holdings.Reader{Class: holdings.Staff}, q) {
		if err != nil {
			return nil, err
		}
		if matches(c.Package, c.URL) {
			counts[c.Package]++
		}
	}
	return counts, nil
}

// eventType is the type of the last event of a withdrawal.
func eventType(w *rights.Withdrawal) model.EventType {
	if w.Lifted != nil {
		return model.Reinstating
	}
	return model.Withdrawing
}

// record writes the event of a withdrawal, or of its end, into the log of a package, unless it is
// there.
func record(ctx context.Context, s *store.Store, id string, w *rights.Withdrawal, captures int64) error {
	r, err := s.History(ctx, id)
	if err != nil || eventOf(r.Events, eventType(w), w.ID) != nil {
		return err
	}
	scope := "the URL " + w.URL
	if w.URL == "" {
		scope = "the whole package"
	}
	a := store.Action{Type: eventType(w), By: w.By, Detail: fmt.Sprintf("%s%s withdrawn from readers; reason: %s",
		mark(w.ID), scope, w.Because), Notes: []string{"authority: " + w.Authority, "named: " + w.Named,
		fmt.Sprintf(capturesNote+"%d", captures), "access: " + string(w.Access)}}
	if w.Until != "" {
		a.Notes = append(a.Notes, "last day: "+string(w.Until))
	}
	if l := w.Lifted; l != nil {
		a.By, a.Detail = l.By, fmt.Sprintf("%sthe withdrawal of %s ended; reason: %s", mark(w.ID), scope, l.Because)
		a.Notes = []string{"authority: " + l.Authority, "named: " + w.Named}
	}
	_, err = s.Record(ctx, id, a)
	return err
}

// mark begins the detail of the events of a withdrawal.
func mark(id string) string { return markStart + id + ": " }

const markStart = "withdrawal "

// eventOf returns the event of a withdrawal, or nil.
func eventOf(events []catalogue.Event, kind model.EventType, id string) *catalogue.Event {
	for i := range events {
		if events[i].Type == string(kind) && strings.HasPrefix(events[i].Detail, mark(id)) {
			return &events[i]
		}
	}
	return nil
}

// state returns the state of a copy as a certificate names it.
func state(s catalogue.Status) string {
	switch s {
	case catalogue.Good:
		return "has the decision"
	case catalogue.AsListed:
		return "has the decision by the checksums of its service; it was not read"
	case catalogue.Away:
		return "has the decision as last known; it cannot be read now"
	case catalogue.Owed, catalogue.Missing:
		return "does not have the decision yet"
	}
	return "its decision is damaged"
}

// day returns the day as a certificate names it.
func day(d statements.Day) string {
	if d == "" {
		return "without end"
	}
	return string(d)
}
