package plugin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"time"

	"quire/internal/sandbox"
)

// Options of New.
type Options struct {
	Configs []Config
	Builtin func(label, name string, with map[string]string) (Tool, error) // makes what is built in: builtin.New

	// tools that work at the same time; 0 is one less than there are processors, at least one:
	// visitors come first
	Workers int
	TempDir string // "" is where temporary files go

	CacheDir   string // folder in which is kept what tools said that took their time; "" is none
	CacheBytes int64  // how much of that; 0 is DefaultCache

	// Jail says whether programs run where the kernel cannot lock them in; "" is
	// [sandbox.DefaultDemand]. What is lacking of the jail, and does not keep them from running,
	// goes to Problem.
	Jail sandbox.Demand

	// Hold is asked before each run of a tool, and may wait while others need the machine. Its
	// error is one of ctx. May be nil.
	Hold func(ctx context.Context) error

	// Problem is told what is wrong with a tool as such: there is no such program, it says no
	// version. For what is about all of them the label is "*". May be nil, must be safe to be
	// called from several goroutines.
	Problem func(label string, err error)
}

// Runner has all tools of a configuration look at bytestreams, a few at a time. It may be used from
// several goroutines.
type Runner struct {
	o       Options
	tools   []*entry
	workers chan struct{} // taken while a tool works: who waits is served in the order of coming
	flights flights
	cache   *cache // nil when there is none
	noCache sync.Once
}

var _ Examiner = (*Runner)(nil)

// New makes the tools. That a program is not there is no error: it will be its result.
func New(o Options) (*Runner, error) {
	if o.Workers <= 0 {
		o.Workers = max(1, runtime.GOMAXPROCS(0)-1)
	}
	r := &Runner{o: o, workers: make(chan struct{}, o.Workers)}
	if o.CacheDir != "" {
		var err error
		if r.cache, err = newCache(o.CacheDir, o.CacheBytes); err != nil {
			return nil, fmt.Errorf("keeping what tools say: %w", err)
		}
	}
	if err := r.askJail(); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, c := range o.Configs {
		if err := c.Check(); err != nil {
			return nil, err
		}
		if seen[c.Label] {
			return nil, fmt.Errorf("the label %q is there twice: a reader could not tell the tools apart", c.Label)
		}
		seen[c.Label] = true
		e, err := newEntry(c, &o)
		if err != nil {
			return nil, err
		}
		r.tools = append(r.tools, e)
	}
	return r, nil
}

// askJail tells what of the jail does not hold here, if there are programs to be run in it.
func (r *Runner) askJail() error {
	jail := sandbox.Jail()
	commands := slices.ContainsFunc(r.o.Configs, func(c Config) bool { return c.Builtin == "" })
	if !commands || jail.Whole() {
		return nil
	}
	if err := r.o.Jail.Allows(jail); err != nil {
		return fmt.Errorf("the tools that are programs: %w", err)
	}
	r.problem("*", fmt.Errorf("programs are not locked in wholly on this machine; %s", jail))
	return nil
}

// Close ends programs that are kept running. The runner may be used on, which starts them again for
// one run each.
func (r *Runner) Close() (err error) {
	for _, e := range r.tools {
		if c, ok := e.tool.(io.Closer); ok {
			err = errors.Join(err, c.Close())
		}
	}
	return err
}

// Run has all tools look at a bytestream whose media types match, and gives what they say in the
// order of the configuration. The error is that of ctx: whatever else goes wrong with a tool is its
// result.
func (r *Runner) Run(ctx context.Context, c *Content) ([]Result, error) {
	var chosen []*entry
	for _, e := range r.tools {
		if matches(e.patterns, c.MIMEType) {
			chosen = append(chosen, e)
		}
	}
	results := make([]Result, len(chosen))
	errs := make([]error, len(chosen))
	var all sync.WaitGroup
	for i, e := range chosen {
		all.Go(func() { results[i], errs[i] = r.one(ctx, e, c) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

// one gives what one tool says. Who asks for the same at the same time waits for the one that asked
// first.
func (r *Runner) one(ctx context.Context, e *entry, c *Content) (Result, error) {
	version, err := r.version(ctx, e)
	if err != nil {
		return Result{}, err
	}
	key := e.key(version, c)
	return r.flights.do(ctx, key, func() (Result, error) {
		if known, ok := r.cache.get(key); ok {
			return known, nil
		}
		res, err := r.work(ctx, e, version, c)
		if err == nil {
			if kept := r.cache.put(key, res); kept != nil {
				r.noCache.Do(func() { r.problem("*", kept) }) // the next time it would be the same
			}
		}
		return res, err
	})
}

// version asks for the version of a tool, as a turn of its own.
func (r *Runner) version(ctx context.Context, e *entry) (string, error) {
	if v, ok := e.known(); ok {
		return v, nil
	}
	if err := r.turn(ctx); err != nil {
		return "", err
	}
	defer r.done()
	return e.ask(ctx, r.o.Problem)
}

// turn waits until a tool may work.
func (r *Runner) turn(ctx context.Context) error {
	if r.o.Hold != nil {
		if err := r.o.Hold(ctx); err != nil {
			return err
		}
	}
	select {
	case r.workers <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (r *Runner) done() { <-r.workers }

// work has a tool look at a bytestream when its turn comes.
func (r *Runner) work(ctx context.Context, e *entry, version string, c *Content) (Result, error) {
	if err := r.turn(ctx); err != nil {
		return Result{}, err
	}
	defer r.done()
	res := Result{Label: e.config.Label, Version: version}
	if e.config.Builtin == "" {
		res.Jail = sandbox.Jail().Record()
	}
	begin := time.Now()
	out, err := e.run(ctx, c)
	res.Taken = time.Since(begin)
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	res.Output = out
	var failed *Failure
	switch {
	case errors.As(err, &failed):
		res.Outcome, res.Reason, res.passing, res.Output = failed.Outcome, failed.Reason, failed.Passing, failed.Output
	case err != nil:
		res.Outcome, res.machine, res.Output = Failed, true, plainText(err.Error())
		r.problem(e.config.Label, err)
	}
	return e.cut(res), nil
}

func (r *Runner) problem(label string, err error) {
	if r.o.Problem != nil {
		r.o.Problem(label, err)
	}
}
