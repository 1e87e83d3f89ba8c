package export

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"time"
)

// errBusy reports that the limit of running and waiting exports is reached.
var errBusy = errors.New("too many exports are running")

// TimeError reports that an export exceeded its time limit.
type TimeError struct{ Limit time.Duration }

// Error implements error.
func (e *TimeError) Error() string {
	return fmt.Sprintf("the export exceeded the time limit of %s", e.Limit)
}

// queue runs the exports requested over HTTP: a few at a time, while others wait. Requests for the
// same export share one run. An export without waiting clients is cancelled.
type queue struct {
	most  int           // maximum of running and waiting exports
	turns chan struct{} // one slot per concurrent export
	time  time.Duration // for each

	all  context.Context //nolint:containedctx // of all that is made: it ends with the server, and not with one request
	stop context.CancelFunc
	end  sync.WaitGroup

	mu    sync.Mutex
	count int
	under map[string]*job // by requested export
}

func newOrders(l *Limits) *queue {
	o := &queue{most: l.AtOnce + l.Waiting, turns: make(chan struct{}, l.AtOnce), time: l.Time,
		under: map[string]*job{}}
	o.all, o.stop = context.WithCancel(context.Background())
	return o
}

// close cancels all exports, and waits for their end.
func (o *queue) close() {
	o.stop()
	o.end.Wait()
}

// job is one running or waiting export.
type job struct {
	cancel context.CancelFunc
	askers int // clients that wait for it
	ready  chan struct{}
	made   *sharedFile // set when ready
	err    error
}

// ask starts an export, or joins it if it is already running. The caller closes the parcel.
func (o *queue) ask(
	ctx context.Context, what string, do func(context.Context) (*sharedFile, error),
) (*sharedFile, error) {
	a, err := o.join(what, do)
	if err != nil {
		return nil, err
	}
	select {
	case <-a.ready:
		return a.made, a.err
	case <-ctx.Done():
	}
	o.leave(what, a)
	return nil, ctx.Err()
}

func (o *queue) join(what string, do func(context.Context) (*sharedFile, error)) (*job, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	a := o.under[what]
	switch {
	case a != nil:
	case o.count >= o.most || o.all.Err() != nil:
		return nil, errBusy
	default:
		a = &job{ready: make(chan struct{})}
		ctx, cancel := context.WithCancel(o.all)
		a.cancel = cancel
		o.count++
		o.under[what] = a
		o.end.Go(func() { o.work(ctx, what, a, do) })
	}
	a.askers++
	return a, nil
}

// leave removes a client that stopped waiting.
func (o *queue) leave(what string, a *job) {
	o.mu.Lock()
	defer o.mu.Unlock()
	select {
	case <-a.ready:
		a.made.close()
		return
	default:
	}
	if a.askers--; a.askers > 0 {
		return
	}
	a.cancel()
	if o.under[what] == a { // later requests start a new run
		delete(o.under, what)
	}
}

// work waits for a slot, and runs the export.
func (o *queue) work(ctx context.Context, what string, a *job, do func(context.Context) (*sharedFile, error)) {
	defer a.cancel()
	made, err := o.turn(ctx, do)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.count--
	if o.under[what] == a {
		delete(o.under, what)
	}
	a.made, a.err = made, err
	made.share(a.askers)
	close(a.ready)
}

func (o *queue) turn(ctx context.Context, do func(context.Context) (*sharedFile, error)) (_ *sharedFile, err error) {
	select {
	case o.turns <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-o.turns }()
	late := &TimeError{o.time}
	ctx, cancel := context.WithTimeoutCause(ctx, o.time, late)
	defer cancel()
	defer func() {
		if p := recover(); p != nil { // a panic over one package must not stop the server
			err = fmt.Errorf("internal error: %v\n%s", p, debug.Stack())
		}
		if err != nil && errors.Is(context.Cause(ctx), late) {
			err = late
		}
	}()
	return do(ctx)
}

// sharedFile is an open export for one or more clients: each has to close it. Its file may already be
// unlinked.
type sharedFile struct {
	label

	file  *os.File
	mu    sync.Mutex
	users int
}

// share sets the number of clients that have to close it; 0 is possible.
func (p *sharedFile) share(users int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.users = users
	p.mu.Unlock()
	if users == 0 {
		_ = p.file.Close() // only read
	}
}

func (p *sharedFile) close() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.users--; p.users == 0 {
		_ = p.file.Close() // only read
	}
}
