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

// Options are the options of New.
type Options struct {
	Configs []Config
	Builtin func(label, name string, with map[string]string) (Tool, error) // returns built-in tools: builtin.New

	// number of concurrent tools; 0 means one less than the processors, at least one, to keep
	// capacity for visitors
	Workers int
	TempDir string // "" means the default for temporary files

	CacheDir   string // folder for caching the output of slow tools; "" means none
	CacheBytes int64  // its maximum size; 0 means DefaultCache

	// Jail decides whether programs run if the kernel cannot confine them; "" means
	// [sandbox.DefaultDemand]. Problem receives the missing restrictions if the programs run
	// nevertheless.
	Jail sandbox.Demand

	// Hold is called before each run of a tool, and may wait while others need the machine. Its
	// error is one of ctx. May be nil.
	Hold func(ctx context.Context) error

	// Problem receives errors of a tool itself: a missing program, or no version. The label is "*"
	// for errors of all tools. It is called from several goroutines. May be nil.
	Problem func(label string, err error)
}

// Runner runs all tools of a configuration on bytestreams, a few at a time. It is safe for use by
// several goroutines.
type Runner struct {
	o       Options
	tools   []*entry
	workers chan struct{} // held while a tool works; waiting callers are served in order
	flights flights
	cache   *cache // may be nil
	noCache sync.Once
}

var _ Examiner = (*Runner)(nil)

// New creates the tools. A missing program is not an error of New; it is the result of the tool's
// runs.
func New(o Options) (*Runner, error) {
	if o.Workers <= 0 {
		o.Workers = max(1, runtime.GOMAXPROCS(0)-1)
	}
	r := &Runner{o: o, workers: make(chan struct{}, o.Workers)}
	if o.CacheDir != "" {
		var err error
		if r.cache, err = newCache(o.CacheDir, o.CacheBytes); err != nil {
			return nil, fmt.Errorf("opening the cache of tools' output: %w", err)
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
			return nil, fmt.Errorf("duplicate label %q: readers could not distinguish the tools", c.Label)
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

// askJail reports missing restrictions of the sandbox, if there are programs to run in it.
func (r *Runner) askJail() error {
	jail := sandbox.Jail()
	commands := slices.ContainsFunc(r.o.Configs, func(c Config) bool { return c.Builtin == "" })
	if !commands || jail.Whole() {
		return nil
	}
	if err := r.o.Jail.Allows(jail); err != nil {
		return fmt.Errorf("the external tools: %w", err)
	}
	r.problem("*", fmt.Errorf("this machine confines programs only in part; %s", jail))
	return nil
}

// Close ends persistent programs. The runner stays usable; it then starts them anew for each run.
func (r *Runner) Close() (err error) {
	for _, e := range r.tools {
		if c, ok := e.tool.(io.Closer); ok {
			err = errors.Join(err, c.Close())
		}
	}
	return err
}

// Run runs all tools with a matching media type on a bytestream, and returns their output in the
// order of the configuration. It returns an error only if ctx has one. Any other error of a tool
// becomes the result of this tool.
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

// one returns the output of one tool. Concurrent callers with the same input wait for the first
// one.
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
				r.noCache.Do(func() { r.problem("*", kept) }) // the same error would repeat
			}
		}
		return res, err
	})
}

// version queries the version of a tool when a worker is free.
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

// turn waits until a worker is free.
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

// work runs a tool on a bytestream when a worker is free.
func (r *Runner) work(ctx context.Context, e *entry, version string, c *Content) (Result, error) {
	if err := r.turn(ctx); err != nil {
		return Result{}, err
	}
	defer r.done()
	res := Result{Label: e.config.Label, Version: version, Tool: e.toolName()}
	if e.config.Builtin == "" {
		res.Jail = sandbox.Jail().Record()
	}
	if commander, ok := e.tool.(Commander); ok {
		res.Command = commander.CommandLine(c)
	}
	begin := time.Now()
	out, err := e.run(ctx, c)
	res.Began, res.Taken = begin.UTC().Truncate(time.Millisecond), time.Since(begin)
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
