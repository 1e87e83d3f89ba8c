package plugin

import (
	"context"
	"sync"
)

// flights shares the work of concurrent callers with the same key.
type flights struct {
	mu  sync.Mutex
	now map[string]*flight
}

type flight struct {
	done    chan struct{}
	result  Result
	err     error
	waiting int // number of callers that wait for the worker
}

// do works, or waits for the caller that already works. If that caller fails, for example because
// its ctx ended, the next one works.
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
				shared.Taken = 0 // this caller spent no time
				return shared, nil
			}
		case <-ctx.Done():
			return Result{}, ctx.Err()
		}
	}
}

// lead works for all callers. The caller holds the lock.
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
	mine.err = context.Canceled // in case work does not return
	mine.result, mine.err = work()
	return mine.result, mine.err
}
