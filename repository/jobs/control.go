package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// Cancel ends a job. One that runs is interrupted within seconds; wait for its state.
func (q *Queue) Cancel(ctx context.Context, id int64) (Job, error) {
	_, err := q.client.JobCancel(ctx, id)
	if errors.Is(err, rivertype.ErrNotFound) {
		return Job{}, fmt.Errorf("job %d: %w", id, ErrNoJob)
	}
	if err != nil {
		return Job{}, err
	}
	j, err := q.Get(ctx, id)
	if _, gone := os.Stat(q.place.calls(j.Submission)); err == nil && j.State == Cancelled && gone == nil {
		err = q.place.end(j.Submission, "cancel", j.line)
	}
	return j, err
}

// ErrOpen reports that a job still waits or runs.
var ErrOpen = errors.New("the job has not ended")

// Retry submits the command of a job again that ended, by a person; "" is the one of the job. A job that waits for
// its next attempt gets it now.
func (q *Queue) Retry(ctx context.Context, id int64, by string) (Submitted, error) {
	j, err := q.Get(ctx, id)
	if err != nil {
		return Submitted{}, err
	}
	switch j.State {
	case Later:
		_, err := q.client.JobRetry(ctx, id)
		return Submitted{Job: id, Command: j.Command, Already: true}, err
	case Waiting, Running:
		return Submitted{}, fmt.Errorf("job %d: %w: it is %s", id, ErrOpen, j.State)
	case Lost:
		return Submitted{}, fmt.Errorf("job %d: %w: job %d goes on", id, ErrOpen, j.Continued)
	}
	made, err := q.Submit(ctx, []Call{{Command: j.Command, Directory: j.Directory, By: cmp.Or(by, j.By),
		Source: j.Source, Unique: j.unique, Queue: j.Queue, Priority: j.Priority, Attempts: j.Attempts}})
	if err != nil {
		return Submitted{}, err
	}
	return made[0], nil
}

// everyQueue is River's name for all queues.
const everyQueue = "*"

// Pause lets workers take no more jobs of a queue, or with "" of any. Jobs that run go on.
func (q *Queue) Pause(ctx context.Context, queue string) error {
	return q.control(ctx, queue, q.client.QueuePause)
}

// Resume ends a pause.
func (q *Queue) Resume(ctx context.Context, queue string) error {
	return q.control(ctx, queue, q.client.QueueResume)
}

func (q *Queue) control(ctx context.Context, queue string,
	do func(context.Context, string, *river.QueuePauseOpts) error) error {
	if queue == "" {
		queue = everyQueue
	}
	err := do(ctx, queue, nil)
	if errors.Is(err, rivertype.ErrNotFound) {
		return fmt.Errorf("queue %s: no worker has it yet", queue)
	}
	return err
}

// keepPauses keeps the pauses of queues: River forgets a queue that no worker has taken for a day.
func (q *Queue) keepPauses(ctx context.Context) error {
	_, err := q.exec(ctx, "UPDATE river_queue SET updated_at = CURRENT_TIMESTAMP WHERE paused_at IS NOT NULL")
	return err
}

// WorkerState is a worker that holds a lease.
type WorkerState struct {
	ID          string    `json:"id"`
	Host        string    `json:"host"`
	PID         int64     `json:"pid"`
	Queues      string    `json:"queues"`
	Concurrency int64     `json:"concurrency"`
	Started     time.Time `json:"started"`
	Until       time.Time `json:"lease_until"`
}

// Workers returns the workers whose lease has not ended.
func (q *Queue) Workers(ctx context.Context) (all []WorkerState, err error) {
	rows, err := q.db.QueryContext(ctx, "SELECT id, host, pid, queues, concurrency, started, until FROM jobs_workers "+
		"WHERE until > "+q.dialect.now+" ORDER BY id")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var w WorkerState
		var started, until int64
		if err := rows.Scan(&w.ID, &w.Host, &w.PID, &w.Queues, &w.Concurrency, &started, &until); err != nil {
			return nil, err
		}
		w.Started, w.Until = time.UnixMilli(started).UTC(), time.UnixMilli(until).UTC()
		all = append(all, w)
	}
	return all, rows.Err()
}
