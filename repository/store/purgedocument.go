package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"quire/model"
	"quire/preserve/statements"
	"quire/repository/catalogue"
	"quire/repository/disposal"
	"quire/repository/ocfl"
)

// The documents of decisions on disposal (package disposal). Their files have the same names.
const (
	PurgesDocument = "purges"
	HoldsDocument  = "holds"
)

// ErrPurged reports that a package was purged: its tombstone is in the document of purges. Such an error
// is [ErrNotFound], too.
var ErrPurged = errors.New("the package was purged")

// errPurges reports that the document of purges cannot be read. Then no package is stored: it may be one
// that was purged. Documents such as withdrawals are.
var errPurges = errors.New("the document of purges cannot be read")

// PurgedError reports that a package was purged.
type PurgedError struct{ Purge disposal.Purge }

// Error names the purge, its day and its authority.
func (e *PurgedError) Error() string {
	p := &e.Purge
	return fmt.Sprintf("%s was purged on %s (%s); authority: %s", p.Package, p.Approved.At.Format(time.DateOnly), p.ID,
		p.Authority)
}

// Is reports whether the error is [ErrPurged] or [ErrNotFound].
func (e *PurgedError) Is(target error) bool { return target == ErrPurged || target == ErrNotFound }

// purges are the decisions of one version of the document, for look-ups.
type purges struct {
	state   string // of the document
	all     *disposal.Purges
	inForce map[string]*disposal.Purge // the tombstones in force, by package
	byPath  map[string]*disposal.Purge // and by path of the object
}

// readPurges returns the decisions on purges. It reads the document only if it changed.
func (s *Store) readPurges(ctx context.Context) (*purges, error) {
	state, err := s.DocumentState(ctx, PurgesDocument)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	known := s.purges
	s.mu.Unlock()
	if known != nil && known.state == state {
		return known, nil
	}
	p := &purges{state: state, all: &disposal.Purges{}, inForce: map[string]*disposal.Purge{},
		byPath: map[string]*disposal.Purge{}}
	if state != "" {
		_, text, err := s.Document(ctx, PurgesDocument, 0)
		if err == nil {
			p.all, err = disposal.ReadPurges(text)
		}
		switch {
		case err != nil && (ctx.Err() != nil || isBusy(err)):
			return nil, err
		case err != nil:
			return nil, fmt.Errorf("%w: %w", errPurges, err)
		}
	}
	for i := range p.all.List {
		if q := &p.all.List[i]; q.State() == disposal.Purged {
			p.inForce[q.Package] = q
			p.byPath[ocfl.ObjectPath(objectID(q.Package))] = q
		}
	}
	s.mu.Lock()
	s.purges = p
	s.mu.Unlock()
	return p, nil
}

// purged returns a [*PurgedError] if a package was purged.
func (s *Store) purged(ctx context.Context, id string) error {
	p, err := s.readPurges(ctx)
	if err != nil {
		return err
	}
	if q := p.inForce[id]; q != nil {
		return &PurgedError{*q}
	}
	return nil
}

// wasPurged reports whether an object was purged, and no present copy has it any more: nothing can be recorded
// of it.
func (s *Store) wasPurged(ctx context.Context, path string) bool {
	for _, c := range s.present() {
		if exists(c.object(path)) {
			return false
		}
	}
	p, err := s.readPurges(ctx)
	return err == nil && p.byPath[path] != nil
}

// changeDocument stores a new version of a document in the copies that are present. edit gets the text of
// the newest version, nil if there is none. It is called again if another program stored a version
// meanwhile.
func (s *Store) changeDocument(ctx context.Context, name, because, by string,
	edit func(text []byte) ([]byte, error)) error {
	for {
		v, text, err := s.Document(ctx, name, 0)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		if text, err = edit(text); err != nil {
			return err
		}
		_, err = s.SetDocument(ctx, name, Change{File: name + ".json", Text: text, Because: because, By: by,
			Base: v.Version, present: true})
		var busy *BusyError
		if !errors.Is(err, ErrChanged) && !errors.As(err, &busy) {
			return err
		}
		if err := s.pauseFor(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
}

func (s *Store) pauseFor(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// changePurges changes the document of purges.
func (s *Store) changePurges(ctx context.Context, because, by string, edit func(*disposal.Purges) error) error {
	return s.changeDocument(ctx, PurgesDocument, because, by, func(text []byte) ([]byte, error) {
		p := &disposal.Purges{}
		if text != nil {
			var err error
			if p, err = disposal.ReadPurges(text); err != nil {
				return nil, err
			}
		}
		if err := edit(p); err != nil {
			return nil, err
		}
		made, err := p.Marshal()
		if err == nil {
			_, err = disposal.ReadPurges(made) // an unreadable document would stop every ingest
		}
		return made, err
	})
}

// Holds returns all holds, the first one first, also those that ended.
func (s *Store) Holds(ctx context.Context) ([]disposal.Hold, error) {
	h, err := s.readHolds(ctx)
	if err != nil {
		return nil, err
	}
	return append([]disposal.Hold{}, h.List...), nil
}

func (s *Store) readHolds(ctx context.Context) (*disposal.Holds, error) {
	_, text, err := s.Document(ctx, HoldsDocument, 0)
	if errors.Is(err, ErrNotFound) {
		return &disposal.Holds{}, nil
	}
	if err != nil {
		return nil, err
	}
	return disposal.ReadHolds(text)
}

// HoldPackage forbids the purge of a package until a day; "" means without end. The id need not be stored.
func (s *Store) HoldPackage(ctx context.Context, h disposal.Hold) (disposal.Hold, error) {
	err := s.changeHolds(ctx, "hold on "+h.Package+": "+h.Set.Because, h.Set.By, func(all *disposal.Holds) (err error) {
		h, err = all.Add(h)
		return err
	})
	return h, err
}

// LiftHold ends a hold.
func (s *Store) LiftHold(ctx context.Context, id string, lifted disposal.Act) (h disposal.Hold, err error) {
	err = s.changeHolds(ctx, "hold "+id+" lifted: "+lifted.Because, lifted.By, func(all *disposal.Holds) error {
		found := all.Find(id)
		switch {
		case found == nil:
			return fmt.Errorf("%s: no such hold", id)
		case found.Lifted != nil:
			return fmt.Errorf("%s was lifted on %s", id, found.Lifted.At.Format(time.DateOnly))
		case strings.TrimSpace(lifted.Because) == "":
			return errors.New("lifting a hold needs a reason")
		}
		found.Lifted = &lifted
		h = *found
		return nil
	})
	return h, err
}

func (s *Store) changeHolds(ctx context.Context, because, by string, edit func(*disposal.Holds) error) error {
	return s.changeDocument(ctx, HoldsDocument, because, by, func(text []byte) ([]byte, error) {
		h := &disposal.Holds{}
		if text != nil {
			var err error
			if h, err = disposal.ReadHolds(text); err != nil {
				return nil, err
			}
		}
		if err := edit(h); err != nil {
			return nil, err
		}
		return h.Marshal()
	})
}

// held returns an error if a hold forbids the purge of a package today.
func (s *Store) held(ctx context.Context, id string) error {
	h, err := s.readHolds(ctx)
	if err != nil {
		return err
	}
	on := h.On(id, statements.DayOf(s.now()))
	if len(on) == 0 {
		return nil
	}
	until := "without end"
	if on[0].Until != "" {
		until = "until " + string(on[0].Until)
	}
	return &ContentError{Subject: "package " + id + " is held", Total: len(on),
		Problems: []Problem{{Path: on[0].ID, Detail: until + ": " + on[0].Set.Because}}}
}

// deletionOf begins the details of the events of a purge.
func deletionOf(id string) string { return "purge " + id + ": " }

// Places of a purge beside the copies, in its events and states.
const (
	PurgeCatalogue = "the catalogue"
	PurgeIndexes   = "the indexes for readers"
)

// done returns the names of the copies from which purges removed their packages, and of the places beside
// them, by the id of the purge, from the events of the document.
func (s *Store) done(ctx context.Context) (map[string]map[string]time.Time, error) {
	r, err := s.catalogue.Get(ctx, catalogue.DocumentPrefix+PurgesDocument)
	if err != nil {
		return nil, err
	}
	all := map[string]map[string]time.Time{}
	for _, e := range r.Events {
		rest, ok := strings.CutPrefix(e.Detail, "purge ")
		id, what, cut := strings.Cut(rest, ": ")
		if !ok || !cut || e.Type != string(model.Deletion) || e.Outcome != string(model.Success) {
			continue
		}
		if all[id] == nil {
			all[id] = map[string]time.Time{}
		}
		place := e.Copy
		if place == "" {
			place = strings.TrimPrefix(what, "removed from ")
		}
		all[id][place] = e.Time
	}
	return all, nil
}
