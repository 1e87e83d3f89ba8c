package jobs

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"slices"
	"time"

	"github.com/riverqueue/river"
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
	counts, err := q.counted(ctx)
	if err != nil {
		return nil, nil, err
	}
	all, first = map[string]*QueueState{}, map[string]int64{}
	for i := range counts {
		c := &counts[i]
		if all[c.queue] == nil {
			all[c.queue] = &QueueState{Queue: c.queue, Counts: map[State]int64{}}
		}
		for s := range c.states {
			all[c.queue].Counts[s] += c.n
		}
	}
	for queue, s := range all {
		if s.Counts[Waiting] == 0 {
			continue
		}
		var least sql.NullInt64
		err := q.row(ctx, "SELECT min(id) FROM river_job WHERE queue = ? AND "+waits, queue).Scan(&least)
		if err != nil {
			return nil, nil, err
		}
		if least.Valid { // otherwise it began a moment ago
			first[queue] = least.Int64
		}
	}
	return all, first, nil
}
