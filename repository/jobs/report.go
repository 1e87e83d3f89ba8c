package jobs

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"time"
)

// said stores the report of a job.
func (q *Queue) said(ctx context.Context, job int64, r Report) error {
	_, err := q.exec(ctx, "INSERT INTO jobs_reports (job, phase, done, total, exit_status, output, messages, at) "+
		"VALUES (?, ?, ?, ?, ?, ?, ?, "+q.dialect.now+") ON CONFLICT (job) DO UPDATE SET phase = excluded.phase, "+
		"done = excluded.done, total = excluded.total, exit_status = excluded.exit_status, output = excluded.output, "+
		"messages = excluded.messages, at = excluded.at",
		job, storable(r.Phase), r.Done, r.Total, r.ExitStatus, storable(r.Output), storable(r.Messages))
	return err
}

// reports returns the reports of jobs. A job that never ran has none.
func (q *Queue) reports(ctx context.Context, jobs []any) (all map[int64]*Report, err error) {
	if len(jobs) == 0 {
		return nil, nil
	}
	rows, err := q.db.QueryContext(ctx, q.statement("SELECT job, phase, done, total, exit_status, output, messages, "+
		"at FROM jobs_reports WHERE job IN ("+marks(len(jobs))+")"), jobs...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	all = map[int64]*Report{}
	for rows.Next() {
		var r Report
		var job, at int64
		err := rows.Scan(&job, &r.Phase, &r.Done, &r.Total, &r.ExitStatus, &r.Output, &r.Messages, &at)
		if err != nil {
			return nil, err
		}
		r.At = time.UnixMilli(at).UTC()
		all[job] = &r
	}
	return all, rows.Err()
}

// storable returns a text that both databases store.
func storable(text string) string {
	return string(bytes.ReplaceAll(bytes.ToValidUTF8([]byte(text), []byte("\uFFFD")), []byte{0}, []byte("\uFFFD")))
}

// tail keeps the last bytes that are written to it, and begins with a line.
type tail struct {
	mu   sync.Mutex
	size int
	text []byte
	cut  bool
}

// Write implements [io.Writer].
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if over := len(t.text) - t.size; over > t.size { // seldom
		t.text = append(t.text[:0], t.text[over:]...)
		t.cut = true
	}
	return len(p), nil
}

// String returns the text.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := t.text
	if over := len(text) - t.size; over > 0 {
		text = text[over:]
	} else if !t.cut {
		return string(text)
	}
	if end := bytes.IndexByte(text, '\n'); end >= 0 && end+1 < len(text) {
		text = text[end+1:]
	}
	return "…\n" + string(text)
}
