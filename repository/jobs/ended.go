package jobs

import (
	"context"
	"database/sql"
	"time"
)

// The most jobs of a call of Ended, and how late the end of a job may be seen: clocks of machines differ.
const (
	endedAtOnce = 500
	endedLate   = 10 * time.Minute
)

// Ended gives f the jobs that ended since the first call for a follower, each once. If f fails, they come again; so
// they may if several processes follow at once. It reports whether there may be more.
func (q *Queue) Ended(ctx context.Context, follower string, f func([]Job) error) (more bool, err error) {
	now := time.Now().UTC()
	from, err := q.following(ctx, follower, now)
	if err != nil {
		return false, err
	}
	ids, err := firstColumn[int64](ctx, q, "SELECT id FROM river_job WHERE state IN ('cancelled', 'completed', "+
		"'discarded') AND finalized_at >= "+q.dialect.time+" AND NOT EXISTS (SELECT 1 FROM jobs_told WHERE "+
		"follower = ? AND job = river_job.id) ORDER BY finalized_at, id LIMIT ?",
		from.Format("2006-01-02 15:04:05.000"), follower, endedAtOnce)
	if err != nil {
		return false, err
	}
	all, err := q.numbered(ctx, ids)
	if err != nil {
		return false, err
	}
	if len(all) > 0 {
		if err := f(all); err != nil {
			return false, err
		}
	}
	more = len(ids) == endedAtOnce
	return more, q.followed(ctx, follower, all, now, !more)
}

// following returns the time from which on the ends of jobs are to be looked for.
func (q *Queue) following(ctx context.Context, follower string, now time.Time) (time.Time, error) {
	_, err := q.exec(ctx, "INSERT INTO jobs_followers (follower, began, seen) VALUES (?, ?, ?) "+
		"ON CONFLICT (follower) DO NOTHING", follower, now.UnixMilli(), now.UnixMilli())
	if err != nil {
		return now, err
	}
	var began, seen int64
	err = q.row(ctx, "SELECT began, seen FROM jobs_followers WHERE follower = ?", follower).Scan(&began, &seen)
	return time.UnixMilli(max(began, seen-endedLate.Milliseconds())).UTC(), err
}

// followed notes that jobs were given to a follower, and forgets those that cannot be found again.
func (q *Queue) followed(ctx context.Context, follower string, all []Job, now time.Time, upToNow bool) error {
	return q.inTx(ctx, func(tx *sql.Tx) error {
		for i := range all {
			if _, err := q.execIn(ctx, tx, "INSERT INTO jobs_told (follower, job, ended) VALUES (?, ?, ?) "+
				"ON CONFLICT (follower, job) DO NOTHING", follower, all[i].ID, all[i].Ended.UnixMilli()); err != nil {
				return err
			}
		}
		if !upToNow {
			return nil
		}
		if _, err := q.execIn(ctx, tx, "UPDATE jobs_followers SET seen = ? WHERE follower = ? AND seen < ?",
			now.UnixMilli(), follower, now.UnixMilli()); err != nil {
			return err
		}
		_, err := q.execIn(ctx, tx, "DELETE FROM jobs_told WHERE follower = ? AND ended < ?", follower,
			now.Add(-endedLate-time.Minute).UnixMilli())
		return err
	})
}
