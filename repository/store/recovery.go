package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"quire/model"
	"quire/repository/register"
)

// Recovery describes one change that a process left incomplete.
type Recovery struct {
	Package string          `json:"package"` // "" for leftovers without a journal note
	Outcome RecoveryOutcome `json:"outcome"`
	Detail  string          `json:"detail"`
}

// RecoveryOutcome is the outcome of recovering an incomplete change.
type RecoveryOutcome string

// The outcomes.
const (
	Dropped  RecoveryOutcome = "dropped"  // not committed: the staged files are removed, the old state remains
	Finished RecoveryOutcome = "finished" // committed: now in place in every copy
	Pending  RecoveryOutcome = "pending"  // committed, but it cannot be finished now; Detail has the reason
	// SetAside means that the note of the change could not be read, and the copies decided. Note and
	// staged files are in the quarantine folders.
	SetAside RecoveryOutcome = "set aside"
	Mended   RecoveryOutcome = "mended" // a damaged file of the repository itself was written again
	// Begun means that the register of a repository of an earlier version begins.
	Begun RecoveryOutcome = "begun"
)

// String returns one line.
func (r Recovery) String() string {
	if r.Package == "" {
		return r.Detail
	}
	return fmt.Sprintf("%s: %s (%s)", r.Package, r.Outcome, r.Detail)
}

// recover finishes or undoes the changes that killed processes left. It may itself be killed at any
// point, and two processes may run it: they take turns. It skips a change with a living writer: the
// writer holds the object's lock, and no dead process can.
func (s *Store) recover(ctx context.Context) error {
	turn, err := s.takeTurn(ctx)
	if err != nil {
		return err
	}
	defer turn.release()
	// Staging is listed before the journal. A writer writes the note before it stages, and clears
	// staging before it removes the note. So a folder in this list without a note is a leftover.
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
	garbled := false
	for _, key := range keys {
		var note *noteError
		if _, err := s.readJournal(key); errors.As(err, &note) {
			garbled = true
		}
	}
	for c, names := range staged {
		for _, name := range names {
			if owned[name] || garbled || !exists(c.staging(name)) {
				continue // without its note, staging is kept until the change is decided
			}
			if err := s.disk.removeAll(c.staging(name)); err != nil {
				return fmt.Errorf("copy %s: %w", c.name, err)
			}
			s.addRecovery(Recovery{Outcome: Dropped,
				Detail: fmt.Sprintf("copy %s: removed leftovers in staging/%s", c.name, name)})
		}
	}
	if err := s.clearNotes(); err != nil {
		return err
	}
	return s.clearAmendments()
}

// clearNotes removes notes that killed processes did not finish: nothing had been decided. One of events has a key
// of its own, so no later change writes over it, and it may name a package that is purged meanwhile.
func (s *Store) clearNotes() error {
	unfinished, err := s.unfinishedNotes()
	if err != nil {
		return err
	}
	for _, key := range unfinished {
		l, err := s.tryLock(key, exclusive, "note", "recovery")
		var busy *BusyError
		if errors.As(err, &busy) {
			continue // its writer is alive
		}
		if err != nil {
			return err
		}
		err = s.disk.removeAll(filepath.Join(s.root, journalFolder, tempName(key+noteEnd)))
		l.release()
		if err != nil {
			return fmt.Errorf("removing an unfinished note of the journal: %w", err)
		}
	}
	return nil
}

// takeTurn takes the lock of recovery. A command that only reads does not wait for it.
func (s *Store) takeTurn(ctx context.Context) (*lock, error) {
	name, subject := "recovery", "recovery of "+s.root
	if s.onlyReads {
		return s.tryLock(name, exclusive, subject, "recovery")
	}
	return s.waitLock(ctx, name, exclusive, subject, "recovery")
}

// recoverChanges processes the journal and returns the staging folders that it names.
func (s *Store) recoverChanges(ctx context.Context, keys []string) (map[string]bool, error) {
	owned := map[string]bool{}
	for _, key := range keys {
		j, err := s.readJournal(key)
		var note *noteError
		switch {
		case errors.As(err, &note):
			j = &journal{} // settle decides
		case err != nil:
			return nil, err
		case j == nil:
			continue // its writer ended meanwhile
		default:
			owned[j.Tx] = true
		}
		l, err := s.tryLock(key, exclusive, "package "+j.Package, "recovery")
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
			s.addRecovery(Recovery{Package: j.Package, Outcome: Pending, Detail: err.Error()})
		}
	}
	return owned, nil
}

// addRecovery keeps a recovery for Recovered.
func (s *Store) addRecovery(r Recovery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recovered = append(s.recovered, r)
}

// settle finishes or undoes the change in the journal of an object, if there is one. The caller
// holds the object's lock, so the writer of the note is dead.
func (s *Store) settle(ctx context.Context, key string) error {
	j, err := s.readJournal(key)
	var note *noteError
	if errors.As(err, &note) {
		return s.settleGarbled(ctx, key, note)
	}
	if err != nil || j == nil {
		return err
	}
	if err := s.sameCopies(); err != nil {
		return err
	}
	if j.State == committed {
		if err := s.sealed(ctx, key, j); errors.As(err, &note) {
			return s.settleGarbled(ctx, key, note)
		} else if err != nil {
			return err
		}
	}
	if j.Kind == kindEvents {
		return s.settleEvents(ctx, key, j)
	}
	if j.State == begun {
		if err := s.drop(key, j); err != nil {
			return err
		}
		if j.Kind == kindRefill {
			s.addRecovery(Recovery{Outcome: Dropped,
				Detail: fmt.Sprintf("the %s by %s was interrupted; repeat it for the rest", j.Kind, j.By)})
			return nil
		}
		s.addRecovery(Recovery{Package: j.Package, Outcome: Dropped,
			Detail: fmt.Sprintf("the %s by %s was interrupted before it was complete; no part of it is stored", j.Kind,
				j.By)})
		return nil
	}
	if err := s.noteRecovery(ctx, key, j); err != nil {
		return err
	}
	if err := s.rollForward(ctx, key, j); err != nil {
		return err
	}
	s.addRecovery(Recovery{Package: j.Package, Outcome: Finished,
		Detail: fmt.Sprintf("the %s of version %d by %s was complete and is in place now", j.Kind, j.Version, j.By)})
	return nil
}

// noteRecovery adds the event of a recovery to the note of its change. The recovery may be interrupted, too:
// the next one then finds the event, and writes the same.
func (s *Store) noteRecovery(ctx context.Context, key string, j *journal) error {
	if len(j.Events) > 0 {
		return nil
	}
	e := s.newEvent(model.Recovery, j.Package, "",
		fmt.Sprintf("the %s of version %d by %s was cut off after it was decided; finished from what was staged and "+
			"matched",
			j.Kind, j.Version, j.By))
	e.Away = s.away()
	if err := s.follow(ctx, j.Path, &e); err != nil {
		return err
	}
	text, err := e.marshal()
	if err != nil {
		return err
	}
	j.Events = []noteEvent{{Object: j.Object, Path: j.Path, File: e.File, Text: string(text)}}
	salt, err := s.saltOfChange(ctx, j)
	if err != nil {
		return err
	}
	l := leavesOf(salt, j.Object)
	l.event(e.Event, text)
	if err := s.seal(ctx, j, l); err != nil {
		return err
	}
	return s.writeJournal(key, j)
}

// saltOfChange returns the salt of the object of a change, which may still be staged. If copies differ, it is the
// one by which the signed note names the object.
func (s *Store) saltOfChange(ctx context.Context, j *journal) (register.Salt, error) {
	salts := s.saltsOf(j.Path)
	for _, c := range s.present() {
		if salt, ok := readSalt(c.stagedObject(j.Tx)); ok {
			salts = append(salts, salt)
		}
	}
	if j.Register != nil {
		for _, raw := range j.Register.Leaves {
			leaf, err := register.Parse(raw)
			if err != nil {
				continue // register.Writer refuses it
			}
			object, _ := keyOfLeaf(leaf)
			for _, salt := range salts {
				if salt.Object(j.Object) == object {
					return salt, nil
				}
			}
		}
	}
	salt, ok, err := s.knownSalt(ctx, j.Object, j.Path)
	if !ok && len(salts) > 0 {
		salt, ok = salts[0], true
	}
	if !ok {
		salt = register.NewSalt()
	}
	return salt, err
}
