package jobs

import (
	"context"
	"errors"
	"slices"

	"github.com/riverqueue/river/rivertype"
)

// The table jobs_counts has how many jobs each queue has in each state, because counting millions of rows takes half
// a second. Triggers keep it in the transaction that changes the jobs, by whichever program. In a file there is one row
// for a queue and state. In a database each statement appends a row with its differences, so no writer waits for
// another. The sum of the rows is the number, and [Queue.foldCounts] adds them up.

// keepsCounts makes the table true, and keeps it so. The statements run in one transaction, in which no other process
// changes jobs. They have no ";\n" inside.
func (d *dialect) keepsCounts() string {
	return d.triggers + "DELETE FROM jobs_counts;\nINSERT INTO jobs_counts (queue, state, n) " +
		"SELECT queue, CAST(state AS TEXT), count(*) FROM river_job GROUP BY queue, state;\n" +
		"CREATE INDEX IF NOT EXISTS jobs_waiting ON river_job (queue, id) WHERE " + waits + ";\n"
}

// waits is the condition of the index of waiting jobs: SQLite uses the index only for the same text.
const waits = "state IN ('available', 'pending')"

// triggersInFile change a row for each job.
const triggersInFile = `
DROP TRIGGER IF EXISTS jobs_count_insert;
CREATE TRIGGER jobs_count_insert AFTER INSERT ON river_job BEGIN ` + addOne + ` END;
DROP TRIGGER IF EXISTS jobs_count_update;
CREATE TRIGGER jobs_count_update AFTER UPDATE ON river_job
    WHEN old.state <> new.state OR old.queue <> new.queue BEGIN ` + addOne + takeOne + ` END;
DROP TRIGGER IF EXISTS jobs_count_delete;
CREATE TRIGGER jobs_count_delete AFTER DELETE ON river_job BEGIN ` + takeOne + ` END;
`

const (
	addOne = "INSERT OR IGNORE INTO jobs_counts (queue, state, n) VALUES (new.queue, new.state, 0); " +
		"UPDATE jobs_counts SET n = n + 1 WHERE queue = new.queue AND state = new.state; "
	takeOne = "UPDATE jobs_counts SET n = n - 1 WHERE queue = old.queue AND state = old.state; "
)

// triggersInDatabase append the differences of each statement.
const triggersInDatabase = `
CREATE OR REPLACE FUNCTION jobs_count() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
    IF TG_OP = 'INSERT' THEN INSERT INTO jobs_counts (queue, state, n)
        SELECT queue, CAST(state AS TEXT), count(*) FROM jobs_after GROUP BY 1, 2; ` +
	`ELSIF TG_OP = 'DELETE' THEN INSERT INTO jobs_counts (queue, state, n)
        SELECT queue, CAST(state AS TEXT), -count(*) FROM jobs_before GROUP BY 1, 2; ` +
	`ELSE INSERT INTO jobs_counts (queue, state, n) SELECT queue, state, sum(n) FROM (
        SELECT queue, CAST(state AS TEXT) AS state, 1 AS n FROM jobs_after
        UNION ALL SELECT queue, CAST(state AS TEXT), -1 FROM jobs_before) AS changed
        GROUP BY 1, 2 HAVING sum(n) <> 0; END IF; RETURN NULL; END $$;
DROP TRIGGER IF EXISTS jobs_count_insert ON river_job;
CREATE TRIGGER jobs_count_insert AFTER INSERT ON river_job REFERENCING NEW TABLE AS jobs_after
    FOR EACH STATEMENT EXECUTE FUNCTION jobs_count();
DROP TRIGGER IF EXISTS jobs_count_update ON river_job;
CREATE TRIGGER jobs_count_update AFTER UPDATE ON river_job REFERENCING OLD TABLE AS jobs_before NEW TABLE AS jobs_after
    FOR EACH STATEMENT EXECUTE FUNCTION jobs_count();
DROP TRIGGER IF EXISTS jobs_count_delete ON river_job;
CREATE TRIGGER jobs_count_delete AFTER DELETE ON river_job REFERENCING OLD TABLE AS jobs_before
    FOR EACH STATEMENT EXECUTE FUNCTION jobs_count();
`

// counted is the number of jobs of a queue in a state of River.
type counted struct {
	queue, state string
	n            int64
}

// states returns ours for a state of River, without [Problems] and [Lost].
func (c *counted) states(yield func(State) bool) {
	for s, of := range ofRiver {
		if s != Problems && s != Lost && slices.Contains(of, rivertype.JobState(c.state)) && !yield(s) {
			return
		}
	}
}

// mostRows is the number of rows of counts that a call reads without adding them up for the next one.
const mostRows = 2000

// counted returns the numbers that are not 0.
func (q *Queue) counted(ctx context.Context) ([]counted, error) {
	all, read, err := q.readCounts(ctx)
	if err != nil || read <= mostRows {
		return all, err
	}
	return all, q.foldCounts(ctx)
}

// readCounts returns the numbers that are not 0, and how many rows have them.
func (q *Queue) readCounts(ctx context.Context) (all []counted, read int, err error) {
	rows, err := q.db.QueryContext(ctx, "SELECT queue, state, CAST(sum(n) AS BIGINT), count(*) FROM jobs_counts "+
		"GROUP BY queue, state")
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var c counted
		var of int
		if err := rows.Scan(&c.queue, &c.state, &c.n, &of); err != nil {
			return nil, 0, err
		}
		if read += of; c.n != 0 {
			all = append(all, c)
		}
	}
	return all, read, rows.Err()
}

// foldCounts adds up the rows of counts in a database. Two processes may do so at once: each adds up other rows.
func (q *Queue) foldCounts(ctx context.Context) error {
	if q.place.Database == nil {
		return nil
	}
	_, err := q.exec(ctx, "WITH gone AS (DELETE FROM jobs_counts RETURNING queue, state, n) INSERT INTO jobs_counts "+
		"(queue, state, n) SELECT queue, state, sum(n) FROM gone GROUP BY queue, state HAVING sum(n) <> 0")
	return err
}

// Counts returns the number of jobs in each state; [Problems] and [Lost] count as done and failed.
func (q *Queue) Counts(ctx context.Context) (map[State]int64, error) {
	counts, err := q.counted(ctx)
	if err != nil {
		return nil, err
	}
	all := map[State]int64{}
	for i := range counts {
		for s := range counts[i].states {
			all[s] += counts[i].n
		}
	}
	return all, nil
}
