package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"quire/internal/disk"
)

// run is one run of a program.
type run struct {
	placed
	limits     Limits
	dir        string
	own        int64    // bytes in the folder that the program did not write
	reads      []string // additional files it may read
	background bool
	listens    bool
	demand     Demand
	seconds    uint64 // of processor time; 0 derives it from the time limit
	said       clipped
	result     *os.File // file of the result, after the program has ended
	cut        string   // why the program was killed

	modified time.Time // modification time of its input; zero means the time of the run

	printed       *clipped // collects standard output for a question; otherwise that is the result
	late, flooded bool     // killed at its time limit; killed because of too much output
}

// How often a program's use of resources is checked, and how long to wait for a process that left
// its group.
const (
	watchEvery  = 100 * time.Millisecond
	patienceFor = 2 * time.Second
)

func (r *run) run(ctx context.Context, in io.Reader, out io.Writer) (done Done, err error) {
	cmd, err := r.prepare(in)
	if err != nil {
		return done, err
	}
	defer func() {
		if r.result != nil {
			err = errors.Join(err, r.result.Close())
		}
	}()
	err = r.process(ctx, cmd)
	done = Done{Said: r.said.String()}
	if cmd.ProcessState != nil {
		done.Status = cmd.ProcessState.ExitCode()
	}
	if err == nil {
		err = r.judge(cmd)
	}
	if err == nil {
		done.Output, err = r.deliver(out)
	}
	var failed *Failure
	if errors.As(err, &failed) {
		failed.Done = done
	}
	return done, err
}

// prepare places the input for the program, and makes the file for its standard output.
func (r *run) prepare(in io.Reader) (*exec.Cmd, error) {
	cmd, err := r.bare()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = &r.said
	if r.input != "" {
		if r.own, err = writeFile(r.input, in, r.modified); err != nil {
			return nil, err
		}
	} else {
		cmd.Stdin = in
	}
	switch {
	case r.printed != nil:
		cmd.Stdout = r.printed
	case r.output == "":
		if r.result, err = os.OpenFile(filepath.Join(r.dir, "output"), os.O_RDWR|os.O_CREATE|os.O_EXCL,
			0o600); err != nil {
			return nil, err
		}
		cmd.Stdout = r.result // a real file, so its size is limited too
	}
	return cmd, nil
}

// bare returns the command without its input and output.
func (r *run) bare() (*exec.Cmd, error) {
	path, err := exec.LookPath(r.args[0])
	if err != nil {
		return nil, err
	}
	if path, err = filepath.Abs(path); err != nil { // the program runs in another folder
		return nil, err
	}
	return &exec.Cmd{
		Path: path, Args: r.args, Env: environment(r.dir), Dir: r.dir, WaitDelay: patienceFor,
		SysProcAttr: attributes(),
	}, nil
}

// writeFile writes a file with a modification time; zero means now.
func writeFile(path string, content io.Reader, modified time.Time) (int64, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(f, content)
	if err = errors.Join(err, f.Close()); err == nil && storable(modified) {
		err = os.Chtimes(path, modified, modified)
	}
	return n, err
}

// storable reports whether all file systems can hold a time of a file: 1970 to 2105.
func storable(t time.Time) bool { return t.Unix() > 0 && t.Unix() < 1<<32 }

// process starts the program and ensures its end.
func (r *run) process(ctx context.Context, cmd *exec.Cmd) (err error) {
	// The kernel kills the program when the thread that started it ends (attributes). So the thread
	// is kept until then.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	door, err := r.lockIn(cmd)
	if err != nil {
		return fmt.Errorf("starting %s: %w", r.args[0], err)
	}
	defer func() { err = errors.Join(err, door.close()) }()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting %s: %w", r.args[0], err)
	}
	var locked error
	ended := make(chan error, 1)
	go func() {
		locked = door.entered()
		ended <- wait(cmd)
	}()
	err = r.watch(ctx, cmd.Process.Pid, ended)
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case locked != nil:
		return fmt.Errorf("starting %s: %w", r.args[0], locked)
	case r.cut != "", errors.As(err, &exit), errors.Is(err, exec.ErrWaitDelay):
		return nil // judge reports more details
	}
	return err
}

// watch waits for the end of the program, and kills it at a limit.
func (r *run) watch(ctx context.Context, pid int, ended <-chan error) error {
	over := time.NewTimer(r.limits.Time)
	defer over.Stop()
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			return err
		case <-ctx.Done():
			r.cut = "it was stopped"
		case <-r.flood():
			r.cut, r.flooded = fmt.Sprintf("it printed more than %d bytes", r.printed.most), true
		case <-over.C:
			r.late = true
			r.cut = fmt.Sprintf("it was not done after %s", r.limits.Time)
		case <-tick.C:
			r.cut = r.tooMuch(pid)
		}
		if r.cut != "" {
			killGroup(pid)
			return <-ended
		}
	}
}

// tooMuch returns the limit that the program exceeds, or "".
func (r *run) tooMuch(pid int) string {
	switch bytes, files := below(r.dir, r.own+r.limits.Scratch); {
	case bytes > r.own+r.limits.Scratch:
		return fmt.Sprintf("it wrote more than %d bytes", r.limits.Scratch)
	case files > maxFiles:
		return fmt.Sprintf("it made more than %d files", maxFiles)
	}
	return tooMuch(pid, r.limits.Memory, r.limits.Scratch)
}

// flood returns a channel that closes when the output exceeds the bound.
func (r *run) flood() <-chan struct{} {
	if r.printed == nil {
		return nil
	}
	return r.printed.full
}

// judge returns the reason if the program failed.
func (r *run) judge(cmd *exec.Cmd) error {
	status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
	switch {
	case r.cut != "":
		return &Failure{Reason: r.name() + ": " + r.cut}
	case status.Signaled() && status.Signal() == fileTooLarge:
		return &Failure{Reason: fmt.Sprintf("%s: it wrote a file of more than %d bytes", r.name(), r.limits.Scratch)}
	case status.Signaled():
		return &Failure{Reason: fmt.Sprintf("%s was ended by a signal: %s", r.name(), status.Signal())}
	case !cmd.ProcessState.Success():
		return &Failure{Reason: fmt.Sprintf("%s ended with status %d", r.name(), cmd.ProcessState.ExitCode())}
	}
	return nil
}

func (r *run) name() string { return filepath.Base(r.args[0]) }

// deliver copies the result if it is a regular file of an allowed size. A link, which a hostile
// input could place there, is refused.
func (r *run) deliver(out io.Writer) (int64, error) {
	if r.output != "" {
		f, err := os.OpenFile(r.output, os.O_RDONLY|disk.NoFollow, 0)
		if err != nil {
			return 0, &Failure{Reason: r.name() + " made no output"}
		}
		r.result = f
	}
	info, err := r.result.Stat()
	switch {
	case err != nil:
		return 0, err
	case !info.Mode().IsRegular():
		return 0, &Failure{Reason: r.name() + ": its output is no file"}
	case info.Size() == 0:
		return 0, &Failure{Reason: r.name() + " made no output"}
	case info.Size() > r.limits.Output:
		return 0, &Failure{Reason: fmt.Sprintf("%s: it wrote more than %d bytes", r.name(), r.limits.Output)}
	}
	return io.Copy(out, io.NewSectionReader(r.result, 0, info.Size()))
}

// clipped keeps the beginning of the data written.
type clipped struct {
	kept []byte
	most int           // 0 is maxSaid
	full chan struct{} // closed when the data exceeds the bound; may be nil
	over bool
}

// Write keeps the beginning of p. It never fails.
func (c *clipped) Write(p []byte) (int, error) {
	most := c.most
	if most == 0 {
		most = maxSaid
	}
	n := min(len(p), most-len(c.kept))
	c.kept = append(c.kept, p[:n]...)
	if n < len(p) && !c.over {
		c.over = true
		if c.full != nil {
			close(c.full)
		}
	}
	return len(p), nil
}

// String returns the kept data as UTF-8.
func (c *clipped) String() string {
	return strings.ToValidUTF8(strings.TrimSpace(string(c.kept)), "\uFFFD")
}

// firstLine returns the first line that is not blank.
func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}
