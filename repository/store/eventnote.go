package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"quire/repository/ocfl"
	"quire/repository/register"
)

// objectEvent is an event with the place of its object.
type objectEvent struct {
	object, path string // OCFL id, and path below a storage root
	event
}

// eventsPrefix begins the keys of notes of events: they concern several objects.
const eventsPrefix = "events-"

// recordEvents writes events into the logs of their objects, enters them in the register, and calls rows to
// write them to the catalogue. A note makes these steps one: after a kill, recovery repeats them. Events of
// purged objects are left out. The caller holds no lock of the objects for writing.
func (s *Store) recordEvents(ctx context.Context, list []objectEvent, rows func() error) error {
	j := journal{Format: 1, Kind: kindEvents, State: committed, Tx: newToken(), Started: time.Now().UTC(),
		By: newHolder("recording events")}
	if !s.registered() { // an earlier version of Quire made the repository, and nothing was written since
		for _, e := range list {
			if err := s.writeEvent(e.path, e.event); err != nil {
				return err
			}
		}
		return rows()
	}
	all := &leaves{}
	for _, e := range list {
		if s.wasPurged(ctx, e.path) { // it has no salt any more
			continue
		}
		if err := s.noteEvent(ctx, &j, all, e); err != nil {
			return err
		}
	}
	if len(j.Events) == 0 {
		return rows()
	}
	key := eventsPrefix + j.Tx
	l, err := tryLock(s.lockPath(key), exclusive, "events", "recording")
	if err != nil {
		return err
	}
	defer l.release()
	if err := s.seal(ctx, &j, all); err != nil {
		return err
	}
	if err := s.writeJournal(key, &j); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // it is decided
	if err := s.putEvents(ctx, &j); err != nil {
		return err
	}
	if err := rows(); err != nil {
		return err
	}
	return s.removeJournal(key)
}

// noteEvent adds an event to a note, and its leaf to the leaves.
func (s *Store) noteEvent(ctx context.Context, j *journal, all *leaves, e objectEvent) error {
	var err error
	if e.Away, err = s.unreached(); err != nil {
		return err
	}
	text, err := e.marshal()
	if err != nil {
		return err
	}
	salt, ok, err := s.knownSalt(ctx, e.object, e.path)
	if err != nil {
		return err
	}
	if !ok {
		salt = register.NewSalt()
		if err := s.putSalt(e.path, salt); err != nil {
			return err
		}
	}
	l := leavesOf(salt, e.object)
	l.event(e.Event, text)
	all.list, all.err = append(all.list, l.list...), errors.Join(all.err, l.err)
	j.Events = append(j.Events, noteEvent{Object: e.object, Path: e.path, File: e.File, Text: string(text)})
	return nil
}

// unreached returns the copies that this program does not write to: those that are away, and those that another
// command added after the repository was opened. An event names them, so that no audit takes it for removed there.
func (s *Store) unreached() ([]string, error) {
	config, err := readConfig(s.root)
	if err != nil {
		return nil, err
	}
	list := s.away()
	for _, p := range config.Copies {
		if s.copyNamed(p.Name) == nil {
			list = append(list, p.Name)
		}
	}
	return list, nil
}

// putEvents enters the leaves of a note of events, and writes the events. It can be repeated. The caller holds
// no locks of the objects.
func (s *Store) putEvents(ctx context.Context, j *journal) error {
	if err := s.enter(ctx, j.Register); err != nil {
		return err
	}
	for _, e := range j.Events {
		l, err := s.waitRead(ctx, e.Object) // installing a version replaces the log folder
		if err != nil {
			return err
		}
		if !s.wasPurged(ctx, e.Path) {
			err = s.putEvent(e)
		}
		l.release()
		if err != nil {
			return err
		}
	}
	return nil
}

// putEvent writes an event file into each present copy that has the object. It fails if no copy has the
// file afterwards.
func (s *Store) putEvent(e noteEvent) error {
	var errs []error
	written := false
	for _, c := range s.present() {
		if !exists(c.object(e.Path)) {
			continue
		}
		err := error(nil)
		if !exists(filepath.Join(c.object(e.Path), ocfl.LogsDir, e.File)) {
			err = s.addEventFile(c, e.Path, e.File, []byte(e.Text))
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("copy %s: %w", c.name, err))
		}
		written = written || err == nil
	}
	if !written {
		errs = append(errs, fmt.Errorf("no copy of %s has it", e.Object))
		return fmt.Errorf("writing the event %s: %w", e.File, errors.Join(errs...))
	}
	return nil
}

// settleGarbledEvents sets a note of events aside that cannot be read. Its events were not acknowledged; an
// audit reports those that are incomplete.
func (s *Store) settleGarbledEvents(key string, cause *noteError) error {
	aside := filepath.Join(s.root, quarantineFolder, time.Now().UTC().Format(eventTime)+"-"+key+".json")
	if err := s.setAside(s.journalPath(key), aside); err != nil {
		return err
	}
	s.addRecovery(Recovery{Outcome: SetAside, Detail: fmt.Sprintf("%v; it is in %s now. Events that were being "+
		"recorded may be incomplete: audit the repository", cause, aside)})
	return nil
}

// settleEvents finishes the events of a killed process. The caller holds the lock of the note.
func (s *Store) settleEvents(ctx context.Context, key string, j *journal) error {
	if err := s.putEvents(ctx, j); err != nil {
		return err
	}
	done := map[string]bool{}
	for _, e := range j.Events {
		if done[e.Path] {
			continue
		}
		done[e.Path] = true
		if s.wasPurged(ctx, e.Path) {
			continue
		}
		if err := s.recordObject(ctx, e.Path, nil); err != nil {
			return err
		}
	}
	if err := s.removeJournal(key); err != nil {
		return err
	}
	s.addRecovery(Recovery{Outcome: Finished,
		Detail: fmt.Sprintf("%d events by %s were cut off, and are recorded now", len(j.Events), j.By)})
	return nil
}
