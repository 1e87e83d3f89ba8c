package webhook

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"time"

	"quire/repository/jobs"
)

// Queue has the jobs that send messages. Their own ends make none.
const Queue = "notify"

// Attempts is how often a message is sent at most. With the pauses of the queue, the last try is two days after the
// first.
const Attempts = 15

// Follower makes jobs for the messages on jobs that end.
type Follower struct {
	Jobs    *jobs.Queue
	Hooks   []Hook
	Command func(hook string, job int64) []string // sends one message
	Folder  string                                // where commands begin
	Log     *slog.Logger
}

// every is the time between two looks.
const every = 2 * time.Second

// Follow works until ctx ends. If the database is away, it goes on when it is back.
func (f *Follower) Follow(ctx context.Context) {
	bad := false
	for {
		more, err := f.Look(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil && !bad {
			f.Log.ErrorContext(ctx, "webhooks wait for the queue", "error", err)
		}
		if bad = err != nil; more {
			continue
		}
		t := time.NewTimer(every)
		select {
		case <-ctx.Done():
			t.Stop()
			return
		case <-t.C:
		}
	}
}

// Look makes jobs for the messages on jobs that ended since the last look. The first look of a hook finds none. It
// reports whether there may be more.
func (f *Follower) Look(ctx context.Context) (more bool, err error) {
	for i := range f.Hooks {
		h := &f.Hooks[i]
		again, err := f.Jobs.Ended(ctx, "webhook "+h.Name, func(all []jobs.Job) error {
			var calls []jobs.Call
			for i := range all {
				if j := &all[i]; j.Queue != Queue && slices.Contains(h.States, j.State) {
					calls = append(calls, f.call(h, j.ID))
				}
			}
			_, err := f.Jobs.Submit(ctx, calls)
			return err
		})
		if err != nil {
			return false, fmt.Errorf("the webhook %s: %w", h.Name, err)
		}
		more = more || again
	}
	return more, nil
}

func (f *Follower) call(h *Hook, job int64) jobs.Call {
	const first = 1
	return jobs.Call{Command: f.Command(h.Name, job), Directory: f.Folder, By: "the webhook " + h.Name, Queue: Queue,
		Priority: first, Attempts: Attempts, Unique: "notify " + h.Name + " " + strconv.FormatInt(job, 10)}
}
