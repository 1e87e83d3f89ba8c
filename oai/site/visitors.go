package site

import (
	"context"
	"net/http"
	"runtime"
	"sync/atomic"
	"time"
)

// Visitors come first: what is done for harvesters waits while somebody else is served. It is used from many goroutines. The zero
// value is ready.
type Visitors struct {
	active atomic.Int64 // being served right now
	came   atomic.Int64 // in all
	slots  atomic.Pointer[chan struct{}]
}

// Serve has next answer a visitor.
func (v *Visitors) Serve(next http.Handler, w http.ResponseWriter, r *http.Request) {
	v.came.Add(1)
	v.active.Add(1)
	defer v.active.Add(-1)
	next.ServeHTTP(w, r)
}

// share is how many times as long as it worked work rests while there are visitors; so it takes at most a quarter of one processor.
const share = 3

// longestRest ends a rest: a visitor who downloads for an hour does not stop harvesters for three.
const longestRest = 250 * time.Millisecond

// Begin waits for a place to work in, of which there are as many as processors, and for which visitors are let pass. The work ends
// with the function that it gives.
func (v *Visitors) Begin(ctx context.Context) (end func(), err error) {
	if v == nil {
		return func() {}, ctx.Err()
	}
	slots := v.places()
	select {
	case slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	came, began := v.came.Load(), time.Now()
	return func() {
		defer func() { <-slots }()
		if v.active.Load() == 0 && v.came.Load() == came {
			return
		}
		rest := time.NewTimer(min(share*time.Since(began), longestRest))
		defer rest.Stop()
		select {
		case <-rest.C:
		case <-ctx.Done():
		}
	}, nil
}

func (v *Visitors) places() chan struct{} {
	if p := v.slots.Load(); p != nil {
		return *p
	}
	made := make(chan struct{}, runtime.GOMAXPROCS(0))
	v.slots.CompareAndSwap(nil, &made)
	return *v.slots.Load()
}
