package tools

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"quire/format/warc"
	"quire/internal/program"
	"quire/internal/sandbox"
	"quire/model"
	"quire/preserve/inspect"
)

// Tool is a program that examines bytestreams.
type Tool struct {
	Label   string
	Program program.Program
	Lists   []string // names of XML elements that are always lists

	Input program.Size // bytes of a bytestream, at most; 0 means DefaultInput
	Runs  int64        // runs in one judgement, at most; 0 means DefaultRuns
}

// The defaults of all tools.
const (
	DefaultTimeout = program.Duration(time.Minute)
	DefaultOutput  = program.Size(1 << 20)
	DefaultInput   = program.Size(256 << 20)
	DefaultRuns    = 100_000
)

// WithDefaults returns the tool with all its limits.
func (t Tool) WithDefaults() Tool {
	t.Program.Timeout = cmp.Or(t.Program.Timeout, DefaultTimeout)
	t.Program.Output = cmp.Or(t.Program.Output, DefaultOutput)
	t.Program.Memory = cmp.Or(t.Program.Memory, program.Size(sandbox.DefaultMemory))
	t.Program.Scratch = cmp.Or(t.Program.Scratch, program.Size(sandbox.DefaultScratch))
	t.Input, t.Runs = cmp.Or(t.Input, DefaultInput), cmp.Or(t.Runs, DefaultRuns)
	return t
}

// maxWaiting is how many bytes may wait for their format and tools, in all, in the temporary file.
const maxWaiting = 8 << 30

// Outcome is the outcome of a tool for one bytestream.
type Outcome int

// The outcomes.
const (
	Ran      Outcome = iota // its output was read
	Repeated                // the same bytes were examined before: the result is that of the first run
	Failed                  // it ended with an error or at a limit, or its output cannot be read
	NotRun                  // it did not start
)

// Result is the result of a tool for one bytestream.
type Result struct {
	Outcome Outcome
	Why     string // it has no facts; "" if it has
	Facts   any    // the result of Options.Reduce for the output
}

// Options are the options of New.
type Options struct {
	Tools []Tool
	// Reduce returns the facts of an output of the tool with that index. It is called from several
	// goroutines. Its result is kept for further copies of the same bytes, so it should be small.
	Reduce  func(tool int, v Value) any
	TempDir string // "" means the system's
	Jobs    int    // tools at a time; 0 means one per processor
}

// Runner runs tools on the bytestreams of a pass. It is for one goroutine.
type Runner struct {
	o       Options
	tools   []*state
	store   *Store
	most    int64 // bytes of a bytestream that any tool reads
	waiting map[int64]*Bytestream
	slots   chan struct{}
	known   map[key]*job
	all     sync.WaitGroup // jobs that have not ended
}

// state is a tool with its version.
type state struct {
	Tool
	index   int
	lists   map[string]bool
	once    sync.Once
	version string
	missing string // reason why it cannot run here
	runs    int64
}

// key identifies a run: a tool and the SHA-256 of the bytes.
type key struct {
	tool int
	sum  [sha256.Size]byte
}

// maxKnown limits the runs that a Runner remembers.
const maxKnown = 1 << 18

// New returns a Runner. The caller closes it.
func New(o Options) *Runner {
	if o.Jobs <= 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	r := &Runner{o: o, store: NewStore(o.TempDir, maxWaiting), slots: make(chan struct{}, o.Jobs),
		waiting: map[int64]*Bytestream{}, known: map[key]*job{}}
	for i, t := range o.Tools {
		s := &state{Tool: t.WithDefaults(), index: i, lists: map[string]bool{}}
		for _, name := range t.Lists {
			s.lists[name] = true
		}
		r.most = max(r.most, int64(s.Input))
		r.tools = append(r.tools, s)
	}
	return r
}

// Close waits for the tools and removes the temporary file. Cancel the context of the runs to stop
// them.
func (r *Runner) Close() error {
	r.all.Wait()
	return r.store.Close()
}

// Jobs returns how many tools run at a time.
func (r *Runner) Jobs() int { return r.o.Jobs }

// Begin begins a container: bytestreams of records that never came are given up.
func (r *Runner) Begin() {
	for _, b := range r.waiting {
		b.drop("its record is not read")
	}
	clear(r.waiting)
}

// Examines reports whether tools examine records of this type: those that hold bytestreams of the
// website.
func Examines(rec *model.Record) bool {
	switch rec.Type {
	case warc.TypeResponse, warc.TypeResource, warc.TypeConversion:
		return true
	}
	return false
}

// Served keeps the content of a record until Record: see inspect.Options.
func (r *Runner) Served(rec model.Record) inspect.Served {
	if !Examines(&rec) {
		return nil
	}
	b := &Bytestream{store: r.store, most: r.most}
	r.waiting[rec.Order] = b
	return b
}

// Drop gives up the content of a record to which no tool applies.
func (r *Runner) Drop(order int64) {
	if b := r.waiting[order]; b != nil {
		b.drop("no tool applies")
		delete(r.waiting, order)
	}
}

// Run starts tools on the content of a record. The error is one of the machine.
func (r *Runner) Run(ctx context.Context, rec *model.Record, apply []int) ([]*Pending, error) {
	b := r.waiting[rec.Order]
	delete(r.waiting, rec.Order)
	why := unfit(rec, b)
	var sum [sha256.Size]byte
	if b != nil && why == "" {
		h := sha256.New()
		if _, err := io.Copy(h, b.Reader()); err != nil {
			return nil, fmt.Errorf("reading the temporary file of %s: %w", rec.URI, err)
		}
		h.Sum(sum[:0])
	}
	all := make([]*Pending, len(apply))
	var running sync.WaitGroup
	for i, tool := range apply {
		all[i] = r.start(ctx, r.tools[tool], b, sum, why, &running)
	}
	if b == nil {
		return all, nil
	}
	r.all.Go(func() {
		running.Wait()
		b.drop("done")
	})
	return all, nil
}

// unfit returns the reason why the content of a record is not examined, or "".
func unfit(rec *model.Record, b *Bytestream) string {
	const partialContent = "206"
	switch {
	case b == nil:
		return "its content cannot be read as it was served"
	case rec.Truncated != "":
		return "it was cut off when it was captured: " + rec.Truncated
	case rec.Status == partialContent:
		return "it is a part of a resource (status 206)"
	}
	return b.why
}

// start runs a tool on bytes that it has not seen yet.
func (r *Runner) start(ctx context.Context, t *state, b *Bytestream, sum [sha256.Size]byte, why string,
	running *sync.WaitGroup) *Pending {
	switch {
	case why != "":
	case b.size > int64(t.Input):
		why = fmt.Sprintf("it has more than %d bytes", t.Input)
	}
	if why != "" {
		return &Pending{job: &job{result: Result{Outcome: NotRun, Why: why}}}
	}
	k := key{t.index, sum}
	if known := r.known[k]; known != nil {
		return &Pending{job: known, again: true}
	}
	if t.runs++; t.runs > t.Runs {
		return &Pending{job: &job{result: Result{Outcome: NotRun,
			Why: fmt.Sprintf("the limit of %d runs is reached", t.Runs)}}}
	}
	j := &job{done: make(chan struct{})}
	if len(r.known) < maxKnown {
		r.known[k] = j
	}
	running.Add(1)
	r.all.Go(func() {
		defer running.Done()
		defer close(j.done)
		r.slots <- struct{}{}
		defer func() { <-r.slots }()
		j.result, j.err = r.examine(ctx, t, b)
	})
	return &Pending{job: j}
}

// job is one run.
type job struct {
	done   chan struct{} // nil if it never started
	result Result
	err    error
}

// Pending is a result that will be known.
type Pending struct {
	job   *job
	again bool
}

// Wait waits for the result. The error is the one of the context.
func (p *Pending) Wait() (Result, error) {
	if p.job.done != nil {
		<-p.job.done
	}
	res := p.job.result
	if p.again && res.Outcome == Ran {
		res.Outcome = Repeated
	}
	return res, p.job.err
}

// examine runs a tool, and reads its output.
func (r *Runner) examine(ctx context.Context, t *state, b *Bytestream) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	t.once.Do(func() { t.ask(ctx) })
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	if t.missing != "" {
		return Result{Outcome: NotRun, Why: t.missing}, nil
	}
	c := t.Program.Sandboxed("")
	answer, err := c.Ask(ctx, sandbox.Question{Temp: r.o.TempDir, In: b.Reader()})
	var failed *sandbox.Failure
	switch {
	case errors.As(err, &failed):
		return Result{Outcome: Failed, Why: failed.Error()}, nil
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	case err != nil: // the program or the machine
		return Result{Outcome: NotRun, Why: err.Error()}, nil //nolint:nilerr // the result reports it
	case !t.Program.Succeeded(answer):
		return Result{Outcome: Failed, Why: (&sandbox.Failure{
			Reason: cmp.Or(answer.Reason, fmt.Sprintf("it ended with status %d", answer.Status)), Done: answer.Done,
		}).Error()}, nil
	}
	v, err := parse(t.Program.Prints, answer.Printed, t.lists)
	if err != nil {
		//nolint:nilerr // the output is not as the policy expects: a result, not a failure of Quire
		return Result{Outcome: Failed, Why: err.Error()}, nil
	}
	return Result{Outcome: Ran, Facts: r.o.Reduce(t.index, v)}, nil
}

// unknown is the version of a tool that states none.
const unknown = "unknown"

// ask asks the tool for its version, or learns why it cannot run.
func (t *state) ask(ctx context.Context) {
	c := t.Program.SandboxedVersion("")
	v, err := sandbox.Version(ctx, c)
	t.version = cmp.Or(v, unknown)
	var absent *exec.Error
	if errors.As(err, &absent) || errors.Is(err, sandbox.ErrNoJail) {
		t.missing, t.version = err.Error(), ""
	}
}

// Version returns the version of a tool that has run, and why it cannot run here. Both are empty if
// no bytestream needed it. Call it after the last Wait.
func (r *Runner) Version(tool int) (version, missing string) {
	return r.tools[tool].version, r.tools[tool].missing
}
