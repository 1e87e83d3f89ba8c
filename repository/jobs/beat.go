package jobs

import (
	"context"
	"time"
)

// tick is the time between two looks at the jobs that run.
const tick = 500 * time.Millisecond

// patience bounds a part of a beat, so that a database that does not answer stops only that part.
const patience = time.Minute

// beat attends to the jobs, until the worker is stopped, has nothing more to do, or has lost its lease.
func (w *worker) beat(ctx context.Context, lost <-chan error) error {
	tending, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	defer func() {
		stop()
		<-ended
	}()
	go func() {
		defer close(ended)
		w.tend(tending)
	}()
	for n := 0; ; n++ {
		w.attend(ctx, "reading cancelled jobs", w.cancelled)
		w.attend(ctx, "writing progress", w.writeProgress)
		if w.options.Drain && n > 0 {
			if drained, err := w.drained(ctx); err == nil && drained {
				return nil
			}
		}
		select {
		case err := <-lost:
			return err
		case <-ctx.Done():
			return nil
		case <-time.After(min(tick, w.options.Lease/6)):
		}
	}
}

// tend rescues jobs, and keeps house, apart from the beat: parts of it may take long.
func (w *worker) tend(ctx context.Context) {
	var tended time.Time
	for {
		w.attend(ctx, "rescuing jobs", w.rescue)
		if time.Since(tended) > time.Minute {
			tended = time.Now()
			w.attend(ctx, "writing which jobs ended", w.markEnded)
			w.attend(ctx, "removing submissions that ended", w.queue.prune)
			w.attend(ctx, "submitting periodic jobs", w.submitDue)
			w.attend(ctx, "keeping pauses", w.queue.keepPauses)
		}
		if pause(ctx, w.options.Lease/6) != nil {
			return
		}
	}
}

// attend runs a part of the work. An error of the database is logged, and the next time tries again.
func (w *worker) attend(ctx context.Context, part string, do func(context.Context) error) {
	bounded, stop := context.WithTimeout(ctx, patience)
	defer stop()
	if err := do(bounded); err != nil && ctx.Err() == nil {
		w.log(Entry{Event: "database", Detail: part + ": " + err.Error()})
	}
}
