package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// errLeaseLost reports that this worker said nothing for too long. Others have its jobs, or may take them.
var errLeaseLost = errors.New("the lease of this worker ended")

// register takes a lease for a worker.
func (w *worker) register(ctx context.Context) error {
	_, err := w.queue.exec(ctx, "INSERT INTO jobs_workers (id, host, pid, queues, concurrency, started, until) "+
		"VALUES (?, ?, ?, ?, ?, "+w.queue.dialect.now+", "+w.queue.dialect.now+" + ?)", w.id, w.host, w.pid,
		w.queuesText(), w.options.Concurrency, w.options.Lease.Milliseconds())
	return err
}

// keepLease makes the lease longer again and again, until release is called. If that fails for too long, lost gets
// the error.
func (w *worker) keepLease(ctx context.Context) (lost <-chan error, release func()) {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx)) // also while commands are interrupted
	failed, ended := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(ended)
		for renewed := time.Now(); pause(ctx, w.options.Lease/6) == nil; {
			before := time.Now()
			err := w.renew(ctx)
			if err == nil {
				renewed = before
				continue
			}
			if ctx.Err() == nil {
				w.log(Entry{Event: "database", Detail: "the lease: " + err.Error()})
			}
			if errors.Is(err, errLeaseLost) || time.Since(renewed) > w.options.Lease {
				w.interrupt(true)
				failed <- errors.Join(errLeaseLost, err)
				return
			}
		}
	}()
	return failed, func() {
		stop()
		<-ended
	}
}

// renew makes the lease longer.
func (w *worker) renew(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, w.options.Lease/3)
	defer stop()
	n, err := w.queue.exec(ctx, "UPDATE jobs_workers SET until = "+w.queue.dialect.now+" + ? WHERE id = ? AND until > "+
		w.queue.dialect.now, w.options.Lease.Milliseconds(), w.id)
	if err == nil && n == 0 {
		return errLeaseLost
	}
	return err
}

// unregister ends the lease at once.
func (w *worker) unregister(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	_, err := w.queue.exec(ctx, "DELETE FROM jobs_workers WHERE id = ?", w.id)
	return err
}

// rescue lets the jobs of lost workers go on, and those of this worker that it does not run: River could not
// write their end.
func (w *worker) rescue(ctx context.Context) error {
	q := w.queue
	lost, err := firstColumn[int64](ctx, q, "SELECT id FROM river_job WHERE state = 'running' AND "+q.dialect.worker+
		" NOT IN (SELECT id FROM jobs_workers WHERE until > "+q.dialect.now+") ORDER BY id")
	if err != nil {
		return err
	}
	ours, err := firstColumn[int64](ctx, q, "SELECT id FROM river_job WHERE state = 'running' AND "+q.dialect.worker+
		" = ? ORDER BY id", w.id)
	if err != nil {
		return err
	}
	var failed error
	for _, id := range append(lost, w.forgotten(ours)...) {
		next, err := q.takeOver(ctx, id)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("job %d: %w", id, err))
		}
		if next != 0 {
			w.log(Entry{Event: "rescued", Job: id, Detail: fmt.Sprintf("job %d goes on", next)})
		}
	}
	if failed != nil {
		return failed
	}
	_, err = q.exec(ctx, "DELETE FROM jobs_workers WHERE until < "+q.dialect.now+" - ?",
		(24 * time.Hour).Milliseconds())
	return err
}

// forgotten returns the jobs that the database says this worker runs, and that it has not run for a minute.
func (w *worker) forgotten(ours []int64) (all []int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	seen := map[int64]time.Time{}
	for _, id := range ours {
		if w.running[id] != nil {
			continue
		}
		since, ok := w.unknown[id]
		if !ok {
			since = time.Now()
		}
		if time.Since(since) > time.Minute {
			all = append(all, id)
			continue
		}
		seen[id] = since
	}
	w.unknown = seen
	return all
}

// maxLost is the number of workers that a call may cost: one that kills its worker must not kill all.
const maxLost = 5
