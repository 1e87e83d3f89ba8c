package migrate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"quire/internal/atomicdir"
	"quire/internal/spool"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/identify"
)

// Options configures Run. From may be empty: it is then everything that the rule accepts.
type Options struct {
	From     []string                       // PRONOM keys and media types
	Rule     *Rule                          // needed
	Out      string                         // the package folder to make; it must not exist, or be empty
	Jobs     int                            // conversions at the same time; 0 is the number of processors
	Date     time.Time                      // of the records, the events and the METS; the zero time is now
	Agent    model.Agent                    // the software: name and version
	DryRun   bool                           // read the package and choose; convert and write nothing
	Start    func(what string, total int64) // receives the step that begins, and its bytes to read; may be nil
	Progress func(bytes int64)              // receives the bytes read; may be nil
}

// ErrNothing reports that no bytestream of the package has the format.
var ErrNothing = errors.New("nothing to migrate")

// ErrDamaged reports that a file of the package differs from its METS.
var ErrDamaged = errors.New("the package is damaged")

// job is the state of one migration.
type job struct {
	o       Options
	from    formatSet
	tool    tool
	old     model.Package
	outline *outline // of its METS
	pkg     string   // the old package
	work    *atomicdir.Workplace
	out     string // where the new one is being made: the folder of work
	scratch string // for temporary files
	formats *identify.Identifier

	objects   *objects // bytestream objects in the METS
	chosen    *spool.Spool[chosen]
	touched   map[int]struct{}    // containers with chosen records
	converted map[digest]struct{} // records that already have a conversion to the target type
	done      *spool.Spool[done]
	placed    *spool.Spool[placed]
	container *model.Container // the new one
	name      string           // of the new container, within the package
	lines     aip.MadeFile     // its CDXJ index
	number    int              // of the new container
	notes     tally
	document  aip.MadeFile // METS of the records of the new container
	result    Result
}

// Run migrates a package. Options.Out appears when everything is written and synced; after an error
// nothing remains. With ErrNothing there is also a Result, with the skipped records and the
// reasons.
func Run(ctx context.Context, pkg string, o Options) (_ *Result, err error) {
	if o.Date.IsZero() {
		o.Date = time.Now()
	}
	o.Date = o.Date.UTC().Truncate(time.Second)
	j := &job{o: o, pkg: pkg, converted: map[digest]struct{}{}, touched: map[int]struct{}{}, notes: tally{},
		result: Result{Left: map[string]int64{}, Failures: []Failure{}}}
	if j.from, err = o.Rule.accepts(o.From); err != nil {
		return nil, err
	}
	if j.tool, err = newTool(ctx, &j.o); err != nil {
		return nil, err
	}
	if err := atomicdir.Check(o.Out); err != nil {
		return nil, err
	}
	result, err := atomicdir.For(o.Out, o.DryRun)
	if err != nil {
		return nil, err
	}
	defer result.End(&err)
	scratch, err := atomicdir.For(o.Out, o.DryRun)
	if err != nil {
		return nil, err
	}
	defer scratch.End(&err)
	j.work, j.out, j.scratch = result, result.Path(), scratch.Path()
	if err := j.run(ctx); errors.Is(err, ErrNothing) {
		j.result.Package, j.result.ID, j.result.Rule = pkg, j.old.ID, o.Rule.Name
		return &j.result, err
	} else if err != nil {
		return nil, err
	}
	if err := result.Install(o.Out); err != nil {
		return nil, err
	}
	return &j.result, nil
}

// run makes the new package.
func (j *job) run(ctx context.Context) (err error) {
	if err := j.open(); err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, j.objects.sorter.Close(), j.chosen.Close(), j.done.Close(), j.placed.Close())
	}()
	if err := j.copyAll(ctx); err != nil {
		return err
	}
	if j.result.Selected == 0 {
		return fmt.Errorf("%w: %s has no bytestream with the format %s", ErrNothing, j.pkg, j.from)
	}
	if j.o.DryRun {
		return j.foresee()
	}
	if err := j.migrate(ctx); err != nil {
		return err
	}
	if j.result.Converted+j.result.Failed == 0 {
		return j.allLeft()
	}
	if err := j.place(ctx); err != nil {
		return err
	}
	j.conclude()
	return j.describe()
}

// allLeft returns the error that all bytestreams were skipped, with the reasons.
func (j *job) allLeft() error {
	return fmt.Errorf("%w: all bytestreams with the format %s in %s were skipped: %s", ErrNothing, j.from, j.pkg,
		strings.Join(lines(j.result.Left), "; "))
}

// remembered is how many formats are remembered: images that a site shows on each page recur soon.
const remembered = 10_000

// open reads the description of the package.
func (j *job) open() (err error) {
	if j.old, err = readPackage(j.pkg); err != nil {
		return err
	}
	if j.old.Profile == aip.CollectionProfile {
		return fmt.Errorf("%s is a collection and has no content: migrate its packages", j.pkg)
	}
	j.objects = newObjects(j.scratch)
	if j.outline, err = openOutline(j.pkg, j.objects); err != nil {
		return fmt.Errorf("%s in %s: %w", aip.METSName, j.pkg, err)
	}
	j.number = j.outline.containers + 1
	j.name = j.containerName()
	if j.formats, err = identify.New(identify.Options{Remember: remembered}); err != nil {
		return err
	}
	if j.chosen, err = spool.New[chosen](j.scratch); err != nil {
		return err
	}
	if j.done, err = spool.New[done](j.scratch); err != nil {
		return errors.Join(err, j.chosen.Close())
	}
	if j.placed, err = spool.New[placed](j.scratch); err != nil {
		return errors.Join(err, j.chosen.Close(), j.done.Close())
	}
	return nil
}
