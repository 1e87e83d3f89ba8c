package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quire/model"
	"quire/repository/catalogue"
	"quire/repository/ocfl"
)

// record decides the events of the batch by its note, writes them, and records the states of the copies.
func (b *refillBatch) record(ctx context.Context, begun *journal) error {
	s := b.store
	j := *begun
	j.Kind, j.State, j.Started = kindEvents, committed, time.Now().UTC()
	all := &leaves{}
	var states []catalogue.State
	for _, item := range b.items {
		b.newEvents(item)
		l := leavesOf(item.known.salt, item.card.Object)
		for _, e := range item.events {
			text, err := e.marshal()
			if err != nil {
				return errors.Join(err, s.drop(b.key, begun))
			}
			l.event(e.Event, text)
			j.Events = append(j.Events,
				noteEvent{Object: item.card.Object, Path: item.card.Path, File: e.File, Text: string(text)})
			line := e.Event
			line.Copy = copyOf(e.Copy)
			states = append(states,
				catalogue.State{Package: item.card.ID, Copy: line.Copy, Status: e.Status, Event: line})
		}
		all.list, all.err = append(all.list, l.list...), errors.Join(all.err, l.err)
	}
	if err := s.seal(ctx, &j, all); err != nil {
		return errors.Join(err, s.drop(b.key, begun))
	}
	b.decided = true
	if err := s.writeJournal(b.key, &j); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // it is decided
	if err := s.enter(ctx, j.Register); err != nil {
		return err
	}
	if err := b.putEvents(&j); err != nil {
		return err
	}
	if err := s.disk.allow("catalogue", "states"); err != nil {
		return err
	}
	if err := s.catalogue.SetStates(ctx, states); err != nil {
		return err
	}
	return s.removeJournal(b.key)
}

// putEvents writes the events of a note into all copies at once. If that fails in a copy, the note remains,
// and the next refill or open follows it.
func (b *refillBatch) putEvents(j *journal) error {
	if err := b.stageEvents(j); err != nil {
		return err
	}
	return b.nameEvents(j)
}

// stageEvents writes the events under their temporary names, as [disk.replaceFile] does, and syncs them.
func (b *refillBatch) stageEvents(j *journal) error {
	for _, e := range j.Events {
		for _, c := range b.having(e.Path) {
			b.disks[c].made[c.object(e.Path)] = true
			folder := filepath.Join(c.object(e.Path), ocfl.LogsDir)
			if err := b.disks[c].makeFolder(folder); err != nil {
				return err
			}
			if err := b.disks[c].write(filepath.Join(folder, tempName(e.File)), []byte(e.Text)); err != nil {
				return err
			}
		}
	}
	return b.sync()
}

func (b *refillBatch) nameEvents(j *journal) error {
	for _, e := range j.Events {
		for _, c := range b.having(e.Path) {
			folder := filepath.Join(c.object(e.Path), ocfl.LogsDir)
			temp, final := filepath.Join(folder, tempName(e.File)), filepath.Join(folder, e.File)
			if err := b.disks[c].rename(temp, final); err != nil {
				return err
			}
		}
	}
	return b.sync()
}

// having returns the present copies that have an object.
func (b *refillBatch) having(path string) (list []*copyFolder) {
	for _, c := range b.present {
		if b.disks[c].made[c.object(path)] || exists(c.object(path)) {
			list = append(list, c)
		}
	}
	return list
}

// settleRefills follows the notes of events that failed batches of this process left, or killed processes.
func (s *Store) settleRefills(ctx context.Context) error {
	keys, err := s.journalKeys()
	if err != nil {
		return err
	}
	keys = slices.DeleteFunc(keys, func(key string) bool { return !strings.HasPrefix(key, eventsPrefix) })
	_, err = s.recoverChanges(ctx, keys)
	return err
}

// cameBack reports whether a copy that is known to lack a package has its object: a refill that was killed
// wrote it, or a person.
func (r *repair) cameBack(known *facts) bool {
	for _, c := range r.present {
		if known.Copies[c.name] == catalogue.Missing && exists(c.object(r.card.Path)) {
			return true
		}
	}
	return false
}

// confirmGood records that copies are good that a repair read in full, and that the catalogue has in another
// state. The caller holds no lock of the object.
func (s *Store) confirmGood(ctx context.Context, card catalogue.Package, good []string) error {
	held, err := s.catalogue.Copies(ctx, card.ID)
	if err != nil {
		return err
	}
	var list []objectEvent
	for _, k := range held {
		if k.Status == catalogue.Good || !slices.Contains(good, k.Name) {
			continue
		}
		e := s.newEvent(model.FixityCheck, card.ID, k.Name,
			fmt.Sprintf("read in %s: 0 problems; it was %s before and is %s now", k.Name, k.Status, catalogue.Good))
		e.Status = catalogue.Good
		s.follow(card.Path, &e)
		list = append(list, objectEvent{card.Object, card.Path, e})
	}
	if len(list) == 0 {
		return nil
	}
	return s.recordEvents(ctx, list, func() error {
		var states []catalogue.State
		for _, e := range list {
			line := e.Event
			line.Copy = copyOf(e.Copy)
			states = append(states, catalogue.State{Package: card.ID, Copy: line.Copy, Status: e.Status, Event: line})
		}
		return s.catalogue.SetStates(ctx, states)
	})
}
