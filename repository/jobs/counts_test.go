package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"testing"

	"quire/repository/jobs"
)

// ours are our states for those of River.
var ours = map[string]jobs.State{"available": jobs.Waiting, "pending": jobs.Waiting, "scheduled": jobs.Later,
	"retryable": jobs.Later, "running": jobs.Running, "completed": jobs.Done, "discarded": jobs.Failed,
	"cancelled": jobs.Cancelled}

// allJobs counts the jobs by queue and state, by reading all.
func allJobs(t *testing.T, db *numbered) map[string]int64 {
	t.Helper()
	all := map[string]int64{}
	rows, err := db.db.QueryContext(t.Context(), "SELECT queue, CAST(state AS TEXT) FROM river_job")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }() // rows.Err below reports the error
	for rows.Next() {
		var queue, state string
		if err := rows.Scan(&queue, &state); err != nil {
			t.Fatal(err)
		}
		all[fmt.Sprint(queue, " ", ours[state])]++
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// sameCounts compares the kept counts with the jobs that are there.
func sameCounts(t *testing.T, q *jobs.Queue, db *numbered, when string) {
	t.Helper()
	want := allJobs(t, db)
	all, err := q.Queues(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got, sum := map[string]int64{}, map[jobs.State]int64{}
	for _, one := range all {
		for s, n := range one.Counts {
			got[fmt.Sprint(one.Queue, " ", s)] = n
			sum[s] += n
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("%s: counts are %v, jobs %v", when, got, want)
	}
	if counts, err := q.Counts(t.Context()); err != nil || !maps.Equal(counts, sum) {
		t.Errorf("%s: %v of all queues, %v of each together, %v", when, counts, sum, err)
	}
}

// TestCounts: the kept counts are those of the jobs, whatever changes them, and for a queue of version 2.
func TestCounts(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q, db := opened(t, p), database(t, p)
		other := a("status", "0", "elsewhere")
		other.Queue = "others"
		fails := a("no-command")
		fails.Attempts = 1
		made := submitted(t, q, a("status", "0"), a("status", "1"), fails, other, a("status", "0", "x"))
		sameCounts(t, q, db, "submitted")
		if _, err := q.Cancel(t.Context(), made[4].Job); err != nil {
			t.Fatal(err)
		}
		sameCounts(t, q, db, "one cancelled")
		drain(t, q)
		sameCounts(t, q, db, "drained")
		db.exec(t, "UPDATE river_job SET queue = 'others' WHERE queue = 'tests' AND state = 'completed'")
		sameCounts(t, q, db, "moved to another queue")
		db.exec(t, fmt.Sprint("DELETE FROM river_job WHERE id = ", made[1].Job))
		sameCounts(t, q, db, "one removed")
		// As a queue of version 2: its counts are made from the jobs, and kept from then on.
		for _, name := range []string{"insert", "update", "delete"} {
			if p.Database != nil {
				db.exec(t, "DROP TRIGGER jobs_count_"+name+" ON river_job")
			} else {
				db.exec(t, "DROP TRIGGER jobs_count_"+name)
			}
		}
		for _, s := range []string{"DROP TABLE jobs_counts", "DROP INDEX jobs_waiting",
			"ALTER TABLE jobs_arrivals DROP COLUMN job", "ALTER TABLE jobs_arrivals DROP COLUMN gone",
			"DELETE FROM jobs_schema", "INSERT INTO jobs_schema (version) VALUES (2)"} {
			db.exec(t, s)
		}
		q = opened(t, p)
		sameCounts(t, q, db, "of version 2")
		submitted(t, q, a("status", "0", "y"))
		sameCounts(t, q, db, "submitted to the queue of version 2")
	})
}

// TestCountsTogether: several processes change jobs and ask for counts, which are added up meanwhile, and lose none.
func TestCountsTogether(t *testing.T) {
	t.Parallel()
	p := inDatabase(t)
	db := database(t, p)
	queues := []*jobs.Queue{opened(t, p), opened(t, p), opened(t, p)}
	const rows = 2100 // so that a call adds them up
	db.exec(t, fmt.Sprint("INSERT INTO jobs_counts (queue, state, n) SELECT 'none', 'completed', 1 - 2 * (i % 2) FROM "+
		"generate_series(1, ", rows, ") AS i"))
	var all sync.WaitGroup
	failed := make([]error, 2*len(queues))
	for i, q := range queues {
		all.Go(func() { failed[2*i] = submitEach(t.Context(), q, i) })
		all.Go(func() { failed[2*i+1] = countOften(t.Context(), q) })
	}
	all.Wait()
	if err := errors.Join(failed...); err != nil {
		t.Fatal(err)
	}
	sameCounts(t, queues[0], db, "together")
	var n int
	if err := db.db.QueryRowContext(t.Context(), "SELECT count(*) FROM jobs_counts").Scan(&n); err != nil || n >= rows {
		t.Errorf("%d rows of counts: they were not added up, %v", n, err)
	}
}

func submitEach(ctx context.Context, q *jobs.Queue, by int) error {
	for i := range 20 {
		if _, err := q.Submit(ctx, []jobs.Call{a("status", "0", fmt.Sprint(by, " ", i))}); err != nil {
			return err
		}
	}
	return nil
}

func countOften(ctx context.Context, q *jobs.Queue) error {
	for range 20 {
		if _, err := q.Counts(ctx); err != nil {
			return err
		}
	}
	return nil
}
