package jobs

import (
	"context"
	"time"
)

// Periodic is a call that workers submit again and again, while any works.
type Periodic struct {
	Name  string
	Every time.Duration
	Call  Call
}

// submitDue submits the periodic calls that are due. The database decides which worker does so. If a worker is
// killed in between, the next time is the next one.
func (w *worker) submitDue(ctx context.Context) error {
	q := w.queue
	for _, p := range w.options.Periodic {
		n, err := q.exec(ctx, "INSERT INTO jobs_periodic (name, next) VALUES (?, "+q.dialect.now+" + ?) "+
			"ON CONFLICT (name) DO UPDATE SET next = excluded.next WHERE jobs_periodic.next <= "+q.dialect.now,
			p.Name, p.Every.Milliseconds())
		if err != nil {
			return err
		}
		if n == 0 {
			continue
		}
		if _, err := q.Submit(ctx, []Call{p.Call}); err != nil {
			return err
		}
	}
	return nil
}
