package store

import (
	"context"
	"errors"
	"fmt"

	"quire/model"
)

// Recovery tells about one change that a process left half done.
type Recovery struct {
	Package string          `json:"package"` // "" for leftovers that no journal names
	Outcome RecoveryOutcome `json:"outcome"`
	Detail  string          `json:"detail"`
}

// RecoveryOutcome is what became of a half-done change.
type RecoveryOutcome string

// The three outcomes.
const (
	Dropped  RecoveryOutcome = "dropped"  // it was not decided: what was staged is removed, the old state stands
	Finished RecoveryOutcome = "finished" // it was decided: it is in place in every copy now
	Pending  RecoveryOutcome = "pending"  // it was decided but cannot be finished now; Detail says why
)

// String says it in one line.
func (r Recovery) String() string {
	if r.Package == "" {
		return r.Detail
	}
	return fmt.Sprintf("%s: %s (%s)", r.Package, r.Outcome, r.Detail)
}

// recover finishes or undoes what killed processes left. It may be killed itself at any point, and
// run in two processes at once: they take turns. A change whose writer is alive is left alone; the
// writer holds the object's lock, which no dead process can.
func (s *Store) recover(ctx context.Context) error {
	turn, err := waitLock(ctx, s.lockPath("recovery"), exclusive, "recovery of "+s.root, "recovery")
	if err != nil {
		return err
	}
	defer turn.release()
	// Staging is listed before the journal: a writer notes before it stages and clears staging
	// before the note, so what is in this list and has no note belongs to nobody.
	staged := map[*copyFolder][]string{}
	for _, c := range s.present() {
		if staged[c], err = c.stagedNames(); err != nil {
			return fmt.Errorf("copy %s: %w", c.name, err)
		}
	}
	keys, err := s.journalKeys()
	if err != nil {
		return err
	}
	owned, err := s.recoverChanges(ctx, keys)
	if err != nil {
		return err
	}
	for c, names := range staged {
		for _, name := range names {
			if owned[name] {
				continue
			}
			if err := s.disk.removeAll(c.staging(name)); err != nil {
				return fmt.Errorf("copy %s: %w", c.name, err)
			}
			s.tell(Recovery{Outcome: Dropped,
				Detail: fmt.Sprintf("copy %s: removed leftovers in staging/%s", c.name, name)})
		}
	}
	return nil
}

// recoverChanges goes through the journal and returns the staging folders that it names.
func (s *Store) recoverChanges(ctx context.Context, keys []string) (map[string]bool, error) {
	owned := map[string]bool{}
	for _, key := range keys {
		j, err := s.readJournal(key)
		if err != nil {
			return nil, err
		}
		if j == nil {
			continue // its writer ended meanwhile
		}
		owned[j.Tx] = true
		l, err := tryLock(s.lockPath(key), exclusive, "package "+j.Package, "recovery")
		var busy *BusyError
		if errors.As(err, &busy) {
			continue // its writer is alive
		}
		if err != nil {
			return nil, err
		}
		err = s.settle(ctx, key)
		l.release()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			s.tell(Recovery{Package: j.Package, Outcome: Pending, Detail: err.Error()})
		}
	}
	return owned, nil
}

// tell keeps what Recovered reports.
func (s *Store) tell(r Recovery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recovered = append(s.recovered, r)
}

// settle deals with the change that the journal notes for an object, if there is one. The caller
// holds the object's lock, so whoever wrote the note is dead.
func (s *Store) settle(ctx context.Context, key string) error {
	j, err := s.readJournal(key)
	if err != nil || j == nil {
		return err
	}
	if j.State == begun {
		if err := s.drop(key, j); err != nil {
			return err
		}
		s.tell(Recovery{Package: j.Package, Outcome: Dropped,
			Detail: fmt.Sprintf("the %s by %s was cut off before it was complete; nothing of it is stored", j.Kind,
				j.By)})
		return nil
	}
	e := s.newEvent(model.Recovery, j.Package, "",
		fmt.Sprintf("the %s of version %d by %s was cut off after it was decided; finished from what was staged and "+
			"matched",
			j.Kind, j.Version, j.By))
	e.File = eventFile(j.Started, model.Recovery, j.Tx) // the same name each time: recovery may be cut off too
	if err := s.rollForward(ctx, key, j, &e); err != nil {
		return err
	}
	s.tell(Recovery{Package: j.Package, Outcome: Finished,
		Detail: fmt.Sprintf("the %s of version %d by %s was complete and is in place now", j.Kind, j.Version, j.By)})
	return nil
}
