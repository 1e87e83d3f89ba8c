package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"quire/repository/catalogue"
)

// checkRuns compares the records of runs, audits and copyings, in the copies with the register. An audit of all
// reads each line; others look for records that are missing, or that the register does not have. A record that a
// copy lost is written there again from another copy. With a repair, forged ones go to the quarantine folder.
func (a *audit) checkRuns(ctx context.Context) error {
	s := a.store
	if !s.registered() {
		return nil
	}
	entered, err := s.enteredRuns(ctx)
	if err != nil { // the register is damaged, and was reported
		return ctx.Err()
	}
	for _, c := range a.there {
		if c.isFar() {
			continue // the records of runs are in the folders
		}
		if err := a.forgedRuns(ctx, c, &entered); err != nil {
			return err
		}
	}
	names := map[string]string{} // run → name of its file
	for _, name := range s.allRuns() {
		run, _ := runOf(name)
		names[run] = name
	}
	for _, l := range entered.sorted() {
		if err := ctx.Err(); err != nil {
			return err
		}
		a.removedRun(ctx, l, names, entered)
	}
	return nil
}

// forgedRuns reports the records in a copy that differ from the register.
func (a *audit) forgedRuns(ctx context.Context, c *copyFolder, entered **enteredRuns) error {
	whole := a.choice.Kind == catalogue.Full
	for _, name := range runNames(c) {
		if err := ctx.Err(); err != nil {
			return err
		}
		path := filepath.Join(c.audits(), name)
		fault := (*entered).fault(path, whole)
		if fault != "" { // another process may have entered its run since
			now, err := a.store.enteredRuns(ctx)
			if err != nil {
				return err
			}
			*entered = now
			fault = now.fault(path, whole)
		}
		if fault == "" || !exists(path) {
			continue
		}
		repair := a.options.Repair && !a.options.DryRun
		a.addObject(Finding{Code: ForgedAudit, Copy: c.name, File: auditsFolder + "/" + name, Detail: fault}, repair)
		if repair {
			a.note(a.store.replaceForged(c, name, *entered))
		}
	}
	return nil
}

// replaceForged moves a forged record to the quarantine folder of its copy, and writes the right one.
func (s *Store) replaceForged(c *copyFolder, name string, entered *enteredRuns) error {
	aside := filepath.Join(c.quarantine(newToken()), auditsFolder, name)
	if err := s.setAside(filepath.Join(c.audits(), name), aside); err != nil {
		return err
	}
	if from := s.goodRun(name, entered); from != "" {
		return s.copyRun(c, name, from)
	}
	return nil
}

// removedRun reports the copies that lack the record of a run, and writes it there again. A copy that was away
// during the run gets it without a finding.
func (a *audit) removedRun(ctx context.Context, l runLeaf, names map[string]string, entered *enteredRuns) {
	s, run := a.store, runName(l.Run)
	name, from := names[run], ""
	var lacking []*copyFolder
	for _, c := range a.there {
		if !c.isFar() && (name == "" || !exists(filepath.Join(c.audits(), name))) {
			lacking = append(lacking, c)
		}
	}
	if len(lacking) == 0 || a.isAlive(run) {
		return
	}
	if name != "" {
		from = s.goodRun(name, entered)
	}
	if from == "" && !a.options.DryRun {
		if from = s.runFromFar(ctx, run, entered); from != "" {
			name = filepath.Base(from)
		}
		defer func() { a.note(s.disk.removeAll(filepath.Join(s.root, fetchedFolder))) }()
	}
	if from == "" {
		if !slices.ContainsFunc(s.copies, func(c *copyFolder) bool { return c.check(s.id) != nil }) {
			a.addFinding(Finding{Code: RemovedAudit, File: auditsFolder + "/" + run, Detail: fmt.Sprintf("no folder "+
				"has the record of this run; leaf %d of the register has its digest", l.index)})
		}
		return
	}
	head, err := readHead(from)
	for _, c := range lacking {
		if err == nil && !exists(filepath.Join(c.audits(), name)) && slices.Contains(head.In, c.name) {
			a.addObject(Finding{Code: RemovedAudit, Copy: c.name, File: auditsFolder + "/" + name, Detail: fmt.Sprintf(
				"the copy lacks the record of a run that another copy and leaf %d of the register have", l.index)},
				!a.options.DryRun)
		}
		if !a.options.DryRun {
			a.note(s.copyRun(c, name, from))
		}
	}
}

// isAlive reports whether a run is under way: its files get their names after its leaf.
func (a *audit) isAlive(run string) bool {
	l, err := a.store.tryLock(runLock(run), exclusive, "audit run "+run, "audit")
	if err == nil {
		l.release()
	}
	var held *BusyError
	return errors.As(err, &held)
}
