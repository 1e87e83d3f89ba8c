package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"quire/internal/humanize"
	"quire/repository/jobs"
	"quire/repository/store"
)

type jobsGroup struct {
	List   jobsListCmd   `cmd:"" help:"List the jobs, the newest first, and the workers."`
	Show   jobsShowCmd   `cmd:"" help:"Show all about a job: attempts, progress and output."`
	Retry  jobsRetryCmd  `cmd:"" help:"Submit the commands of jobs again that ended."`
	Cancel jobsCancelCmd `cmd:"" help:"End jobs. A command that runs is interrupted, and changes nothing half."`
	Pause  jobsPauseCmd  `cmd:"" help:"Let workers take no more jobs, of a queue or of all. Those that run go on."`
	Resume jobsResumeCmd `cmd:"" help:"End a pause."`
}

type jobsListCmd struct {
	State  []string `enum:"waiting,later,running,done,problems,failed,cancelled,lost" help:"@jobsState"`
	Queue  []string `placeholder:"NAME" help:"Only jobs of this queue. Can be repeated."`
	Limit  int      `default:"50" placeholder:"N" help:"List at most so many, up to 10000. Default: 50."`
	Before int64    `placeholder:"JOB" help:"Only jobs with a smaller number: the next part of a long list."`
	repoFlag
	jsonFlag
}

// jobsList is the list as JSON.
type jobsList struct {
	Counts  map[jobs.State]int64 `json:"counts"`
	Workers []jobs.WorkerState   `json:"workers"`
	Jobs    []jobs.Job           `json:"jobs"`
}

// Run lists the jobs.
func (c *jobsListCmd) Run(ctx context.Context, t *terminal) error {
	if c.Limit < 1 || c.Limit > 10_000 {
		return fmt.Errorf("--limit is 1 to 10000")
	}
	query := jobs.Query{Queues: c.Queue, Before: c.Before, Limit: c.Limit}
	for _, s := range c.State {
		query.States = append(query.States, jobs.State(s))
	}
	return c.withQueue(ctx, t, func(_ *store.Store, q *jobs.Queue) error {
		counts, err := q.Counts(ctx)
		if err != nil {
			return err
		}
		workers, err := q.Workers(ctx)
		if err != nil {
			return err
		}
		all, err := q.List(ctx, query)
		if err != nil {
			return err
		}
		if c.JSON {
			return t.json(jobsList{counts, append([]jobs.WorkerState{}, workers...), append([]jobs.Job{}, all...)})
		}
		c.print(t, counts, workers, all)
		return nil
	})
}

func (c *jobsListCmd) print(t *terminal, counts map[jobs.State]int64, workers []jobs.WorkerState, all []jobs.Job) {
	for i := range all {
		j := &all[i]
		t.printf("%6d  %-9s  %-10s  %-16s  %s%s\n", j.ID, outcome(j.State), j.Queue, timeOf(j), written(j.Command),
			progressOf(j))
	}
	order := []jobs.State{jobs.Waiting, jobs.Later, jobs.Running, jobs.Done, jobs.Failed, jobs.Cancelled}
	line := ""
	for _, s := range order {
		if counts[s] > 0 {
			line += fmt.Sprintf("%s %s, ", humanize.Grouped(counts[s]), s)
		}
	}
	if line == "" {
		t.printf("no job yet; \"quire submit COMMAND --repo %s\" makes one\n", c.Repo)
		return
	}
	t.printf("%s%s\n", line, humanize.Number(int64(len(workers)), "worker", "workers"))
	if len(workers) == 0 && counts[jobs.Waiting]+counts[jobs.Later] > 0 {
		t.warn(fmt.Sprintf("no worker runs; \"quire work --repo %s\" starts one", c.Repo))
	}
}

// timeOf is the time that matters most about a job.
func timeOf(j *jobs.Job) string {
	when := j.Submitted
	for _, later := range []time.Time{j.Started, j.Ended, j.NotBefore} {
		if !later.IsZero() {
			when = later
		}
	}
	return when.UTC().Format("2006-01-02 15:04")
}

func progressOf(j *jobs.Job) string {
	r := j.Report
	if j.State != jobs.Running || r == nil || r.Phase == "" {
		return ""
	}
	if r.Total == 0 {
		return fmt.Sprintf("  (%s: %s)", r.Phase, humanize.Grouped(r.Done))
	}
	return fmt.Sprintf("  (%s: %d %%)", r.Phase, 100*min(r.Done, r.Total)/r.Total)
}

type jobsShowCmd struct {
	Job int64 `arg:"" help:"Number of the job."`
	repoFlag
	jsonFlag
}

// Run shows a job.
func (c *jobsShowCmd) Run(ctx context.Context, t *terminal) error {
	return c.withQueue(ctx, t, func(_ *store.Store, q *jobs.Queue) error {
		j, err := q.Get(ctx, c.Job)
		if err != nil {
			return err
		}
		if c.JSON {
			return t.json(j)
		}
		showJob(t, &j)
		return nil
	})
}

func showJob(t *terminal, j *jobs.Job) {
	line := func(name, value string) {
		if value != "" {
			t.printf("%-12s %s\n", name, value)
		}
	}
	date := func(when time.Time) string {
		if when.IsZero() {
			return ""
		}
		return when.UTC().Format(time.RFC3339)
	}
	line("job", fmt.Sprint(j.ID))
	t.printf("%-12s %s\n", "state", outcome(j.State))
	line("command", written(j.Command))
	line("folder", j.Directory)
	line("queue", fmt.Sprintf("%s, priority %d", j.Queue, j.Priority))
	line("source", j.Source)
	line("submitted", date(j.Submitted)+" by "+j.By)
	line("not before", date(j.NotBefore))
	line("started", date(j.Started))
	line("ended", date(j.Ended))
	line("attempt", fmt.Sprintf("%d of %d", j.Attempt, j.Attempts))
	line("worker", j.Worker)
	if j.Follows != 0 {
		line("follows", fmt.Sprintf("job %d, whose worker was lost", j.Follows))
	}
	if j.Continued != 0 {
		line("goes on", fmt.Sprintf("as job %d", j.Continued))
	}
	for _, f := range j.Failures {
		line("failed", fmt.Sprintf("attempt %d, %s: %s", f.Attempt, date(f.Time), f.Error))
	}
	if r := j.Report; r != nil {
		line("progress", progressOf(j))
		if r.ExitStatus != nil {
			line("exit status", fmt.Sprint(*r.ExitStatus))
		}
		said(t, "messages", r.Messages)
		said(t, "output", r.Output)
	}
}

// said prints the output of a command, line by line.
func said(t *terminal, name, text string) {
	if text == "" {
		return
	}
	t.printf("%s:\n", name)
	for line := range strings.Lines(text) {
		t.printf("  %s\n", strings.TrimSuffix(line, "\n"))
	}
}

type jobsRetryCmd struct {
	Job []int64 `arg:"" help:"Numbers of jobs."`
	repoFlag
	jsonFlag
}

// Run submits commands again.
func (c *jobsRetryCmd) Run(ctx context.Context, t *terminal) error {
	return c.withQueue(ctx, t, func(_ *store.Store, q *jobs.Queue) error {
		for _, id := range c.Job {
			s, err := q.Retry(ctx, id, "")
			if err != nil {
				return err
			}
			if err := (&submitCmd{jsonFlag: c.jsonFlag}).print(t, []jobs.Submitted{s}); err != nil {
				return err
			}
		}
		return nil
	})
}

type jobsCancelCmd struct {
	Job []int64 `arg:"" help:"Numbers of jobs."`
	repoFlag
	jsonFlag
}

// Run ends jobs.
func (c *jobsCancelCmd) Run(ctx context.Context, t *terminal) error {
	return c.withQueue(ctx, t, func(_ *store.Store, q *jobs.Queue) error {
		for _, id := range c.Job {
			j, err := q.Cancel(ctx, id)
			if err != nil {
				return err
			}
			switch {
			case c.JSON:
				if err := t.json(j); err != nil {
					return err
				}
			case j.State == jobs.Running:
				t.printf("job %d runs: its worker interrupts it within seconds\n", id)
			default:
				t.printf("job %d: %s\n", id, outcome(j.State))
			}
		}
		return nil
	})
}

type jobsPauseCmd struct {
	Queue string `arg:"" optional:"" help:"The queue. Default: all."`
	repoFlag
	jsonFlag
}

// Run pauses a queue.
func (c *jobsPauseCmd) Run(ctx context.Context, t *terminal) error {
	return c.withQueue(ctx, t, func(_ *store.Store, q *jobs.Queue) error {
		return paused(t, c.jsonFlag, c.Queue, true, q.Pause(ctx, c.Queue))
	})
}

type jobsResumeCmd struct {
	Queue string `arg:"" optional:"" help:"The queue. Default: all."`
	repoFlag
	jsonFlag
}

// Run ends a pause.
func (c *jobsResumeCmd) Run(ctx context.Context, t *terminal) error {
	return c.withQueue(ctx, t, func(_ *store.Store, q *jobs.Queue) error {
		return paused(t, c.jsonFlag, c.Queue, false, q.Resume(ctx, c.Queue))
	})
}

// paused prints the new state of a queue.
func paused(t *terminal, f jsonFlag, queue string, now bool, err error) error {
	if err != nil {
		return err
	}
	if f.JSON {
		return t.json(struct {
			Queue  string `json:"queue"` // "" for all
			Paused bool   `json:"paused"`
		}{queue, now})
	}
	name, verb := "queue "+queue, "takes jobs again"
	if queue == "" {
		name = "every queue"
	}
	if now {
		verb = "is paused; the jobs that run go on"
	}
	t.printf("%s %s\n", name, verb)
	return nil
}
