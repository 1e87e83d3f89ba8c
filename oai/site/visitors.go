package site

import (
	"context"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Visitors come first: what is done for harvesters rests while somebody else is served. It is used
// from many goroutines. The zero value is ready.
type Visitors struct {
	active atomic.Int64 // being served right now
	came   atomic.Int64 // in all

	once  sync.Once
	slots chan struct{} // requests of ours that are under way
	turn  chan struct{} // held while work rests: nothing else begins then
}

// share is how many times as long as it worked work rests while there are visitors: it takes a
// quarter of one processor.
const share = 3

// longestRest ends a rest: a visitor who downloads for an hour does not stop harvesters for three.
const longestRest = 250 * time.Millisecond

func (v *Visitors) ready() {
	v.once.Do(func() {
		v.slots = make(chan struct{}, max(4, runtime.GOMAXPROCS(0)))
		v.turn = make(chan struct{}, 1)
	})
}

// Serve has next answer a visitor.
func (v *Visitors) Serve(next http.Handler, w http.ResponseWriter, r *http.Request) {
	v.came.Add(1)
	v.active.Add(1)
	defer v.active.Add(-1)
	next.ServeHTTP(w, r)
}

// Work is something done for harvesters, from its beginning on.
type Work struct {
	v     *Visitors
	came  int64
	began time.Time
}

// Begin begins a piece of work, as soon as none rests. It is ended by Rest.
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

// Rest ends a piece of work. If visitors were there meanwhile, it rests, and all that would begin
// waits: so harvesters are served the slower the more they cost, but never stand still.
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

// place waits for one of the few requests that the site's handler gets of us at once.
func (v *Visitors) place(ctx context.Context) (leave func(), err error) {
	v.ready()
	select {
	case v.slots <- struct{}{}:
		return func() { <-v.slots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
