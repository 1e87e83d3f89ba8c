package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"
)

// errLeaseLost reports that this worker said nothing for too long. Others have its jobs, or may take them.
var errLeaseLost = errors.New("the lease of this worker ended")

// register takes a lease for a worker.
func (w *worker) register(ctx context.Context) error {
	before := time.Now()
	_, err := w.queue.exec(ctx, "INSERT INTO jobs_workers (id, host, pid, queues, concurrency, started, until) "+
		"VALUES (?, ?, ?, ?, ?, "+w.queue.dialect.now+", "+w.queue.dialect.now+" + ?)", w.id, w.host, w.pid,
		w.queuesText(), w.options.Concurrency, w.options.Lease.Milliseconds())
	w.renewed = before
	return err
}

// renew makes the lease longer. If the database does not answer, the worker goes on until the lease has ended.
func (w *worker) renew(ctx context.Context) error {
	before := time.Now()
	ctx, stop := context.WithTimeout(ctx, w.options.Lease/2)
	defer stop()
	n, err := w.queue.exec(ctx, "UPDATE jobs_workers SET until = "+w.queue.dialect.now+" + ? WHERE id = ? AND until > "+
		w.queue.dialect.now, w.options.Lease.Milliseconds(), w.id)
	switch {
	case err == nil && n == 1:
		w.renewed = before
		return nil
	case err == nil:
		return errLeaseLost
	case time.Since(w.renewed) > w.options.Lease:
		return fmt.Errorf("%w: %w", errLeaseLost, err)
	}
	w.log(Entry{Event: "database", Detail: err.Error()})
	return nil
}

// unregister ends the lease at once.
func (w *worker) unregister(ctx context.Context) error {
	_, err := w.queue.exec(ctx, "DELETE FROM jobs_workers WHERE id = ?", w.id)
	return err
}

// rescue lets the jobs of lost workers go on, and those of this worker that it does not run: River could not
// write their end.
func (w *worker) rescue(ctx context.Context) error {
	q := w.queue
	lost, err := numbers[int64](ctx, q, "SELECT id FROM river_job WHERE state = 'running' AND "+q.dialect.worker+
		" NOT IN (SELECT id FROM jobs_workers WHERE until > "+q.dialect.now+") ORDER BY id")
	if err != nil {
		return err
	}
	ours, err := numbers[int64](ctx, q, "SELECT id FROM river_job WHERE state = 'running' AND "+q.dialect.worker+
		" = ? ORDER BY id", w.id)
	if err != nil {
		return err
	}
	for _, id := range append(lost, w.forgotten(ours)...) {
		next, err := q.takeOver(ctx, id)
		if err != nil {
			return fmt.Errorf("rescuing job %d: %w", id, err)
		}
		if next != 0 {
			w.log(Entry{Event: "rescued", Job: id, Detail: fmt.Sprintf("job %d goes on", next)})
		}
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

// takeOver ends a job whose worker was lost, and makes a new one for its call, in one transaction. A process of
// the old job has another number, so it can end nothing. It returns 0 if another process was first, or the call
// was given up.
func (q *Queue) takeOver(ctx context.Context, id int64) (next int64, err error) {
	var j Job
	lost := 0
	err = q.inTx(ctx, func(tx *sql.Tx) error {
		next = 0
		row, err := q.client.JobGetTx(ctx, tx, id)
		if err != nil {
			return err
		}
		if j, err = ofRow(row); err != nil {
			return err
		}
		var t task
		var n note
		if err := errors.Join(json.Unmarshal(row.EncodedArgs, &t), json.Unmarshal(row.Metadata, &n)); err != nil {
			return err
		}
		changed, err := q.execIn(ctx, tx, "UPDATE river_job SET state = 'discarded', finalized_at = CURRENT_TIMESTAMP "+
			"WHERE id = ? AND attempt = ? AND state = 'running'", id, row.Attempt)
		if err != nil || changed == 0 {
			return err
		}
		if lost = n.Lost + 1; lost >= maxLost {
			return nil
		}
		metadata, err := json.Marshal(note{Submission: n.Submission, Line: n.Line, Follows: id, Lost: lost})
		if err != nil {
			return err
		}
		made, err := q.client.InsertTx(ctx, tx, t, &river.InsertOpts{MaxAttempts: row.MaxAttempts, Metadata: metadata,
			Priority: row.Priority, Queue: row.Queue, UniqueOpts: uniqueness()})
		if err != nil {
			return err
		}
		next = made.Job.ID
		_, err = q.execIn(ctx, tx, "UPDATE river_job SET metadata = "+q.dialect.merge+" WHERE id = ?",
			fmt.Sprintf(`{"continued": %d}`, next), id)
		return err
	})
	if err == nil && lost >= maxLost {
		why := fmt.Sprintf("given up: %d workers were lost over it", lost)
		err = errors.Join(q.said(ctx, id, Report{Messages: why}), q.place.end(j.Submission, "given-up", j.line))
	}
	return next, err
}
