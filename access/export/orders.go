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

// errBusy says that as many exports are made, and wait to be made, as may be.
var errBusy = errors.New("too many exports are being made")

// TimeError says that making an export took longer than it may.
type TimeError struct{ Limit time.Duration }

// Error implements error.
func (e *TimeError) Error() string {
	return fmt.Sprintf("making the export took longer than the %s that it may take here", e.Limit)
}

// orders are the exports that are being made for those who ask for them over HTTP: a few at a time,
// the next ones waiting, and each but once, however many ask for it. What nobody waits for any more
// is not made.
type orders struct {
	most  int           // that are made or wait
	turns chan struct{} // as many as are made at the same time
	time  time.Duration // for each

	all  context.Context //nolint:containedctx // of all that is made: it ends with the server, and not with one request
	stop context.CancelFunc
	end  sync.WaitGroup

	mu    sync.Mutex
	count int
	under map[string]*order // by what is asked for
}

func newOrders(l *Limits) *orders {
	o := &orders{most: l.AtOnce + l.Waiting, turns: make(chan struct{}, l.AtOnce), time: l.Time,
		under: map[string]*order{}}
	o.all, o.stop = context.WithCancel(context.Background())
	return o
}

// close ends all, and waits until it has ended.
func (o *orders) close() {
	o.stop()
	o.end.Wait()
}

// order is one export that is being made.
type order struct {
	cancel context.CancelFunc
	askers int // who wait for it
	ready  chan struct{}
	made   *parcel // when it is ready
	err    error
}

// ask has something made, or waits for it where it is being made already. The caller closes the
// parcel.
func (o *orders) ask(ctx context.Context, what string, do func(context.Context) (*parcel, error)) (*parcel, error) {
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

func (o *orders) join(what string, do func(context.Context) (*parcel, error)) (*order, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	a := o.under[what]
	switch {
	case a != nil:
	case o.count >= o.most || o.all.Err() != nil:
		return nil, errBusy
	default:
		a = &order{ready: make(chan struct{})}
		ctx, cancel := context.WithCancel(o.all)
		a.cancel = cancel
		o.count++
		o.under[what] = a
		o.end.Go(func() { o.work(ctx, what, a, do) })
	}
	a.askers++
	return a, nil
}

// leave is for who waits no more.
func (o *orders) leave(what string, a *order) {
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
	if o.under[what] == a { // who asks now begins anew
		delete(o.under, what)
	}
}

// work waits for a turn, and makes.
func (o *orders) work(ctx context.Context, what string, a *order, do func(context.Context) (*parcel, error)) {
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

func (o *orders) turn(ctx context.Context, do func(context.Context) (*parcel, error)) (_ *parcel, err error) {
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
		if p := recover(); p != nil { // one package must not take the server along
			err = fmt.Errorf("internal error: %v\n%s", p, debug.Stack())
		}
		if err != nil && errors.Is(context.Cause(ctx), late) {
			err = late
		}
	}()
	return do(ctx)
}

// parcel is an export that is open for reading, for one asker or several: each has to close it. Its
// file may have no name any more.
type parcel struct {
	label

	file  *os.File
	mu    sync.Mutex
	users int
}

// share says how many have to close it; nobody is possible.
func (p *parcel) share(users int) {
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

func (p *parcel) close() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.users--; p.users == 0 {
		_ = p.file.Close() // only read
	}
}
