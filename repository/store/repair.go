package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quire/model"
	"quire/repository/catalogue"
	"quire/repository/ocfl"
)

// RepairOptions set the output of a repair.
type RepairOptions struct {
	Progress func(Progress) // called now and then, never concurrently
}

// RepairReport has the result of a repair.
type RepairReport struct {
	ID       string    `json:"id"`
	From     string    `json:"from"`     // the copy that all bytes came from; "" if no repair was needed
	Repaired []string  `json:"repaired"` // the copies that were replaced
	Findings []Finding `json:"findings"` // the faults of these copies
}

// Repair reads a package in every copy, and replaces damaged or missing objects from a good copy.
// It reads and checks the good object first. It writes the new object to staging, reads it back,
// and moves it into place under the same protocol as an ingest. The damaged object moves to the
// quarantine folder of its copy. A good copy is never written to, except for the event. Without a
// good copy nothing changes, and the error is a [*ContentError].
func (s *Store) Repair(ctx context.Context, id string, o RepairOptions) (RepairReport, error) {
	if err := s.Writable(); err != nil {
		return RepairReport{}, err
	}
	card, err := s.card(ctx, id)
	if err != nil {
		return RepairReport{}, err
	}
	key := objectKey(card.Object)
	l, err := tryWriter(ctx, s.lockPath(key), "package "+id, "repair")
	if err != nil {
		return RepairReport{}, err
	}
	defer l.release()
	if err := s.settle(ctx, key); err != nil {
		return RepairReport{}, err
	}
	if err := s.allPresent(); err != nil {
		return RepairReport{}, err
	}
	if card, err = s.card(ctx, id); err != nil {
		return RepairReport{}, err
	}
	r := s.newRepair(card)
	if err := r.examine(ctx, o.Progress); err != nil || len(r.bad) == 0 {
		return r.report, err
	}
	r.journal = journal{Format: 1, Kind: kindRepair, State: begun, Tx: newToken(), Package: id, Object: card.Object,
		Path: card.Path, Version: card.Head, Inventory: card.Inventory, Copies: r.report.Repaired,
		Started: time.Now().UTC(), By: newHolder("repair")}
	if err := r.prepare(ctx, o.Progress); err != nil {
		return r.report, errors.Join(err, s.drop(key, &r.journal))
	}
	return r.report, s.rollForward(context.WithoutCancel(ctx), key, &r.journal, nil)
}

// PlanRepair returns the report that [Store.Repair] would return, and writes nothing. Like Repair,
// it reads the package in every copy.
func (s *Store) PlanRepair(ctx context.Context, id string, o RepairOptions) (RepairReport, error) {
	card, err := s.card(ctx, id)
	if err != nil {
		return RepairReport{}, err
	}
	l, err := s.waitRead(ctx, card.Object)
	if err != nil {
		return RepairReport{}, err
	}
	defer l.release()
	if err := errors.Join(s.allPresent(), s.WouldWrite()); err != nil {
		return RepairReport{}, err
	}
	if card, err = s.card(ctx, id); err != nil {
		return RepairReport{}, err
	}
	r := s.newRepair(card)
	err = r.examine(ctx, o.Progress)
	return r.report, err
}

func (s *Store) newRepair(card catalogue.Package) *repair {
	return &repair{store: s, card: card, key: objectKey(card.Object),
		report: RepairReport{ID: card.ID, Repaired: []string{}, Findings: []Finding{}}}
}

// repair is one package during its repair. Its object is locked.
type repair struct {
	store   *Store
	card    catalogue.Package
	key     string
	good    *copyFolder
	bad     []*copyFolder
	journal journal
	report  RepairReport
}

// examine sorts the copies into good and bad.
func (r *repair) examine(ctx context.Context, progress func(Progress)) error {
	s := r.store
	meter := newMeter(progress, Auditing, r.card.Bytes*int64(len(s.copies)))
	found := newCollector(meter)
	results, err := s.examine(ctx, r.card, s.copies, found.add, found.advance)
	if err != nil {
		return err
	}
	slices.SortStableFunc(found.list, compareFindings) // the copies were read in parallel
	r.report.Findings = found.list
	for _, e := range results {
		switch {
		case e.status() != catalogue.Good:
			r.bad = append(r.bad, e.copy)
			r.report.Repaired = append(r.report.Repaired, e.copy.name)
		case r.good == nil:
			r.good = e.copy
		}
	}
	if r.good != nil {
		if len(r.bad) > 0 {
			r.report.From = r.good.name
		}
		return nil
	}
	r.report.Repaired = []string{}
	var wrong problems
	for _, f := range found.list {
		wrong.add(f.where(), "%s", f.what())
	}
	return wrong.err("package " + r.card.ID + " is undamaged in no copy, so nothing was changed")
}

// prepare stages the complete object in every bad copy, and commits.
func (r *repair) prepare(ctx context.Context, progress func(Progress)) error {
	s := r.store
	v, err := r.survey(ctx)
	if err != nil {
		return err
	}
	if err := s.checkSpace(v.bytes); err != nil {
		return err
	}
	if err := s.writeJournal(r.key, &r.journal); err != nil {
		return err
	}
	meter := newMeter(progress, Copying, v.bytes)
	job := &stageJob{survey: v, keep: make([]bool, len(v.files)), disk: s.disk, advance: meter.add}
	for i := range job.keep {
		job.keep[i] = true
	}
	for _, c := range r.bad {
		job.folders = append(job.folders, c.stagedObject(r.journal.Tx))
	}
	if err := job.stage(ctx); err != nil {
		return err
	}
	if err := r.match(ctx, v); err != nil {
		return err
	}
	if err := r.writeEvents(); err != nil {
		return err
	}
	for _, c := range r.bad {
		if err := s.syncTree(c.staging(r.journal.Tx)); err != nil {
			return fmt.Errorf("syncing copy %s: %w", c.name, err)
		}
	}
	decided := r.journal
	decided.State = committed
	if err := s.writeJournal(r.key, &decided); err != nil {
		return err
	}
	r.journal = decided
	return nil
}

// survey lists every file of the good object, with its required digest; events have none.
func (r *repair) survey(ctx context.Context) (*survey, error) {
	x, err := r.store.expect(ctx, r.card)
	if err != nil {
		return nil, err
	}
	v := &survey{dir: r.good.object(r.card.Path)}
	err = filepath.WalkDir(v.dir, func(p string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, err := filepath.Rel(v.dir, p)
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if strings.HasPrefix(filepath.Base(p), ".") && x.digests[name] == "" {
			return nil // an event interrupted during its writing
		}
		v.files = append(v.files, sourceFile{path: name, size: info.Size(), mod: info.ModTime(),
			stated: x.digests[name]})
		v.bytes += info.Size()
		return nil
	})
	return v, err
}

// match compares the bytes read from the good copy with the required digests, and the bytes written
// with the bytes read.
func (r *repair) match(ctx context.Context, v *survey) error {
	for _, f := range v.files {
		if f.stated != "" && f.stated != f.found {
			return fmt.Errorf("copy %s, %s: %s has SHA-512 %s, but %s was read a moment ago; the disk or "+
				"the memory is failing",
				r.good.name, r.card.ID, f.path, f.found, f.stated)
		}
		var paths []string
		for _, c := range r.bad {
			paths = append(paths, filepath.Join(c.stagedObject(r.journal.Tx), filepath.FromSlash(f.path)))
		}
		if err := readBack(ctx, paths, f.found); err != nil {
			return err
		}
	}
	return nil
}

// writeEvents stages an event for each repaired copy, in each of these copies.
func (r *repair) writeEvents() error {
	for _, c := range r.bad {
		e := r.store.newEvent(model.Recovery, r.card.ID, c.name, fmt.Sprintf(
			"the object in %s was damaged or missing and was replaced from %s; written, synced, read back and "+
				"matched; what was there before is in %s/%s",
			c.name, r.good.name, quarantineFolder, r.journal.Tx))
		e.Status = statusGood
		text, err := e.marshal()
		if err != nil {
			return err
		}
		for _, to := range r.bad {
			folder := filepath.Join(to.stagedObject(r.journal.Tx), ocfl.LogsDir)
			if err := r.store.disk.mkdirAll(folder); err != nil {
				return err
			}
			if err := r.store.disk.writeFile(filepath.Join(folder, e.File), text, storedFile); err != nil {
				return err
			}
		}
	}
	return nil
}
