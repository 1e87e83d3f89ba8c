package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"quire/model"
	"quire/repository/catalogue"
)

// AuditOptions set the output of an audit.
type AuditOptions struct {
	Report   func(Finding)  // called for every finding at once, never concurrently
	Progress func(Progress) // called now and then, never concurrently
	DryRun   bool           // read only; record neither the run nor the states found
	Damage   *Damage        // collects the damaged packages for a repair; may be nil
}

// maxFindings bounds the findings in a report; Report receives all.
const maxFindings = 1000

// AuditReport has the result of an audit.
type AuditReport struct {
	Run      string      `json:"run"`
	Started  time.Time   `json:"started"`
	Finished time.Time   `json:"finished"`
	Packages int64       `json:"packages"`
	Copies   []CopyAudit `json:"copies"`
	Findings []Finding   `json:"findings"` // the first thousand
	Problems int64       `json:"problems"` // number of all findings
	Notes    []string    `json:"notes"`    // records that could not be written, such as an event on a read-only disk
	Wider    []Wider     `json:"wider"`    // access beyond the grants of the repository: a warning
}

// CopyAudit is the summary for one copy.
type CopyAudit struct {
	Name     string `json:"name"`
	Objects  int64  `json:"objects"`
	Files    int64  `json:"files"`
	Bytes    int64  `json:"bytes"`
	Problems int64  `json:"problems"`
}

// OK reports whether the audit found no problem.
func (r AuditReport) OK() bool { return r.Problems == 0 }

// Audit reads every byte of every copy, in place, and compares it with the catalogue. It reads the
// named packages, or all if none is named. A full audit also looks for files that belong to no
// package. It writes nothing into content, but a package with a changed state gets an event. The
// report lists all problems; an error means that the audit could not run, or was stopped.
func (s *Store) Audit(ctx context.Context, ids []string, o AuditOptions) (AuditReport, error) {
	a := &audit{store: s, options: o, ids: ids, stats: map[string]*CopyAudit{}}
	a.report = AuditReport{Run: newUUID(), Started: time.Now().UTC().Truncate(time.Microsecond), Findings: []Finding{},
		Notes: []string{}, Wider: []Wider{}}
	for _, c := range s.copies {
		a.stats[c.name] = &CopyAudit{Name: c.name}
	}
	var err error
	if o.DryRun {
		a.report.Run = "" // nobody will find it
		err = s.WouldWrite()
	} else {
		err = s.Writable()
	}
	if err == nil {
		err = a.run(ctx)
	}
	return a.report, err
}

// audit is the state of one audit run.
type audit struct {
	store   *Store
	options AuditOptions
	ids     []string
	meter   *meter
	log     *runLog
	there   []*copyFolder

	mu     sync.Mutex // guards the fields below: the copies are read in parallel
	report AuditReport
	stats  map[string]*CopyAudit
}

func (a *audit) run(ctx context.Context) error {
	total, err := a.size(ctx)
	if err != nil {
		return err
	}
	a.meter = newMeter(a.options.Progress, Auditing, total)
	a.findCopies()
	a.log = &runLog{} // the log of a dry run has no files
	if !a.options.DryRun {
		a.log = a.store.beginRun(a.there, a.report.Run, a.scope(), a.report.Started)
	}
	defer a.log.abandon()
	if err := a.packages(ctx); err != nil {
		return err
	}
	if len(a.ids) == 0 {
		for _, c := range a.there {
			if err := a.findUnexpected(ctx, c); err != nil {
				return err
			}
		}
	}
	if err := a.wider(ctx); err != nil {
		return err
	}
	slices.SortStableFunc(a.report.Findings, compareFindings) // the copies were read in parallel
	a.report.Finished = time.Now().UTC().Truncate(time.Microsecond)
	for _, c := range a.store.copies {
		a.report.Copies = append(a.report.Copies, *a.stats[c.name])
	}
	a.note(a.log.finish(a.report.Finished, a.report.Copies))
	return a.store.importRun(ctx, a.log)
}

func (a *audit) scope() string {
	if len(a.ids) == 0 {
		return "all"
	}
	return fmt.Sprint(len(a.ids))
}

// size adds up the bytes to read, and checks that every named package is known.
func (a *audit) size(ctx context.Context) (int64, error) {
	var total int64
	for card, err := range a.cards(ctx) {
		if err != nil {
			return 0, err
		}
		total += card.Bytes * int64(len(a.store.copies))
	}
	return total, nil
}

// cards yields the packages to read.
func (a *audit) cards(ctx context.Context) func(yield func(catalogue.Package, error) bool) {
	if len(a.ids) == 0 {
		return a.store.catalogue.Packages(ctx)
	}
	return func(yield func(catalogue.Package, error) bool) {
		for _, id := range a.ids {
			card, err := a.store.card(ctx, id)
			if !yield(card, err) || err != nil {
				return
			}
		}
	}
}

// findCopies reports missing copies. Each is one finding, not one for each package: most likely a
// disk is not mounted.
func (a *audit) findCopies() {
	for _, c := range a.store.copies {
		if err := c.check(a.store.id); err != nil {
			a.addFinding(Finding{Code: MissingCopy, Copy: c.name, Detail: err.Error()})
			continue
		}
		a.there = append(a.there, c)
		a.checkRoot(c)
	}
}

// addFinding counts, keeps and reports a finding.
func (a *audit) addFinding(f Finding) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.report.Problems++
	a.stats[f.Copy].Problems++
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

// packages reads every package. It reads a package last if an ingest is moving it into place at
// that moment.
func (a *audit) packages(ctx context.Context) error {
	var busy []string
	for card, err := range a.cards(ctx) {
		if err != nil {
			return err
		}
		l, err := a.store.tryRead(ctx, card.Object)
		var held *BusyError
		if errors.As(err, &held) {
			busy = append(busy, card.ID)
			continue
		}
		if err != nil {
			return err
		}
		if err := a.onePackage(ctx, card.ID, l); err != nil {
			return err
		}
	}
	for _, id := range busy {
		l, err := a.store.waitRead(ctx, objectID(id))
		if err != nil {
			return err
		}
		if err := a.onePackage(ctx, id, l); err != nil {
			return err
		}
	}
	return nil
}

// onePackage reads one package in all copies, and releases its lock.
func (a *audit) onePackage(ctx context.Context, id string, l *lock) error {
	defer l.release()
	card, err := a.store.card(ctx, id)
	if err != nil {
		return err
	}
	results, err := a.store.examine(ctx, card, a.there, a.addFinding, func(n int64) {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.meter.add(n)
	})
	if err != nil {
		return err
	}
	a.report.Packages++
	a.options.Damage.add(card, results)
	for _, e := range results {
		st := a.stats[e.copy.name]
		st.Objects++
		st.Files += e.files
		st.Bytes += e.bytes
		a.log.add(runLine{Package: card.ID, Copy: e.copy.name, Status: e.status(), Problems: e.found})
	}
	if a.options.DryRun {
		return nil
	}
	return a.writeStates(ctx, card, results)
}

// examine reads one package in the given copies, in parallel.
func (s *Store) examine(ctx context.Context, card catalogue.Package, copies []*copyFolder, report func(Finding),
	advance func(int64)) ([]*examination, error) {
	x, err := s.expect(ctx, card)
	if err != nil {
		return nil, err
	}
	held, err := s.catalogue.Copies(ctx, card.ID)
	if err != nil {
		return nil, err
	}
	owed := map[string]bool{}
	for _, k := range held {
		owed[k.Name] = k.Status == catalogue.Owed
	}
	results := make([]*examination, len(copies))
	errs := make([]error, len(copies))
	var wait sync.WaitGroup
	for i, c := range copies {
		results[i] = &examination{store: s, copy: c, expect: x, report: report, advance: advance,
			owed: owed[c.name]}
		wait.Go(func() { errs[i] = results[i].run(ctx) })
	}
	wait.Wait()
	return results, errors.Join(errs...)
}

// writeStates records the changes of state since the last audit. It writes no events for unchanged
// states, because they would hide the important events.
func (a *audit) writeStates(ctx context.Context, card catalogue.Package, results []*examination) error {
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
		if now != catalogue.Good {
			ev.Outcome = string(model.Fail)
		}
		a.note(s.writeEvent(card.Path, ev))
		line := ev.Event
		line.Copy = e.copy.name
		if err := s.catalogue.SetStatus(ctx, card.ID, e.copy.name, now, ev.Time, line); err != nil {
			return err
		}
	}
	return nil
}

// collector keeps findings, up to the bound, and adds up progress, for parallel readers.
type collector struct {
	mu    sync.Mutex
	list  []Finding
	limit int
	meter *meter
}

func newCollector(limit int, m *meter) *collector {
	return &collector{list: []Finding{}, limit: limit, meter: m}
}

func (c *collector) add(f Finding) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.list) < c.limit {
		c.list = append(c.list, f)
	}
}

func (c *collector) advance(n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.meter.add(n)
}
