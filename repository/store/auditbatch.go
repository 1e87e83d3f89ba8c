package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"quire/repository/catalogue"
)

// A batch ends after so many packages, or after so long. The results in it are lost with the
// process; those before are on disk in every copy, and in the catalogue.
const (
	batchPackages = 1000
	batchTime     = 5 * time.Second
)

// batch has the results that are not recorded yet.
type batch struct {
	packages int
	since    time.Time
	checks   []catalogue.Check
	changes  []objectEvent // of states, each with its event
	behind   bool          // the catalogue lacks some batches, since another process held it for too long
}

func (b *batch) due(now time.Time) bool {
	return b.packages >= batchPackages || b.packages > 0 && now.Sub(b.since) >= batchTime
}

// begin creates the record of the run.
func (a *audit) begin(ctx context.Context) error {
	a.log = &runLog{} // the log of a dry run has no files
	a.batch.since = a.report.Started
	if a.options.DryRun {
		return nil
	}
	var err error
	if a.log, err = a.store.beginRun(a.there, a.head()); err != nil {
		return err
	}
	return a.flush(ctx, a.report.Started)
}

// head returns the head of the record.
func (a *audit) head() runHead {
	h := runHead{Format: runFormat, Run: a.report.Run, Scope: a.scope().rule(), Started: a.report.Started,
		Choice: &a.choice, Resumes: a.resumes, Began: a.began, Whole: a.whole, Chosen: a.chosen, Of: a.of}
	if h.Salt = a.salt.String(); !a.store.registered() {
		h.Format, h.Salt = saltedFormat-1, ""
	}
	return h
}

// sign returns the function that signs the record.
func (a *audit) sign(ctx context.Context) func([]byte) (string, error) {
	return func(document []byte) (string, error) { return a.store.signRun(ctx, document) }
}

// flush records the batch: first in the copies, then in the catalogue. A catalogue that another
// process holds does not end an audit of days: the end of the run makes up for it.
func (a *audit) flush(ctx context.Context, now time.Time) error {
	if a.options.DryRun {
		return nil
	}
	changed := a.recordStates(ctx)
	if changed != nil && !isBusy(changed) {
		return changed
	}
	a.note(a.log.checkpoint(checkpoint{At: now, Place: a.place, Done: a.report.Packages, Copies: a.sums()},
		a.sign(ctx)))
	for i := range a.batch.checks {
		a.batch.checks[i].At = now
	}
	var err error
	if !a.log.lost() {
		run := a.row("", time.Time{})
		err = a.store.catalogue.PutChecks(ctx, &run, a.batch.checks)
	}
	if err = errors.Join(changed, err); isBusy(err) {
		a.note(err)
		a.batch.behind, err = true, nil
	}
	a.batch = batch{since: now, behind: a.batch.behind, checks: a.batch.checks[:0]}
	return err
}

// stateBatch is the maximum number of events in one note.
const stateBatch = 200

// recordStates records the changes of state of a batch. If the catalogue is busy, the next open of the
// repository makes up for it.
func (a *audit) recordStates(ctx context.Context) error {
	s := a.store
	for chunk := range slices.Chunk(a.batch.changes, stateBatch) {
		err := s.recordEvents(ctx, chunk, func() error {
			for _, e := range chunk {
				if s.wasPurged(ctx, e.path) { // since it was read
					continue
				}
				line := e.Event
				line.Copy = copyOf(e.Copy)
				if err := s.catalogue.SetStatus(ctx, e.Package, line.Copy, e.Status, e.Time, line); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *audit) sums() []CopyAudit {
	a.mu.Lock()
	defer a.mu.Unlock()
	sums := []CopyAudit{}
	for _, c := range a.store.copies {
		if sum := a.stats[c.name]; sum != nil {
			sums = append(sums, *sum)
		}
	}
	return sums
}

// row returns the row of the run in the catalogue.
func (a *audit) row(ended string, finished time.Time) catalogue.Run {
	h := a.head()
	return h.row(runFoot{Finished: finished, Ended: ended, Place: a.place, Done: a.report.Packages})
}

// end completes the record of the run, and makes the records of older runs smaller.
func (a *audit) end(ctx context.Context) error {
	if a.options.DryRun {
		return nil
	}
	now := a.report.Finished
	if err := a.flush(ctx, now); err != nil {
		a.note(err)
		a.batch.behind = true
	}
	foot := runFoot{Finished: now, Copies: a.report.Copies, Scope: a.scope().String(), Ended: a.ended, Place: a.place,
		Done: a.report.Packages}
	a.note(a.log.complete(foot, a.sign(ctx)))
	if err := a.enter(ctx, &foot); err != nil {
		a.note(fmt.Errorf("the register lacks this audit, and the next command that opens the repository enters it: %w",
			err))
		return nil
	}
	a.note(a.log.finish())
	var err error
	if a.log.lost() { // the notes say so, and the catalogue has nothing that the copies lack
		return nil
	}
	if a.batch.behind {
		err = a.store.importRun(ctx, a.log)
	} else {
		head := a.head()
		err = a.store.catalogue.EndRun(ctx, head.row(foot), head.sums(foot))
	}
	var busy *catalogue.BusyError
	if errors.As(err, &busy) {
		a.note(fmt.Errorf("%w; the next command that opens the repository reads this audit from its record", err))
		return nil
	}
	if err == nil {
		_, note := a.store.CompactAudits(ctx, false)
		a.note(note)
		a.note(a.store.shareFarRuns(ctx))
		a.keepAnchors(ctx)
	}
	return err
}

// enter appends the leaf of the run, before its files get their names.
func (a *audit) enter(ctx context.Context, foot *runFoot) error {
	if !a.log.proof.salted || a.log.lost() {
		return nil
	}
	leaf, err := a.log.proof.leaf(a.report.Run, foot)
	if err != nil {
		return err
	}
	return a.store.enterRun(ctx, leaf)
}

// resume takes over the choice and the place of a run that ended early.
func (a *audit) resume(ctx context.Context) error {
	if len(a.ids) > 0 || a.options.Sample != 0 || a.options.OlderThan != 0 || len(a.options.Copies) > 0 {
		return errors.New("audit: a run goes on with the packages and copies that it had: choose no others")
	}
	run, err := a.unfinished(ctx)
	if err != nil {
		return err
	}
	if err := errors.Join(json.Unmarshal([]byte(run.Choice), &a.choice),
		json.Unmarshal([]byte(run.Place), &a.place)); err != nil {
		return fmt.Errorf("audit run %s: its record is damaged: %w", run.Run, err)
	}
	a.resumes, a.began, a.whole = run.Run, run.Began, run.Whole
	a.before, err = a.store.catalogue.Problems(ctx, run.Run)
	return err
}

// unfinished returns the run to go on with.
func (a *audit) unfinished(ctx context.Context) (catalogue.Run, error) {
	if a.options.Resume != Newest {
		run, err := a.store.catalogue.Run(ctx, a.options.Resume)
		if errors.Is(err, catalogue.ErrNotFound) {
			return run, fmt.Errorf("there is no audit run %s in this repository", a.options.Resume)
		}
		if err == nil && !resumable(run.Kind, run.Ended) {
			err = fmt.Errorf("audit run %s cannot be resumed: it is complete, under way, or of named packages", run.Run)
		}
		return run, err
	}
	runs, err := a.store.catalogue.Runs(ctx)
	if err != nil {
		return catalogue.Run{}, err
	}
	if run, ok := openEnd(runs); ok {
		return run, nil
	}
	return catalogue.Run{}, errors.New("there is no audit run to resume: each one is complete")
}

// openEnd returns the newest run that ended early and that no other run went on with.
func openEnd(runs []catalogue.Run) (catalogue.Run, bool) {
	resumed := map[string]bool{}
	for _, r := range runs { // the newest first
		if !resumed[r.Run] && resumable(r.Kind, r.Ended) {
			return r, true
		}
		resumed[r.Resumes] = true
	}
	return catalogue.Run{}, false
}
