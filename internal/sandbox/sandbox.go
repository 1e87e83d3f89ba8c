// Package sandbox has an external program work on one bytestream, and trusts neither: not the
// bytestream, which came from the web, nor the program, which may break on it.
//
// {input} and {output} in the arguments are files in a folder that is the program's own, made for
// this run and removed after it; {input.gif} and {output.png} give them that ending, by which many
// programs go. Without {input} the bytestream comes on standard input, without {output} the result
// is expected on standard output. No shell is involved.
//
// The program runs in a jail (package jail): it reads the system's folders and its own, writes in
// its own, which is its home, too, has no network, and cannot reach other processes. It runs in a
// group that it cannot leave, which is killed with all that it started when the time is over, when
// the context ends, when it takes too much, and when its first process has ended. Its environment
// has PATH and the locale C.UTF-8. Jail tells what of this holds on the machine: all of it on Linux
// from 6.12 on, less on older kernels, and elsewhere no more than the time and what is written.
// docs/reference/595_tools.md has the whole list.
package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"quire/internal/sandbox/jail"
)

// Command is a program with its arguments, and what it may use up. It may be run from several
// goroutines.
type Command struct {
	Args       []string // the program first: a name that is looked up in PATH, or a path
	Limits     Limits
	Reads      []string // files and folders that it may read besides those of the system and its own
	Background bool     // it stands back behind what else the machine does
	Jail       Demand   // what the kernel must have for it to run at all; "" is DefaultDemand
}

// Demand says what of the jail the kernel must have, so that a program runs.
type Demand string

// The demands.
const (
	// landlock of any version, and a filter of system calls: without them it does not run
	Required   Demand = "required"
	BestEffort Demand = "best-effort" // it runs with what there is, be it nothing
)

// DefaultDemand is that of the environment variable QUIRE_JAIL; without one, Required.
func DefaultDemand() Demand {
	if d := Demand(os.Getenv("QUIRE_JAIL")); d == BestEffort {
		return d
	}
	return Required
}

// ErrNoJail says that a program did not run, because this machine cannot lock it in.
var ErrNoJail = errors.New("programs are not run without a jail")

// Allows returns nil where programs run under a demand on a machine, and otherwise an error that
// says what it lacks, and what to do.
func (d Demand) Allows(r jail.Report) error {
	if cmp.Or(d, DefaultDemand()) == BestEffort || r.Fenced() {
		return nil
	}
	return fmt.Errorf("%w; %s. Run them on Linux 5.13 or later with landlock and seccomp, or accept the danger: "+
		"jail: best-effort in the settings, or QUIRE_JAIL=best-effort", ErrNoJail, r)
}

// Limits of one run. What is zero has its default.
type Limits struct {
	Time   time.Duration // from start to end; 0 is DefaultTime
	Output int64         // bytes of the result; 0 is DefaultOutput
	// bytes of all files that it makes in its folder together, at least Output; 0 is DefaultScratch
	Scratch int64
	Memory  int64 // bytes of memory of each of its processes, and of all together; 0 is DefaultMemory
}

// The defaults.
const (
	DefaultTime    = time.Minute
	DefaultOutput  = 1 << 30
	DefaultScratch = 4 << 30
	DefaultMemory  = 4 << 30
)

// Done is what there is to tell of a run.
type Done struct {
	Status int    // exit status
	Said   string // the beginning of what the program wrote to standard error
	Output int64  // bytes of the result
}

// Failure says that a program did not do its work. It is about the program and the bytestream,
// never about the machine.
type Failure struct {
	Reason string
	Done
}

// Error says what happened, and the first that the program said.
func (f *Failure) Error() string {
	if f.Said == "" {
		return f.Reason
	}
	return f.Reason + "; it said: " + firstLine(f.Said)
}

// maxSaid is how much of what a program says is kept, in bytes.
const maxSaid = 4 << 10

// Check says whether there is such a program, and whether the arguments can be understood.
func (c *Command) Check() error {
	if err := c.CheckArgs(); err != nil {
		return err
	}
	if _, err := exec.LookPath(c.Args[0]); err != nil {
		return fmt.Errorf("%w: install it, or name it with its path", err)
	}
	return nil
}

// CheckArgs says whether the arguments can be understood. There need not be such a program here.
func (c *Command) CheckArgs() error {
	if len(c.Args) == 0 || c.Args[0] == "" {
		return errors.New("no program is named")
	}
	for _, p := range c.Reads {
		if !filepath.IsAbs(p) {
			return fmt.Errorf("%q is to be read: write the whole path", p)
		}
	}
	_, err := c.place("x")
	return err
}

// Run has the program work on in, and writes the result to out when it is whole. Temporary files
// lie below temp; "" is where these go. The error is a *Failure, that of the context, or one of the
// machine.
func (c *Command) Run(ctx context.Context, temp string, in io.Reader, out io.Writer) (_ Done, err error) {
	dir, err := os.MkdirTemp(temp, ".quire-program-*") // nobody else may look into it
	if err != nil {
		return Done{}, fmt.Errorf("making a folder for a program: %w", err)
	}
	defer func() { err = errors.Join(err, removeAll(dir)) }()
	r := &run{limits: c.Limits.withDefaults(), dir: dir, reads: c.Reads, background: c.Background, demand: c.Jail}
	if r.placed, err = c.place(dir); err != nil {
		return Done{}, err
	}
	return r.run(ctx, in, out)
}

func (l Limits) withDefaults() Limits {
	if l.Time <= 0 {
		l.Time = DefaultTime
	}
	for _, b := range []struct {
		limit *int64
		usual int64
	}{{&l.Output, DefaultOutput}, {&l.Scratch, DefaultScratch}, {&l.Memory, DefaultMemory}} {
		if *b.limit <= 0 {
			*b.limit = b.usual
		}
	}
	l.Scratch = max(l.Scratch, l.Output)
	return l
}
