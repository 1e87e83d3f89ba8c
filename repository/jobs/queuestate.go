package jobs

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// QueueState is how many jobs a queue has, and how long they wait.
type QueueState struct {
	Queue  string          `json:"queue"`
	Counts map[State]int64 `json:"counts"` // [Problems] and [Lost] count as done and failed
	// Oldest is the submission of the job that has the smallest number of those that wait for a worker. It is zero if
	// none does.
	Oldest time.Time `json:"oldest_waiting,omitzero"`
}

// Queues returns the queues that have jobs, sorted by name.
func (q *Queue) Queues(ctx context.Context) ([]QueueState, error) {
	all, first, err := q.queueCounts(ctx)
	if err != nil || len(first) == 0 {
		return sortedQueues(all), err
	}
	p := river.NewJobListParams().IDs(slices.Collect(maps.Values(first))...).First(len(first))
	found, err := q.client.JobList(ctx, p)
	if err != nil {
		return nil, err
	}
	for _, row := range found.Jobs {
		all[row.Queue].Oldest = row.CreatedAt
	}
	return sortedQueues(all), nil
}

func sortedQueues(all map[string]*QueueState) []QueueState {
	list := make([]QueueState, 0, len(all))
	for _, s := range all {
		list = append(list, *s)
	}
	slices.SortFunc(list, func(a, b QueueState) int { return cmp.Compare(a.Queue, b.Queue) })
	return list
}

// queueCounts returns the queues by name, and for each the smallest number of a job that waits for a worker.
func (q *Queue) queueCounts(ctx context.Context) (all map[string]*QueueState, first map[string]int64, err error) {
	rows, err := q.db.QueryContext(ctx, "SELECT queue, state, count(*), min(id) FROM river_job GROUP BY queue, state")
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	all, first = map[string]*QueueState{}, map[string]int64{}
	for rows.Next() {
		var queue, state string
		var n, least int64
		if err := rows.Scan(&queue, &state, &n, &least); err != nil {
			return nil, nil, err
		}
		if all[queue] == nil {
			all[queue] = &QueueState{Queue: queue, Counts: map[State]int64{}}
		}
		for s, of := range ofRiver {
			if s == Problems || s == Lost || !slices.Contains(of, rivertype.JobState(state)) {
				continue
			}
			all[queue].Counts[s] += n
			if had, has := first[queue]; s == Waiting && (!has || least < had) {
				first[queue] = least
			}
		}
	}
	return all, first, rows.Err()
}
