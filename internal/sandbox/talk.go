package sandbox

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
)

// Talk runs the program, and talks with it while it runs: talk writes to its standard input, and reads its
// standard output. When talk returns, the program is killed, with all processes that it started. The error is
// that of talk, and a *Failure if the program ended or reached a limit before talk returned. Temporary files are
// below temp; "" is the system's folder.
//
// Limits.Output does not apply, because talk reads the output as it comes: talk bounds it.
func (c *Command) Talk(ctx context.Context, temp string, talk func(in io.Writer, out io.Reader) error) (
	done Done, err error) {
	dir, err := newFolder(temp)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, removeAll(dir)) }()
	r := &run{limits: c.Limits.withDefaults(), dir: dir, reads: c.Reads, background: c.Background, demand: c.Jail,
		listens: c.Listens}
	for _, program := range c.Starts {
		r.reads = append(slices.Clip(r.reads), partFolders(program, dir)...)
	}
	if r.placed, err = c.place(dir); err != nil {
		return done, err
	}
	cmd, err := r.bare()
	if err != nil {
		return done, err
	}
	cmd.Stderr = &r.said
	hears, in, err := os.Pipe()
	if err != nil {
		return done, err
	}
	out, says, err := os.Pipe()
	if err != nil {
		return done, errors.Join(err, hears.Close(), in.Close())
	}
	cmd.Stdin, cmd.Stdout = hears, says
	within, end := context.WithCancel(ctx)
	defer end()
	talked := make(chan error, 1)
	go func() {
		err := talk(in, out)
		end() // the program is killed
		talked <- err
	}()
	err = r.process(within, cmd)
	ended := within.Err() == nil
	// talk reads the end of the output now, and can write no more.
	err = errors.Join(err, hears.Close(), says.Close())
	said := errors.Join(<-talked, in.Close(), out.Close())
	done.Said = r.said.String()
	if cmd.ProcessState != nil {
		done.Status = cmd.ProcessState.ExitCode()
	}
	switch {
	case ctx.Err() != nil:
		return done, ctx.Err()
	case err != nil && ended: // it did not start
		return done, err
	case r.cut != "" && ended:
		return done, errors.Join(&Failure{Reason: r.name() + ": " + r.cut, Done: done}, said)
	case ended && said != nil:
		return done, errors.Join(&Failure{Reason: r.name() + " ended too early", Done: done}, said)
	}
	return done, said
}
