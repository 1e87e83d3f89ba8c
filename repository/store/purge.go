package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"quire/repository/catalogue"
	"quire/repository/disposal"
)

// PurgeRequest describes a purge that a person requests.
type PurgeRequest struct {
	Package   string
	Because   string
	Authority string
	By        string
	Although  []string // packages whose revisits may lose their payloads
}

// PurgeStatus is a purge with the state of its execution.
type PurgeStatus struct {
	disposal.Purge
	State   disposal.State `json:"state"`
	Done    []PurgedPlace  `json:"done"`    // places without the package, in the order of removal
	Pending []PendingPlace `json:"pending"` // places that still have to be cleared
}

// PurgedPlace is a place from which a package was removed: a copy, the catalogue, the indexes.
type PurgedPlace struct {
	Place string    `json:"place"`
	At    time.Time `json:"at"`
}

// PendingPlace is a place that may still have a purged package.
type PendingPlace struct {
	Place string `json:"place"`
	Away  bool   `json:"away"` // a copy that is away is cleared when it is back
	Why   string `json:"why"`
	// Retired reports that the copy was retired while the purge was pending there: nothing clears it any more.
	Retired bool `json:"retired,omitempty"`
}

// RequestPurge records that a person requests the purge of a package. Nothing is removed before a second
// person approves it. A hold forbids it.
func (s *Store) RequestPurge(ctx context.Context, r PurgeRequest) (disposal.Purge, error) {
	if err := s.Writable(); err != nil {
		return disposal.Purge{}, err
	}
	card, err := s.purgeable(ctx, r.Package)
	if err != nil {
		return disposal.Purge{}, err
	}
	made := disposal.Purge{Token: newToken(), Package: card.ID, Was: wasOf(card), Although: r.Although,
		Authority: strings.TrimSpace(r.Authority), Requested: disposal.Act{By: strings.TrimSpace(r.By),
			At: s.now().UTC().Truncate(time.Second), Because: strings.TrimSpace(r.Because)}}
	err = s.changePurges(ctx, "request for the purge of "+card.ID, made.Requested.By,
		func(all *disposal.Purges) (err error) {
			if was := all.Of(card.ID, disposal.Requested); was != nil {
				return fmt.Errorf("%s requests the purge of %s already: approve it, or cancel it", was.ID, card.ID)
			}
			made, err = all.Add(made)
			return err
		})
	if err != nil {
		return disposal.Purge{}, fmt.Errorf("requesting the purge of %s: %w", card.ID, err)
	}
	return made, nil
}

// purgeable returns the catalogue row of a package that may be purged.
func (s *Store) purgeable(ctx context.Context, id string) (catalogue.Package, error) {
	card, err := s.card(ctx, id)
	if err != nil {
		return card, err
	}
	if card.IsDocument() {
		return card, fmt.Errorf("%s is a document of the repository; only packages can be purged", id)
	}
	return card, s.held(ctx, id)
}

// wasOf describes a package for its tombstone.
func wasOf(card catalogue.Package) disposal.Was {
	kind := "package"
	if card.IsCollection() {
		kind = "collection"
	}
	return disposal.Was{Kind: kind, Versions: card.Head, Files: card.Files, Bytes: card.Bytes,
		Containers: card.Containers, Records: card.Records, Created: card.Created, Stored: card.Stored,
		First: card.First, Last: card.Last}
}

// Purge returns the purge with an id or a token. The error is [ErrNotFound] if there is none.
func (s *Store) Purge(ctx context.Context, name string) (disposal.Purge, error) {
	all, err := s.readPurges(ctx)
	if err != nil {
		return disposal.Purge{}, err
	}
	found := all.all.Find(name)
	if found == nil {
		return disposal.Purge{}, fmt.Errorf("purge %s: %w", name, ErrNotFound)
	}
	return *found, nil
}

// ApprovePurge decides a purge, as the second person, and carries it out. The package must be as it was at
// the time of the request. check may refuse it; it is called while no other program can change the package.
// From the decision on, the purge can only go forward: the next Open carries out the rest, also in copies
// that are away now.
func (s *Store) ApprovePurge(ctx context.Context, token, by string,
	check func(context.Context, disposal.Purge) error) (PurgeStatus, error) {
	if err := s.Writable(); err != nil {
		return PurgeStatus{}, err
	}
	if err := s.recover(ctx); err != nil { // what an earlier try could not finish
		return PurgeStatus{}, err
	}
	p, err := s.Purge(ctx, token)
	if err != nil {
		return PurgeStatus{}, err
	}
	if p.Token != token {
		return PurgeStatus{}, fmt.Errorf("%s names the request; approve it with its token", token)
	}
	key := objectKey(objectID(p.Package))
	l, err := s.tryWriter(ctx, key, "package "+p.Package, "purge")
	if err != nil {
		return PurgeStatus{}, err
	}
	defer l.release()
	if err := s.sameCopies(); err != nil { // a copy that this program does not know would keep the package
		return PurgeStatus{}, err
	}
	if err := s.settle(ctx, key); err != nil {
		return PurgeStatus{}, err
	}
	if err := s.decidePurge(ctx, &p, by, check); err != nil {
		return PurgeStatus{}, fmt.Errorf("purging %s: %w", p.Package, err)
	}
	if err := s.carryOut(context.WithoutCancel(ctx), &p); err != nil {
		return PurgeStatus{}, fmt.Errorf("the purge of %s is decided, but not complete; the next command goes on: %w",
			p.Package, err)
	}
	return s.statusOf(ctx, p)
}

// decidePurge makes the decision of a purge durable. The caller holds the lock of the object.
func (s *Store) decidePurge(ctx context.Context, p *disposal.Purge, by string,
	check func(context.Context, disposal.Purge) error) error {
	approved := func(p *disposal.Purge) bool {
		return p.State() == disposal.Purged && !disposal.Persons(p.Approved.By, by)
	}
	if approved(p) {
		return nil // the same person goes on with it
	}
	if p.State() != disposal.Requested {
		return fmt.Errorf("%s is %s already", p.ID, p.State())
	}
	card, err := s.purgeable(ctx, p.Package)
	if err != nil {
		return err
	}
	if wasOf(card) != p.Was {
		return fmt.Errorf("the package has changed since the request %s: cancel it, and request it again", p.ID)
	}
	if !disposal.Persons(p.Requested.By, by) {
		return fmt.Errorf("%s was requested by %s: a second person approves it, with their own --by", p.ID,
			p.Requested.By)
	}
	if check != nil {
		if err := check(ctx, *p); err != nil {
			return err
		}
	}
	return s.act(ctx, p, "purge of "+p.Package+" approved", by, func(found *disposal.Purge, act *disposal.Act) error {
		if approved(found) {
			return nil // an earlier call decided it, and could not put it in place
		}
		if found.State() != disposal.Requested {
			return fmt.Errorf("%s is %s already", found.ID, found.State())
		}
		found.Approved = act
		return nil
	})
}

// act adds the act of a person to a purge.
func (s *Store) act(ctx context.Context, p *disposal.Purge, because, by string,
	add func(*disposal.Purge, *disposal.Act) error) error {
	act := &disposal.Act{By: strings.TrimSpace(by), At: s.now().UTC().Truncate(time.Second)}
	return s.changePurges(ctx, because, by, func(all *disposal.Purges) error {
		found := all.Find(p.ID)
		if found == nil {
			return fmt.Errorf("purge %s: %w", p.ID, ErrNotFound)
		}
		if err := add(found, act); err != nil {
			return err
		}
		*p = *found
		return nil
	})
}

// CancelPurge ends a request that no one has approved.
func (s *Store) CancelPurge(ctx context.Context, name, by, because string) (disposal.Purge, error) {
	p, err := s.Purge(ctx, name)
	if err != nil {
		return p, err
	}
	err = s.act(ctx, &p, "request "+p.ID+" cancelled", by, func(found *disposal.Purge, act *disposal.Act) error {
		if found.State() != disposal.Requested {
			return fmt.Errorf("%s is %s, and cannot be cancelled", found.ID, found.State())
		}
		act.Because = because
		found.Cancelled = act
		return nil
	})
	return p, err
}

// admit refuses a package that was purged, unless the caller wants it again, and every copy is clear.
func (in *ingest) admit(ctx context.Context, dry bool) error {
	s := in.store
	err := s.purged(ctx, in.survey.pkg.ID)
	var purged *PurgedError
	if !errors.As(err, &purged) {
		return err
	}
	if !in.options.Again {
		return fmt.Errorf("%w; to store it again, say so: --again", err)
	}
	status, err := s.statusOf(ctx, purged.Purge)
	if err != nil {
		return err
	}
	for _, at := range status.Pending {
		if !at.Retired {
			return fmt.Errorf("%s cannot be stored again yet: its purge is pending in %s (%s)", in.survey.pkg.ID,
				at.Place, at.Why)
		}
	}
	if dry {
		return nil
	}
	p := purged.Purge
	return s.act(ctx, &p, p.Package+" may be stored again", cmp.Or(in.options.By, s.software),
		func(found *disposal.Purge, act *disposal.Act) error {
			found.Again = act
			return nil
		})
}

// statusOf returns the state of the execution of a purge.
func (s *Store) statusOf(ctx context.Context, p disposal.Purge) (PurgeStatus, error) {
	if p.Approved == nil {
		return s.statusBy(p, nil)
	}
	done, err := s.done(ctx)
	if err != nil {
		return PurgeStatus{Purge: p, State: p.State()}, err
	}
	return s.statusBy(p, done)
}

// statusBy is statusOf with the time at which each purge was carried out in each place.
func (s *Store) statusBy(p disposal.Purge, done map[string]map[string]time.Time) (PurgeStatus, error) {
	status := PurgeStatus{Purge: p, State: p.State(), Done: []PurgedPlace{}, Pending: []PendingPlace{}}
	if p.Approved == nil {
		return status, nil
	}
	for place, at := range done[p.ID] {
		status.Done = append(status.Done, PurgedPlace{place, at})
	}
	slices.SortFunc(status.Done, func(a, b PurgedPlace) int {
		return slices.Compare([]string{a.At.Format(time.RFC3339Nano), a.Place},
			[]string{b.At.Format(time.RFC3339Nano), b.Place})
	})
	if p.Again != nil {
		return status, nil
	}
	for _, c := range s.copies {
		if !done[p.ID][c.name].IsZero() {
			continue
		}
		at := PendingPlace{Place: c.name, Why: "it was not carried out yet; the next command does it"}
		if err := c.check(s.id); err != nil {
			at.Away, at.Why = true, "away: "+err.Error()
		} else if err := s.purgeFailure(p.ID, c.name); err != nil {
			at.Why = err.Error()
		}
		status.Pending = append(status.Pending, at)
	}
	retired, err := s.retiredWith(&p, done[p.ID])
	if err != nil {
		return status, err
	}
	status.Pending = append(status.Pending, retired...)
	for _, place := range []string{PurgeCatalogue, PurgeIndexes} {
		if done[p.ID][place].IsZero() {
			status.Pending = append(status.Pending, PendingPlace{Place: place,
				Why: "it was not carried out yet: quire purge finish"})
		}
	}
	return status, nil
}

// Purges returns all purges and requests, the first one first.
func (s *Store) Purges(ctx context.Context) ([]PurgeStatus, error) {
	all, err := s.readPurges(ctx)
	if err != nil {
		return nil, err
	}
	var done map[string]map[string]time.Time
	if slices.ContainsFunc(all.all.List, func(p disposal.Purge) bool { return p.Approved != nil }) {
		if done, err = s.done(ctx); err != nil {
			return nil, err
		}
	}
	list := make([]PurgeStatus, 0, len(all.all.List))
	for _, p := range all.all.List {
		status, err := s.statusBy(p, done)
		if err != nil {
			return nil, err
		}
		list = append(list, status)
	}
	return list, nil
}
