package site

import (
	"context"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Visitors gives visitors priority: work for harvesters pauses while a visitor is served. It is
// safe for use by several goroutines. The zero value is ready for use.
type Visitors struct {
	active atomic.Int64 // current requests
	came   atomic.Int64 // total requests

	once  sync.Once
	slots chan struct{} // current internal requests
	turn  chan struct{} // held during a pause: no other work begins
}

// share is the ratio of pause to work while there are visitors. The work then takes a quarter of
// one processor.
const share = 3

// longestRest limits a pause. Without it, a visitor who downloads for an hour would stop harvesters
// for three hours.
const longestRest = 250 * time.Millisecond

func (v *Visitors) ready() {
	v.once.Do(func() {
		v.slots = make(chan struct{}, max(4, runtime.GOMAXPROCS(0)))
		v.turn = make(chan struct{}, 1)
	})
}

// Serve lets next answer a visitor.
func (v *Visitors) Serve(next http.Handler, w http.ResponseWriter, r *http.Request) {
	v.came.Add(1)
	v.active.Add(1)
	defer v.active.Add(-1)
	next.ServeHTTP(w, r)
}

// Work is a piece of work for harvesters, with its start.
type Work struct {
	v     *Visitors
	came  int64
	began time.Time
}

// Begin starts a piece of work when no other pauses. Rest ends it.
func (v *Visitors) Begin(ctx context.Context) (Work, error) {
	v.ready()
	select {
	case v.turn <- struct{}{}:
		<-v.turn
	case <-ctx.Done():
		return Work{}, ctx.Err()
	}
	return Work{v: v, came: v.came.Load(), began: time.Now()}, nil
}

// Rest ends a piece of work. If visitors were served during this work, Rest pauses and delays all
// new work. So harvesters become slower if their work takes longer, but they never stop.
func (w Work) Rest(ctx context.Context) {
	if w.v.active.Load() == 0 && w.v.came.Load() == w.came {
		return
	}
	rest := time.NewTimer(min(share*time.Since(w.began), longestRest))
	defer rest.Stop()
	select {
	case w.v.turn <- struct{}{}:
		defer func() { <-w.v.turn }()
	case <-ctx.Done():
		return
	}
	select {
	case <-rest.C:
	case <-ctx.Done():
	}
}

// place waits for one of the few concurrent internal requests to the site's handler.
func (v *Visitors) place(ctx context.Context) (leave func(), err error) {
	v.ready()
	select {
	case v.slots <- struct{}{}:
		return func() { <-v.slots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
