package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// takeOver ends a job whose worker was lost, and makes a new one for its call, in one transaction. A process of
// the old job has another number, so it can end nothing. It returns 0 if another process was first, if a person
// cancelled the job, or if the call was given up.
func (q *Queue) takeOver(ctx context.Context, id int64) (next int64, err error) {
	givenUp := false
	err = q.inTx(ctx, func(tx *sql.Tx) error {
		next = 0
		row, err := q.client.JobGetTx(ctx, tx, id)
		if err != nil {
			return err
		}
		var t task
		var n note
		if err := errors.Join(json.Unmarshal(row.EncodedArgs, &t), json.Unmarshal(row.Metadata, &n)); err != nil {
			return err
		}
		state := rivertype.JobStateDiscarded
		if n.CancelledAt != "" {
			state = rivertype.JobStateCancelled
		}
		changed, err := q.execIn(ctx, tx, "UPDATE river_job SET state = '"+string(state)+"', finalized_at = "+
			"CURRENT_TIMESTAMP WHERE id = ? AND attempt = ? AND state = 'running'", id, row.Attempt)
		if err != nil || changed == 0 || state == rivertype.JobStateCancelled {
			return err
		}
		if givenUp = n.Lost+1 >= maxLost; givenUp {
			return nil
		}
		next, err = q.follow(ctx, tx, row, t, n)
		return err
	})
	if err == nil && givenUp {
		err = q.said(ctx, id, Report{Messages: fmt.Sprintf("given up: %d workers were lost over it", maxLost)})
	}
	return next, err
}

// follow makes the job that goes on for one whose worker was lost.
func (q *Queue) follow(ctx context.Context, tx *sql.Tx, row *rivertype.JobRow, t task, n note) (int64, error) {
	metadata, err := json.Marshal(note{Submission: n.Submission, Line: n.Line, Follows: row.ID, Lost: n.Lost + 1})
	if err != nil {
		return 0, err
	}
	made, err := q.client.InsertTx(ctx, tx, t, &river.InsertOpts{MaxAttempts: row.MaxAttempts, Metadata: metadata,
		Priority: row.Priority, Queue: row.Queue, UniqueOpts: uniqueness()})
	if err != nil {
		return 0, err
	}
	_, err = q.execIn(ctx, tx, "UPDATE river_job SET metadata = "+q.dialect.merge+" WHERE id = ?",
		fmt.Sprintf(`{"continued": %d}`, made.Job.ID), row.ID)
	return made.Job.ID, err
}

// markEnded writes the lines of jobs that ended without success, from their rows: only these know that the end is
// for good. It looks back for a day, which is longer than it takes to start a worker again.
func (w *worker) markEnded(ctx context.Context) error {
	q := w.queue
	since := time.Now().Add(-day).UTC().Format("2006-01-02 15:04:05")
	ids, err := firstColumn[int64](ctx, q, "SELECT id FROM river_job WHERE state IN ('cancelled', 'discarded') AND "+
		"finalized_at > "+q.dialect.time, since)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if w.marked[id] {
			continue
		}
		j, err := q.Get(ctx, id)
		if errors.Is(err, ErrNoJob) {
			continue
		}
		if err != nil {
			return err
		}
		if j.State != Lost {
			if err := q.place.end(j.Submission, w.id, j.line); err != nil {
				return err
			}
		}
		w.marked[id] = true
	}
	return nil
}
