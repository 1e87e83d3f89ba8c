package jobs

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// pruned is the number of submissions that are removed at once, so that other calls wait only for a moment.
const pruned = 200

// prune removes the files of submissions whose jobs all ended, and reports without a job.
func (q *Queue) prune(ctx context.Context) error {
	// As a text, the state has no index: that of submissions is the better one.
	ids, err := firstColumn[string](ctx, q, "SELECT id FROM jobs_submissions s WHERE inserted = lines AND NOT EXISTS ("+
		"SELECT 1 FROM river_job WHERE "+q.dialect.submission+" = s.id AND CAST(state AS TEXT) IN ('available', "+
		"'pending', 'retryable', 'running', 'scheduled')) ORDER BY id LIMIT ?", pruned)
	if err != nil {
		return err
	}
	files, err := q.place.files()
	if err != nil {
		return err
	}
	for _, id := range ids {
		if files[id].submitting != "" {
			continue // its jobs were made a moment ago
		}
		if err := q.place.remove(files[id]); err != nil {
			return err
		}
		if _, err := q.exec(ctx, "DELETE FROM jobs_submissions WHERE id = ?", id); err != nil {
			return err
		}
	}
	if err := q.sweep(files); err != nil {
		return err
	}
	if err := q.foldCounts(ctx); err != nil {
		return err
	}
	_, err = q.exec(ctx, "DELETE FROM jobs_reports WHERE job IN (SELECT job FROM jobs_reports r WHERE NOT EXISTS ("+
		"SELECT 1 FROM river_job j WHERE j.id = r.job) LIMIT ?)", pruned)
	return err
}

// sweep removes submissions that were never acknowledged.
func (q *Queue) sweep(all map[string]files) error {
	for _, of := range all {
		if of.submitting == "" {
			continue
		}
		path := filepath.Join(q.place.folder(), of.submitting)
		info, err := os.Lstat(path)
		if err == nil && time.Since(info.ModTime()) > day {
			err = os.Remove(path)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
