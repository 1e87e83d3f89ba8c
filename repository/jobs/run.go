package jobs

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/riverqueue/river"
)

// run is a command that runs.
type run struct {
	cmd       *exec.Cmd
	in        io.Closer // the standard input: its end asks the command to end
	cancelled bool
	out, said tail
	ended     chan struct{}

	stop        sync.Once
	interrupted chan struct{}

	mu       sync.Mutex
	progress Progress
	written  Progress
}

// Progress is how far a command is.
type Progress struct {
	Phase string `json:"phase"`
	Done  int64  `json:"done"`
	Total int64  `json:"total"` // 0 if unknown
}

// The most that a report keeps of a command's output, in bytes.
const (
	keptOutput   = 256 << 10
	keptMessages = 16 << 10
)

// Work implements [river.Worker].
func (w *worker) Work(ctx context.Context, job *river.Job[task]) error {
	if !w.slot(ctx) {
		return river.JobSnooze(time.Second)
	}
	defer func() { <-w.slots }()
	if d, why := w.delayed(ctx, job); d > 0 {
		w.log(Entry{Event: "waits", Job: job.ID, Command: job.Args.Command, Detail: why})
		return river.JobSnooze(d)
	}
	if w.options.Check != nil {
		if err := w.options.Check(job.Args.Command); err != nil {
			return errors.Join(river.JobCancel(asText(err)), w.queue.said(ctx, job.ID, Report{Messages: err.Error()}))
		}
	}
	if err := w.queue.said(ctx, job.ID, Report{}); err != nil { // of this run, not of an earlier one
		return asText(err)
	}
	r, err := w.begin(job)
	if err != nil {
		return w.failed(ctx, job, err)
	}
	begun := time.Now()
	w.log(Entry{Event: "started", Job: job.ID, Command: job.Args.Command})
	status, err := r.wait()
	w.forget(job.ID)
	e := Entry{Event: "ended", Job: job.ID, Command: job.Args.Command, Status: &status,
		Seconds: time.Since(begun).Seconds()}
	if err != nil {
		e.Detail = err.Error()
	}
	w.log(e)
	return w.result(context.WithoutCancel(ctx), job, r, status, err)
}

// slot waits a moment for a place among the commands that run at once. Without one, the job goes back: another
// worker may have a place.
func (w *worker) slot(ctx context.Context) bool {
	t := time.NewTimer(200 * time.Millisecond)
	defer t.Stop()
	select {
	case w.slots <- struct{}{}:
		return true
	case <-t.C:
	case <-ctx.Done():
	}
	return false
}

// begin starts the command of a job.
func (w *worker) begin(job *river.Job[task]) (*run, error) {
	held, err := json.Marshal(Held{Job: job.ID, Attempt: job.Attempt, Repository: w.queue.place.Root})
	if err != nil {
		return nil, err
	}
	words := append(slices.Clone(w.options.Program), job.Args.Command...)
	r := &run{cmd: exec.Command(words[0], words[1:]...), //nolint:gosec // the queue's purpose
		ended: make(chan struct{}), interrupted: make(chan struct{}),
		out: tail{size: keptOutput}, said: tail{size: keptMessages}}
	r.cmd.Dir = job.Args.Directory
	r.cmd.Env = append(os.Environ(), environment+"="+string(held), progressEnvironment+"=3")
	r.cmd.Stdout, r.cmd.Stderr = &r.out, &r.said
	r.cmd.SysProcAttr = apart()
	r.in, err = r.cmd.StdinPipe() // ends with this process, and so does the command: see [Held.While]
	if err != nil {
		return nil, err
	}
	reports, writes, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	r.cmd.ExtraFiles = []*os.File{writes} // descriptor 3
	r.cmd.WaitDelay = w.options.Grace
	err = r.cmd.Start()
	if err = errors.Join(err, writes.Close()); err != nil {
		return nil, errors.Join(err, r.in.Close(), reports.Close())
	}
	go r.follow(reports)
	go r.overdue(w.options.Grace)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running[job.ID] = r
	if w.stopping {
		r.interrupt()
	}
	return r, nil
}

// wait returns the exit status of the command; 2 with an error if it was killed.
func (r *run) wait() (int, error) {
	err := r.cmd.Wait()
	close(r.ended)
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0, nil
	case errors.As(err, &exit) && exit.ExitCode() > 0:
		return exit.ExitCode(), nil
	}
	return 2, err
}

// follow reads the progress that the command reports.
func (r *run) follow(from io.ReadCloser) {
	defer func() { _ = from.Close() }() // only read
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		var p Progress
		if json.Unmarshal(lines.Bytes(), &p) == nil {
			r.mu.Lock()
			r.progress = p
			r.mu.Unlock()
		}
	}
	_, _ = io.Copy(io.Discard, from) // after a line that is too long
}

// interrupt asks the command to end.
func (r *run) interrupt() {
	r.stop.Do(func() {
		_ = r.in.Close() // an error: it has ended
		close(r.interrupted)
	})
}

func (r *run) kill() { _ = r.cmd.Process.Kill() } // as above

// forget takes a command that ended from those that run.
func (w *worker) forget(job int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.running, job)
}

// failed reports a command that did not start.
func (w *worker) failed(ctx context.Context, job *river.Job[task], err error) error {
	w.log(Entry{Event: "ended", Job: job.ID, Command: job.Args.Command, Detail: err.Error()})
	if said := w.queue.said(ctx, job.ID, Report{Messages: err.Error()}); said != nil {
		w.log(Entry{Event: "database", Job: job.ID, Detail: "storing the report: " + said.Error()})
	}
	return asText(err)
}

// result stores the report of a command, and returns the end of its job for River.
func (w *worker) result(ctx context.Context, job *river.Job[task], r *run, status int, err error) error {
	w.mu.Lock()
	cancelled, stopping := r.cancelled, w.stopping
	w.mu.Unlock()
	report := Report{ExitStatus: &status, Output: r.out.String(), Messages: r.said.String()}
	if said := w.queue.said(ctx, job.ID, report); said != nil {
		w.log(Entry{Event: "database", Job: job.ID, Detail: "storing the report: " + said.Error()})
	}
	const good, problems = 0, 1
	ended := err == nil && (status == good || status == problems)
	switch {
	case ended:
		w.endLine(job)
		return nil
	case cancelled:
		return river.JobCancel(errors.New("cancelled"))
	case stopping:
		return river.JobSnooze(0) // it goes back, and the attempt does not count
	case err == nil:
		err = fmt.Errorf("exit status %d: %s", status, lastLine(report.Messages))
	}
	return asText(err)
}

// asText returns an error with a text that each database stores.
func asText(err error) error { return errors.New(storable(err.Error())) }

// endLine writes that the call of a job had its effect. That is true even if this worker was lost meanwhile.
func (w *worker) endLine(job *river.Job[task]) {
	var n note
	err := json.Unmarshal(job.Metadata, &n)
	if err == nil {
		err = w.queue.place.end(n.Submission, w.id, n.Line)
	}
	if err != nil { // a rebuild would repeat it, which changes nothing
		w.log(Entry{Event: "database", Job: job.ID, Detail: "writing that it ended: " + err.Error()})
	}
}

// overdue kills a command that does not end in time after it was interrupted.
func (r *run) overdue(grace time.Duration) {
	select {
	case <-r.ended:
		return
	case <-r.interrupted:
	}
	t := time.NewTimer(grace)
	defer t.Stop()
	select {
	case <-r.ended:
	case <-t.C:
		r.kill()
	}
}
