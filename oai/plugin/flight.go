package plugin

import (
	"context"
	"sync"
)

// flights has the same work done once for all who want it at the same time.
type flights struct {
	mu  sync.Mutex
	now map[string]*flight
}

type flight struct {
	done    chan struct{}
	result  Result
	err     error
	waiting int // who wants it besides the one who works
}

// do works, or waits for the one who does. An error is about the one who worked, whose ctx may have
// ended: then the next works.
func (f *flights) do(ctx context.Context, key string, work func() (Result, error)) (Result, error) {
	for {
		f.mu.Lock()
		there := f.now[key]
		if there == nil {
			return f.lead(key, work)
		}
		there.waiting++
		f.mu.Unlock()
		select {
		case <-there.done:
			if there.err == nil {
				shared := there.result
				shared.Taken = 0 // for this one nothing was done
				return shared, nil
			}
		case <-ctx.Done():
			return Result{}, ctx.Err()
		}
	}
}

// lead works for all. It is called with the lock held.
func (f *flights) lead(key string, work func() (Result, error)) (Result, error) {
	mine := &flight{done: make(chan struct{})}
	if f.now == nil {
		f.now = map[string]*flight{}
	}
	f.now[key] = mine
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		delete(f.now, key)
		f.mu.Unlock()
		close(mine.done)
	}()
	mine.err = context.Canceled // should work not return
	mine.result, mine.err = work()
	return mine.result, mine.err
}
