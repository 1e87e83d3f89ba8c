package store

import (
	"context"
	"sync"
	"time"
)

// throttle slows down readers to a rate, which they share.
type throttle struct {
	rate Rate // bytes in a second; 0: no limit
	now  func() time.Time
	wait func(ctx context.Context, d time.Duration)

	mu   sync.Mutex
	next time.Time // when the bytes so far are due
}

// add counts bytes that were read, and waits until they are due.
func (t *throttle) add(ctx context.Context, bytes int64) {
	if t.rate <= 0 {
		return
	}
	t.mu.Lock()
	now := t.now()
	if t.next.Before(now) {
		t.next = now // time without reading is not made up for
	}
	t.next = t.next.Add(time.Duration(float64(bytes) / float64(t.rate) * float64(time.Second)))
	ahead := t.next.Sub(now)
	t.mu.Unlock()
	t.wait(ctx, ahead)
}

// pause waits for some time, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
