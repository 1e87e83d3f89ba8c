package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/riverqueue/river"
)

// delayed returns how long a job must wait, and why; 0 if it may run.
func (w *worker) delayed(ctx context.Context, job *river.Job[task]) (time.Duration, string) {
	const forRoom, forSource = 30 * time.Second, 5 * time.Second
	if w.options.Room != nil {
		if err := w.options.Room(); err != nil {
			return forRoom, err.Error()
		}
	}
	if w.options.PerSource == 0 || job.Args.Source == "" {
		return 0, ""
	}
	// Of the jobs of a source that run, those that began first go on.
	var before int
	err := w.queue.row(ctx, "SELECT count(*) FROM river_job WHERE state = 'running' AND "+w.queue.dialect.source+
		" = ? AND id <> ? AND (attempted_at < (SELECT attempted_at FROM river_job WHERE id = ?) OR attempted_at = "+
		"(SELECT attempted_at FROM river_job WHERE id = ?) AND id < ?)", job.Args.Source, job.ID, job.ID, job.ID,
		job.ID).Scan(&before)
	if err != nil {
		return forSource, err.Error()
	}
	if before >= w.options.PerSource {
		return forSource, fmt.Sprintf("%d jobs of the source %s run already", before, job.Args.Source)
	}
	return 0, ""
}
