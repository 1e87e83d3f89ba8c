package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"quire/repository/catalogue"
)

// Entry is one package in a list.
type Entry struct {
	catalogue.Package
	Status catalogue.Status `json:"status"` // the worst last known state of its copies
}

// Details has all facts about a package that need no reading of its content.
type Details struct {
	catalogue.Record
	Places []Place           `json:"places"`
	Audits []catalogue.Audit `json:"audits"` // the latest runs over the repository, newest first
}

// Place is the location of a package in one copy.
type Place struct {
	Copy    string `json:"copy"`
	Path    string `json:"path"`    // of the OCFL object
	Present bool   `json:"present"` // whether the copy is available now
}

// List yields the packages of the repository, sorted by id. The error is the last value yielded.
func (s *Store) List(ctx context.Context) iter.Seq2[Entry, error] { return s.ListAfter(ctx, "") }

// ListAfter is [Store.List] for the packages after an id, which need not exist. It reads in pages: the
// first package takes no longer than in a small repository.
func (s *Store) ListAfter(ctx context.Context, id string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		away := s.away()
		for l, err := range s.catalogue.List(ctx, id) {
			if err == nil && l.IsDocument() {
				continue
			}
			l.Status = s.shown(l.Status, away)
			if !yield(Entry(l), err) || err != nil {
				return
			}
		}
	}
}

// shownAudits is the number of audit rows in Show, one per run and copy.
const shownAudits = 30

// Show returns the details of a package, or an error that is [ErrNotFound].
func (s *Store) Show(ctx context.Context, id string) (Details, error) {
	r, err := s.catalogue.Get(ctx, id)
	if err != nil {
		return Details{}, s.notFound(id, err)
	}
	d, away := Details{Record: r}, s.away()
	for _, c := range s.copies {
		d.Places = append(d.Places, Place{Copy: c.name, Path: c.object(r.Package.Path),
			Present: !slices.Contains(away, c.name)})
	}
	for i, k := range d.Copies {
		if slices.Contains(away, k.Name) {
			d.Copies[i].Status, d.Copies[i].Last = catalogue.Away, k.Status
		}
	}
	d.Audits, err = s.catalogue.Audits(ctx, shownAudits)
	return d, err
}

// card returns the catalogue row of a package.
func (s *Store) card(ctx context.Context, id string) (catalogue.Package, error) {
	p, err := s.catalogue.Package(ctx, id)
	return p, s.notFound(id, err)
}

func (s *Store) notFound(id string, err error) error {
	if errors.Is(err, catalogue.ErrNotFound) {
		var purged *PurgedError
		if errors.As(s.purged(context.Background(), id), &purged) {
			return purged
		}
		return fmt.Errorf("%s: %w", id, ErrNotFound)
	}
	return err
}

// tryRead locks an object for reading. It first finishes the interrupted change of a process that
// has died since Open. It returns a *BusyError while a new version moves into place.
func (s *Store) tryRead(ctx context.Context, object string) (*lock, error) {
	name, subject := readLock(objectKey(object)), "object "+object
	if s.readOnly {
		return s.locks.tryRead(name, subject)
	}
	if err := s.settleDead(ctx, object); err != nil {
		return nil, err
	}
	return s.tryLock(name, shared, subject, "")
}

// waitRead is like tryRead, but waits for the lock.
func (s *Store) waitRead(ctx context.Context, object string) (*lock, error) {
	return whenFree(ctx, func() (*lock, error) { return s.tryRead(ctx, object) })
}

// settleDead finishes or undoes the change in the journal of an object, unless its writer is alive.
// A change that cannot be finished now does not block reading: the copies have the old version or
// the new one.
func (s *Store) settleDead(ctx context.Context, object string) error {
	key := objectKey(object)
	j, err := s.readJournal(key)
	var note *noteError
	if errors.As(err, &note) {
		j, err = &journal{}, nil // settle decides
	}
	if err != nil || j == nil {
		return err
	}
	l, err := s.tryLock(key, exclusive, "package "+j.Package, "recovery")
	var busy *BusyError
	if errors.As(err, &busy) {
		return nil
	}
	if err != nil {
		return err
	}
	defer l.release()
	if err := s.settle(ctx, key); err != nil {
		s.addRecovery(Recovery{Package: j.Package, Outcome: Pending, Detail: err.Error()})
	}
	return ctx.Err()
}

// versionOf returns the name of version n of a package; 0 means the newest.
func versionOf(o *object, n int) (string, error) {
	if n == 0 {
		return o.inventory.Head, nil
	}
	if n < 0 || n > o.head() {
		return "", fmt.Errorf("version %d of %s does not exist; the newest is %d", n, o.inventory.ID, o.head())
	}
	return versionName(n), nil
}
