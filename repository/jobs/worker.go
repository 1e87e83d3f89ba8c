package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/riverqueue/river"
)

// WorkOptions are the settings of a worker.
type WorkOptions struct {
	Program     []string             // runs a command, which follows as its arguments
	Queues      []string             // the queues that it takes jobs from
	Concurrency int                  // jobs at once
	PerSource   int                  // jobs of one source at once, on all workers together; 0 for no limit
	Lease       time.Duration        // how long a worker may say nothing before others go on with its jobs
	Grace       time.Duration        // how long an interrupted command may take before it is killed
	Drain       bool                 // end when no job of its queues waits or runs
	Periodic    []Periodic           // calls that are submitted again and again
	Check       func([]string) error // refuses a command that no worker runs; nil for none
	Room        func() error         // an error makes jobs wait; nil for none
	Log         func(Entry)          // may be called concurrently
}

// Entry is a line of a worker's log.
type Entry struct {
	Time    time.Time `json:"time"`
	Event   string    `json:"event"` // started, ended, waits, rescued, cancelled, database, river, lost, stopping
	Job     int64     `json:"job,omitempty"`
	Command []string  `json:"command,omitempty"`
	Status  *int      `json:"exit_status,omitempty"`
	Seconds float64   `json:"seconds,omitempty"`
	Detail  string    `json:"detail,omitempty"`
}

// worker is one life of a worker: until it is stopped, or loses its lease.
type worker struct {
	river.WorkerDefaults[task]
	queue   *Queue
	options WorkOptions
	id      string
	host    string
	pid     int
	slots   chan struct{}

	marked map[int64]bool // jobs that ended without success, whose lines were written

	mu       sync.Mutex
	running  map[int64]*run
	unknown  map[int64]time.Time // see forgotten
	stopping bool
}

// Work takes jobs and runs them, until ctx ends. Then it interrupts those that run, and puts them back into the
// queue. A worker that lost its lease begins again under a new name.
func (q *Queue) Work(ctx context.Context, o WorkOptions) error {
	for {
		err := q.workOnce(ctx, o)
		if !errors.Is(err, errLeaseLost) || ctx.Err() != nil {
			return err
		}
		o.Log(Entry{Time: time.Now().UTC(), Event: "lost", Detail: err.Error() + "; it begins again"})
		if stopped := q.awaitDatabase(ctx); stopped {
			return nil
		}
	}
}

// awaitDatabase waits until the database answers. It returns true if the worker is stopped before.
func (q *Queue) awaitDatabase(ctx context.Context) bool {
	for pause(ctx, time.Second) == nil {
		if q.db.PingContext(ctx) == nil {
			return false
		}
	}
	return true
}

func (q *Queue) workOnce(ctx context.Context, o WorkOptions) error {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	w := &worker{queue: q, options: o, host: host, pid: os.Getpid(), id: host + "-" + newID(),
		slots: make(chan struct{}, o.Concurrency), running: map[int64]*run{}, unknown: map[int64]time.Time{},
		marked: map[int64]bool{}}
	if err := w.register(ctx); err != nil {
		return fmt.Errorf("taking a lease: %w", err)
	}
	client, err := w.client()
	if err == nil {
		err = q.keepPauses(ctx) // before the client forgets old ones
	}
	if err != nil {
		return errors.Join(err, w.unregister(context.WithoutCancel(ctx)))
	}
	if err := client.Start(context.WithoutCancel(ctx)); err != nil {
		return errors.Join(fmt.Errorf("the queue: %w", err), w.unregister(context.WithoutCancel(ctx)))
	}
	lost, release := w.keepLease(ctx)
	defer release()
	if err := w.beat(ctx, lost); err != nil {
		w.interrupt(true)
		return errors.Join(err, w.stop(ctx, client))
	}
	w.interrupt(false)
	if err := w.stop(ctx, client); err != nil {
		return err
	}
	w.attend(context.WithoutCancel(ctx), "removing submissions that ended", q.prune)
	return w.unregister(context.WithoutCancel(ctx))
}

// day is a day.
const day = 24 * time.Hour

// client returns River's client that takes jobs. Its own rescue is far away: leases do that.
func (w *worker) client() (*river.Client[*sql.Tx], error) {
	all := river.NewWorkers()
	if err := river.AddWorkerSafely(all, w); err != nil {
		return nil, err
	}
	queues := map[string]river.QueueConfig{}
	for _, name := range w.options.Queues {
		queues[name] = river.QueueConfig{MaxWorkers: w.options.Concurrency}
	}
	return river.NewClient(w.queue.driver, &river.Config{
		ID: w.id, Queues: queues, Workers: all, Logger: slog.New(&riverLog{w}),
		FetchPollInterval: 500 * time.Millisecond, FetchCooldown: 50 * time.Millisecond,
		JobTimeout: -1, RescueStuckJobsAfter: 10 * 365 * day,
		CompletedJobRetentionPeriod: 30 * day, CancelledJobRetentionPeriod: 30 * day,
		DiscardedJobRetentionPeriod: 90 * day,
	})
}

// stop ends River's client when all jobs have ended.
func (w *worker) stop(ctx context.Context, client *river.Client[*sql.Tx]) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.options.Grace+10*time.Second)
	defer cancel()
	if err := client.Stop(ctx); err != nil {
		w.log(Entry{Event: "stopping", Detail: err.Error()})
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return client.StopAndCancel(last)
	}
	return nil
}

// drained reports whether no job of the worker's queues waits or runs.
func (w *worker) drained(ctx context.Context) (bool, error) {
	values := make([]any, 0, len(w.options.Queues))
	for _, name := range w.options.Queues {
		values = append(values, name)
	}
	var n int64
	err := w.queue.row(ctx, "SELECT count(*) FROM river_job WHERE state IN ('available', 'pending', 'retryable', "+
		"'running', 'scheduled') AND queue IN ("+marks(len(values))+")", values...).Scan(&n)
	return n == 0, err
}

// cancelled interrupts the jobs that a person cancelled.
func (w *worker) cancelled(ctx context.Context) error {
	if !w.busy() {
		return nil
	}
	ids, err := firstColumn[int64](ctx, w.queue, "SELECT id FROM river_job WHERE state = 'running' AND "+
		w.queue.dialect.worker+" = ? AND "+w.queue.dialect.cancelled+" IS NOT NULL", w.id)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, id := range ids {
		if r := w.running[id]; r != nil && !r.cancelled {
			r.cancelled = true
			r.interrupt()
		}
	}
	return nil
}

func (w *worker) busy() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.running) > 0
}

// interrupt stops all commands; at once if the worker lost its lease.
func (w *worker) interrupt(lost bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopping = true
	if len(w.running) > 0 {
		w.log(Entry{Event: "stopping", Detail: fmt.Sprintf("%d running; they are interrupted", len(w.running))})
	}
	for _, r := range w.running {
		if lost {
			r.kill()
		} else {
			r.interrupt()
		}
	}
}

func (w *worker) log(e Entry) {
	e.Time = time.Now().UTC()
	if w.options.Log != nil {
		w.options.Log(e)
	}
}

func (w *worker) queuesText() string {
	return strings.Join(slices.Sorted(slices.Values(w.options.Queues)), ",")
}
