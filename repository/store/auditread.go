package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"quire/model"
	"quire/repository/catalogue"
)

// addFinding counts, keeps and reports a finding.
func (a *audit) addFinding(f Finding) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.report.Problems++
	if sum := a.stats[f.Copy]; sum != nil { // not about a copy
		sum.Problems++
	}
	if len(a.report.Findings) < a.store.maxFindings {
		a.report.Findings = append(a.report.Findings, f)
	}
	if a.options.Report != nil {
		a.options.Report(f)
	}
}

func (a *audit) note(err error) {
	if err == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.report.Notes) < maxProblems {
		a.report.Notes = append(a.report.Notes, err.Error())
	}
}

// packages reads every chosen package. It reads a package last if an ingest is moving it into place
// at that moment, and skips a package that was purged since the audit began.
func (a *audit) packages(ctx context.Context) error {
	for t, err := range a.targets(ctx) {
		if err != nil {
			return err
		}
		if err := a.next(ctx); err != nil {
			return err
		}
		l, err := a.tryRead(ctx, t.id, t.copies)
		var held *BusyError
		if errors.As(err, &held) {
			a.place.Later = append(a.place.Later, t.id)
			a.place.After = t.id
			continue
		}
		if err != nil {
			return err
		}
		if err := a.onePackage(ctx, t.id, t.copies, l); err != nil && !errors.Is(err, ErrPurged) {
			return err
		}
		a.place.After = t.id
	}
	for len(a.place.Later) > 0 {
		if err := a.next(ctx); err != nil {
			return err
		}
		id := a.place.Later[0]
		l, err := whenFree(ctx, func() (*lock, error) { return a.tryRead(ctx, id, a.there) })
		if err != nil {
			return err
		}
		if err := a.onePackage(ctx, id, a.there, l); err != nil && !errors.Is(err, ErrPurged) {
			return err
		}
		a.place.Later = a.place.Later[1:]
	}
	return nil
}

// tryRead locks a package for reading. While a writer brings it to a far copy, it returns a *BusyError
// if that copy is to be read: readers of the folders need not wait for the network, but the far copy
// has only a part.
func (a *audit) tryRead(ctx context.Context, id string, copies []*copyFolder) (*lock, error) {
	s, object := a.store, objectID(id)
	l, err := s.tryRead(ctx, object)
	if err != nil || s.readOnly || !slices.ContainsFunc(copies, (*copyFolder).isFar) {
		return l, err
	}
	writer, err := s.tryLock(objectKey(object), shared, "package "+id, "")
	if err != nil {
		l.release()
		return nil, err
	}
	writer.release()
	return l, nil
}

// next records a batch that is large or old enough, and reports whether the run may go on.
func (a *audit) next(ctx context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	now := a.store.moment()
	if a.batch.due(now) {
		if err := a.flush(ctx, now); err != nil {
			return err
		}
	}
	if f := a.options.For; f > 0 && now.Sub(a.report.Started) >= time.Duration(f) {
		return errOutOfTime
	}
	return nil
}

// onePackage reads one package in some copies, and releases its lock.
func (a *audit) onePackage(ctx context.Context, id string, copies []*copyFolder, l *lock) error {
	defer l.release()
	card, err := a.store.card(ctx, id)
	if err != nil {
		return err
	}
	results, err := a.store.examine(ctx, card, copies, a.addFinding, func(n int64) {
		a.slow.add(ctx, n)
		a.mu.Lock()
		defer a.mu.Unlock()
		a.meter.add(n)
	})
	if err != nil {
		return err
	}
	a.report.Packages++
	a.batch.packages++
	agreed, err := a.compareObject(ctx, card, results)
	if err != nil {
		return err
	}
	if agreed { // else a repair could replace the right version by a forged one
		a.options.Damage.add(card, results)
	}
	for _, e := range results {
		st := a.stats[e.copy.name]
		st.Objects++
		st.Files += e.files
		st.Bytes += e.bytes
		a.log.add(runLine{Package: card.ID, Copy: e.copy.name, Status: e.status(), Problems: e.found})
		if e.status().WasRead() {
			a.batch.checks = append(a.batch.checks, catalogue.Check{Package: card.ID, Copy: e.copy.name})
		}
	}
	if a.options.DryRun {
		a.batch = batch{}
		return nil
	}
	if !agreed {
		return nil
	}
	if err := a.noteStates(ctx, card, results); err != nil {
		return err
	}
	a.note(a.store.mendEvents(ctx, card))
	a.note(a.store.mendFarEvents(ctx, results))
	return nil
}

// noteStates adds the changes of state since the last audit to the batch. Unchanged states have no events,
// because they would hide the important ones.
func (a *audit) noteStates(ctx context.Context, card catalogue.Package, results []*examination) error {
	s := a.store
	held, err := s.catalogue.Copies(ctx, card.ID)
	if err != nil {
		return err
	}
	was := map[string]catalogue.Status{}
	for _, k := range held {
		was[k.Name] = k.Status
	}
	for _, e := range results {
		now := e.status()
		if was[e.copy.name] == now {
			continue
		}
		ev := s.newEvent(model.FixityCheck, card.ID, e.copy.name,
			fmt.Sprintf("read in %s: %d problems; it was %s before and is %s now",
				e.copy.name, e.found, was[e.copy.name], now))
		ev.Status = now
		if now != catalogue.Good && now != catalogue.AsListed {
			ev.Outcome = string(model.Fail)
		}
		if err := s.follow(ctx, card.Path, &ev); err != nil {
			return err
		}
		a.batch.changes = append(a.batch.changes, objectEvent{card.Object, card.Path, ev})
	}
	return nil
}
