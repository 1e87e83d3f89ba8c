package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"quire/internal/program"
	"quire/repository/jobs"
	"quire/repository/store"
	"quire/service/webhook"
)

type workCmd struct {
	Queues      []string      `placeholder:"NAME,..." help:"@workQueues"`
	Concurrency int           `placeholder:"N" help:"Run so many jobs at once. Default: one for each processor."`
	PerSource   int           `placeholder:"N" help:"@workPerSource"`
	MinFree     program.Size  `default:"1 GiB" placeholder:"SIZE" help:"@workMinFree"`
	Lease       time.Duration `default:"30s" help:"@workLease"`
	Grace       time.Duration `default:"60s" help:"@workGrace"`
	Drain       bool          `help:"End when no job of the queues waits or runs."`
	repoFlag
	jsonFlag
}

// Run takes jobs until it is stopped.
func (c *workCmd) Run(ctx context.Context, t *terminal) error {
	if c.Lease < time.Second || c.Grace < time.Second {
		return errors.New("--lease and --grace are at least 1s")
	}
	if c.Concurrency < 0 || c.Concurrency > 10_000 || c.PerSource < 0 {
		return errors.New("--concurrency is at most 10000, and --per-source at least 0")
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	return c.withQueue(ctx, t, func(s *store.Store, q *jobs.Queue) error {
		o := jobs.WorkOptions{Program: []string{program}, Queues: c.Queues, Concurrency: c.Concurrency,
			PerSource: c.PerSource, Lease: c.Lease, Grace: c.Grace, Drain: c.Drain,
			Check: isJob,
			Room:  func() error { return s.Room(int64(c.MinFree)) }, Log: c.logTo(t)}
		if len(o.Queues) == 0 {
			o.Queues = append(slices.Clone(jobKinds), repairQueue, webhook.Queue)
		}
		if o.Concurrency == 0 {
			o.Concurrency = runtime.GOMAXPROCS(0)
		}
		if len(s.Schedule()) > 0 && !c.Drain {
			o.Periodic = []jobs.Periodic{dueAudits(s)}
		}
		if !c.JSON {
			t.note(fmt.Sprintf("working on %s: %d at once; Ctrl-C stops", c.Repo, o.Concurrency))
		}
		return q.Work(ctx, o)
	})
}

// isJob refuses a command that neither submit nor a webhook makes: a file of the queue may come from elsewhere.
func isJob(command []string) error {
	for i, word := range command {
		if !isFlag(word) {
			if word == withdrawals && (i+1 == len(command) || command[i+1] != "finish") {
				return errors.New("no worker makes or lifts a withdrawal: it only finishes one")
			}
			if slices.Contains(jobKinds, word) || word == webhook.Queue {
				return nil
			}
			return fmt.Errorf("no worker runs %q", word)
		}
	}
	return errors.New("the job has no command")
}

// dueAudits asks once an hour for the audits that the schedule of the repository wants.
func dueAudits(s *store.Store) jobs.Periodic {
	root, _, _ := s.Catalogue()
	const once = 1 // the next hour tries again
	return jobs.Periodic{Name: "audit --due", Every: time.Hour, Call: jobs.Call{
		Command: []string{"audit", "--due", "--repo", root}, Directory: root, By: "the schedule of the repository",
		Queue: "audit", Priority: 3, Attempts: once, Unique: "audit --due"}}
}

// logTo returns the log: a line for each event.
func (c *workCmd) logTo(t *terminal) func(jobs.Entry) {
	var mu sync.Mutex
	return func(e jobs.Entry) {
		mu.Lock()
		defer mu.Unlock()
		if c.JSON {
			_ = t.json(e) // t.failed keeps the error
			return
		}
		text := e.Time.Format(time.TimeOnly) + "  "
		if e.Job != 0 {
			text += fmt.Sprintf("job %d ", e.Job)
		}
		text += e.Event
		if e.Status != nil {
			text += fmt.Sprintf(" with status %d after %.1f s", *e.Status, e.Seconds)
		}
		if len(e.Command) > 0 && e.Event != "ended" {
			text += ": " + written(e.Command)
		}
		if e.Detail != "" {
			text += ": " + e.Detail
		}
		t.printf("%s\n", text)
	}
}
