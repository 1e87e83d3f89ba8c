package provider

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"quire/oai/protocol"
)

// rendering is a record during or after rendering.
type rendering struct {
	header protocol.Header
	spool  *spool // nil for a deleted record
	err    error
	done   chan struct{}
}

// renderQueue renders the records of a page, some at a time, and returns them in order.
type renderQueue struct {
	p      *Provider
	ctx    context.Context
	prefix string
	todo   []protocol.Header
	under  []*rendering // begun and not yet returned, in order
	given  int64        // bytes of the records returned
	ended  sync.WaitGroup
}

// next returns the next rendering, which may be unfinished, or nil at the end. It starts the
// following ones, except those that probably do not fit the page: a record rendered in vain costs
// as much as a needed one.
func (r *renderQueue) next() *rendering {
	typical := r.p.typicalSize(r.prefix)
	for len(r.todo) > 0 && len(r.under) < max(1, r.p.opt.Ahead) {
		if len(r.under) > 0 && r.given+int64(len(r.under))*typical >= r.p.opt.Bytes {
			break
		}
		r.under = append(r.under, r.begin(r.todo[0]))
		r.todo = r.todo[1:]
	}
	if len(r.under) == 0 {
		return nil
	}
	first := r.under[0]
	r.under = r.under[1:]
	return first
}

// isDone is the done channel of a rendering without work.
var isDone = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

func (r *renderQueue) begin(h protocol.Header) *rendering {
	it := &rendering{header: h, done: isDone}
	if it.err = checkHeader(&h); it.err != nil || h.Deleted {
		return it
	}
	it.done = make(chan struct{})
	r.ended.Go(func() {
		it.spool, it.err = r.p.render(r.ctx, h, r.prefix)
		close(it.done)
	})
	return it
}

// stop waits for the unneeded renderings and releases them. Their context must have ended.
func (r *renderQueue) stop() {
	r.ended.Wait()
	for _, it := range r.under {
		it.spool.release()
	}
}

// await waits for a rendering. During a long wait the client receives the bytes available so far,
// as a sign of life.
func (it *rendering) await(ctx context.Context, a *answer) error {
	select {
	case <-it.done:
		return nil
	default:
	}
	patience := time.NewTimer(pushAfter)
	defer patience.Stop()
	for {
		select {
		case <-it.done:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-patience.C:
			a.push()
		}
	}
}

const pushAfter = 2 * time.Second

// learn updates the average size of a format's records.
func (p *Provider) learn(prefix string, size int64) {
	v, ok := p.typical.Load(prefix)
	if !ok {
		v, _ = p.typical.LoadOrStore(prefix, new(atomic.Int64))
	}
	known := v.(*atomic.Int64)
	known.Store((7*known.Load() + size) / 8) // a lost update changes the estimate a little
}

func (p *Provider) typicalSize(prefix string) int64 {
	if v, ok := p.typical.Load(prefix); ok {
		return v.(*atomic.Int64).Load()
	}
	return 0
}
