// Package sandbox runs an external program on one bytestream. It trusts neither the bytestream,
// because it came from the web, nor the program, because the bytestream may exploit it.
//
// {input} and {output} in the arguments are files in the program's own folder. The folder is made
// for this run and removed after it. {input.gif} and {output.png} have that extension, because many
// programs need it. Without {input} the bytestream is standard input. Without {output} the result
// is standard output. No shell is used.
//
// The program runs in a jail (package jail). It can read only the system's folders and its own
// folder. It can write only in its own folder, which is also its home. It has no network and cannot
// reach other processes. It runs in a process group that it cannot leave. The group is killed at
// the time limit, when the context ends, when it exceeds a limit, and when its first process ends.
// The environment has PATH and the locale C.UTF-8. Jail reports the restrictions that work on this
// machine. Linux from 6.12 supports all of them. Older kernels support fewer. Other systems support
// only the limits on time and output. docs/reference/595_tools.md has the complete list.
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

// Command is a program with its arguments and limits. It may be run from several goroutines.
type Command struct {
	Args       []string // the program first: a name to find in PATH, or a path
	Limits     Limits
	Reads      []string // files and folders it may read, besides the system's and its own
	Background bool     // it runs at lower priority
	Jail       Demand   // the required kernel support; default DefaultDemand

	// For Talk: paths of programs that it starts, which it may read with their parts; and whether it may make
	// sockets that reach no other program (jail.Cell).
	Starts  []string
	Listens bool
}

// Demand is the kernel support for the jail that a program requires to run.
type Demand string

// The demands.
const (
	// landlock of any version and a filter of system calls: without them the program does not run
	Required   Demand = "required"
	BestEffort Demand = "best-effort" // it runs with whatever support there is, even none
)

// DefaultDemand returns the demand in the environment variable QUIRE_JAIL; without one, Required.
func DefaultDemand() Demand {
	if d := Demand(os.Getenv("QUIRE_JAIL")); d == BestEffort {
		return d
	}
	return Required
}

// ErrNoJail means that a program did not run because this machine cannot restrict it.
var ErrNoJail = errors.New("programs are not run without a jail")

// Allows returns nil if programs may run on a machine under this demand. Otherwise the error names
// the missing support and the next step.
func (d Demand) Allows(r jail.Report) error {
	if cmp.Or(d, DefaultDemand()) == BestEffort || r.Fenced() {
		return nil
	}
	return fmt.Errorf("%w; %s. Run them on Linux 5.13 or later with landlock and seccomp, or accept the "+
		"risk: set jail: best-effort, or QUIRE_JAIL=best-effort", ErrNoJail, r)
}

// Limits are the limits of one run. Zero values have defaults.
type Limits struct {
	Time   time.Duration // from start to end; 0 is DefaultTime
	Output int64         // bytes of the result; 0 is DefaultOutput
	// bytes of all files in its folder, at least Output; 0 is DefaultScratch
	Scratch int64
	Memory  int64 // bytes of memory of each process, and of all together; 0 is DefaultMemory
}

// The defaults.
const (
	DefaultTime    = time.Minute
	DefaultOutput  = 1 << 30
	DefaultScratch = 4 << 30
	DefaultMemory  = 4 << 30
)

// Done is the result of a run.
type Done struct {
	Status int    // exit status
	Said   string // the beginning of its standard error
	Output int64  // bytes of the result
}

// Failure means that a program did not do its work. The cause is the program, the bytestream, or a limit:
// a busy machine reaches the limit of time sooner. Faults of the machine are other errors.
type Failure struct {
	Reason string
	Done
}

// Error returns the reason and the first line of the program's messages.
func (f *Failure) Error() string {
	if f.Said == "" {
		return f.Reason
	}
	return f.Reason + "; it said: " + firstLine(f.Said)
}

// maxSaid is how much of a program's messages is kept, in bytes.
const maxSaid = 4 << 10

// Check returns an error if the program does not exist or the arguments are invalid.
func (c *Command) Check() error {
	if err := c.CheckArgs(); err != nil {
		return err
	}
	if _, err := exec.LookPath(c.Args[0]); err != nil {
		return fmt.Errorf("%w: install it, or give its path", err)
	}
	return nil
}

// CheckArgs returns an error if the arguments are invalid. The program need not exist here.
func (c *Command) CheckArgs() error {
	if len(c.Args) == 0 || c.Args[0] == "" {
		return errors.New("no program is named")
	}
	for _, p := range c.Reads {
		if !filepath.IsAbs(p) {
			return fmt.Errorf("%q in reads is not an absolute path: write the whole path", p)
		}
	}
	_, err := c.place("x")
	return err
}

// Run runs the program on in, and writes the complete result to out. Temporary files are below
// temp; "" is the system's folder. The error is a *Failure, or comes from the context or the
// machine.
func (c *Command) Run(ctx context.Context, temp string, in io.Reader, out io.Writer) (_ Done, err error) {
	dir, err := newFolder(temp)
	if err != nil {
		return Done{}, err
	}
	defer func() { err = errors.Join(err, removeAll(dir)) }()
	r := &run{limits: c.Limits.withDefaults(), dir: dir, reads: c.Reads, background: c.Background, demand: c.Jail}
	if r.placed, err = c.place(dir); err != nil {
		return Done{}, err
	}
	return r.run(ctx, in, out)
}

// newFolder makes the private folder of a program, which no other user may read. Its path is
// absolute, because the program runs in that folder and receives paths below it.
func newFolder(temp string) (string, error) {
	dir, err := os.MkdirTemp(temp, ".quire-program-*")
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return "", fmt.Errorf("making a folder for a program: %w", err)
	}
	return dir, nil
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
