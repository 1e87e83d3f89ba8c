package store

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"quire/repository/catalogue"
	"quire/repository/register"
)

// AuditOptions choose the packages of an audit, and set its output. Without a choice, it reads all.
type AuditOptions struct {
	Report   func(Finding)  // called for every finding at once, never concurrently
	Progress func(Progress) // called now and then, never concurrently
	DryRun   bool           // read only; record neither the run nor the states found
	Damage   *Damage        // collects the damaged packages for a repair; may be nil
	Repair   bool           // a repair follows: events that the register does not have go to the quarantine folder

	Sample    Share    // read this share of the packages, rounded up
	Seed      uint64   // of the sample; 0: a random one
	OlderThan Span     // read each package in the copies where it was not read for longer than this
	Copies    []string // read only these copies; none: all
	For       Span     // stop after this time, between two packages
	Rate      Rate     // read at most so many bytes in a second, from all copies together
	Resume    string   // go on with this run, or with the newest that ended early: [Newest]
}

// Newest is the value of AuditOptions.Resume for the newest run that ended early.
const Newest = "newest"

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
	Scope    AuditScope  `json:"scope"`    // the part of the repository that was read

	Register RegisterState `json:"register"` // the register that the copies were compared with
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

// Audit reads every byte of the chosen packages, in place, and compares it with the catalogue. It reads
// the named packages, or all if none is named, or those that the options choose. An audit of all also
// looks for files that belong to no package. It writes nothing into content, but a package with a changed
// state gets an event, and a copy the events that another one has. It records its results in batches: a
// run that ends early keeps them. The report lists all problems; an error means that the audit could not
// run, or was stopped.
func (s *Store) Audit(ctx context.Context, ids []string, o AuditOptions) (AuditReport, error) {
	a := &audit{store: s, options: o, ids: ids, stats: map[string]*CopyAudit{}, absent: []string{},
		salt: register.NewSalt()}
	a.report = AuditReport{Run: newUUID(), Started: s.moment(), Findings: []Finding{}, Notes: []string{},
		Wider: []Wider{}}
	var err error
	if o.DryRun {
		a.report.Run = "" // nobody will find it
		err = s.WouldWrite()
	} else {
		err = s.Writable()
	}
	if err == nil {
		err = a.prepare(ctx)
	}
	if err == nil {
		err = a.run(ctx)
	}
	a.report.Scope = a.scope()
	return a.report, err
}

// moment is the current time, as it is recorded.
func (s *Store) moment() time.Time { return s.now().UTC().Truncate(time.Microsecond) }

// audit is the state of one audit run.
type audit struct {
	store   *Store
	options AuditOptions
	ids     []string
	choice  choice
	resumes string    // the run before
	before  int64     // problems that this run and those before it found
	began   time.Time // start of the first of the runs that go on with each other
	whole   bool      // every copy of the repository is read, and was read by the runs before
	place   place
	of      int64 // packages in the repository
	chosen  int64
	ended   string
	meter   *meter
	slow    *throttle
	batch   batch
	log     *runLog
	salt    register.Salt // of the digests over its record
	there   []*copyFolder

	start     int64 // leaves of the register at the start
	confirmed int64 // packages that were among them
	differing int64 // packages that the catalogue has in another version

	absent []string

	mu     sync.Mutex // guards the fields below: the copies are read in parallel
	report AuditReport
	stats  map[string]*CopyAudit
}

// prepare makes the choice, and looks for the copies.
func (a *audit) prepare(ctx context.Context) (err error) {
	a.began, a.whole = a.report.Started, true
	if a.options.Resume != "" {
		err = a.resume(ctx)
	} else {
		a.choice, err = a.choose()
	}
	if err != nil {
		return err
	}
	for _, c := range a.store.copies {
		if a.choice.has(c.name) {
			a.stats[c.name] = &CopyAudit{Name: c.name}
		}
	}
	if a.choice.Kind == catalogue.Sample && a.options.Resume == "" {
		err = a.drawSample(ctx)
	}
	return err
}

func (a *audit) run(ctx context.Context) error {
	a.findCopies()
	total, err := a.size(ctx)
	if err != nil {
		return err
	}
	a.meter = newMeter(a.options.Progress, Auditing, total)
	a.slow = &throttle{rate: a.options.Rate, now: a.store.now, wait: a.store.wait}
	if err := a.begin(ctx); err != nil {
		return err
	}
	defer a.log.abandon()
	err = a.read(ctx)
	a.ended = endOf(err)
	if errors.Is(err, errOutOfTime) {
		err = nil
	}
	slices.SortStableFunc(a.report.Findings, compareFindings) // the copies were read in parallel
	a.report.Finished = a.store.moment()
	for _, c := range a.store.copies {
		if sum := a.stats[c.name]; sum != nil {
			a.report.Copies = append(a.report.Copies, *sum)
		}
	}
	return errors.Join(err, a.end(context.WithoutCancel(ctx)))
}

// errOutOfTime ends a run whose time is over.
var errOutOfTime = errors.New("the time of the audit is over")

// endOf returns the reason for the end of a run.
func endOf(err error) string {
	switch {
	case err == nil:
		return catalogue.Complete
	case errors.Is(err, errOutOfTime):
		return EndedByTime
	case errors.Is(err, context.Canceled):
		return EndedByStop
	}
	return EndedByFailure
}

// read compares the registers and the records of audits, and reads the packages. An audit of all then looks for
// files that belong to no package.
func (a *audit) read(ctx context.Context) error {
	if err := errors.Join(a.checkRegister(ctx), a.checkAnchors(), a.checkRuns(ctx)); err != nil {
		return err
	}
	if err := a.packages(ctx); err != nil {
		return err
	}
	if a.choice.Kind == catalogue.Full {
		gone, err := a.purges(ctx)
		if err != nil {
			return err
		}
		for _, c := range a.there {
			if err := a.findUnexpected(ctx, c, gone); err != nil {
				return err
			}
		}
		a.findLost()
	}
	return a.wider(ctx)
}

// size counts the packages to read, and adds up their bytes. It checks that every named package is
// known.
func (a *audit) size(ctx context.Context) (total int64, err error) {
	if a.of, err = a.store.catalogue.Count(ctx); err != nil {
		return 0, err
	}
	for t, err := range a.targets(ctx) {
		if err != nil {
			return 0, err
		}
		a.chosen++
		total += t.bytes * int64(len(t.copies))
	}
	a.chosen += int64(len(a.place.Later))
	return total, nil
}

// findCopies reports missing copies. Each is one finding, not one for each package: most likely a
// disk is not mounted.
func (a *audit) findCopies() {
	for _, c := range a.store.copies {
		if !a.choice.has(c.name) {
			a.whole = false
			continue
		}
		if err := c.check(a.store.id); err != nil {
			a.whole = false
			a.absent = append(a.absent, c.name)
			a.addFinding(Finding{Code: MissingCopy, Copy: c.name, Detail: err.Error()})
			continue
		}
		a.there = append(a.there, c)
		a.checkRoot(c)
	}
}
