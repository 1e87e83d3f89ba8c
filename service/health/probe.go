package health

import (
	"context"
	"errors"
	"sync"
	"time"
)

// probe looks at something that may answer slowly or never, such as a disk of another machine. Questions within a time
// have the same answer, and only one look is under way.
type probe[T any] struct {
	look func(context.Context) (T, error)
	keep time.Duration // how long an answer is used
	wait time.Duration // for an answer

	mu      sync.Mutex
	running chan struct{} // closed at the end of a look
	at      time.Time
	last    T
	err     error
}

// errSlow reports that there is no answer yet.
var errSlow = errors.New("no answer in time")

// ask returns the answer, which may be as old as the time for answers. The error is errSlow if there is none.
func (p *probe[T]) ask(ctx context.Context) (T, error) {
	p.mu.Lock()
	if !p.at.IsZero() && time.Since(p.at) < p.keep {
		defer p.mu.Unlock()
		return p.last, p.err
	}
	if p.running == nil {
		p.running = make(chan struct{})
		go p.run(context.WithoutCancel(ctx), p.running)
	}
	running := p.running
	p.mu.Unlock()
	slow := time.NewTimer(p.wait)
	defer slow.Stop()
	var none T
	select {
	case <-running:
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.last, p.err
	case <-slow.C:
		return none, errSlow
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

func (p *probe[T]) run(ctx context.Context, done chan struct{}) {
	last, err := p.look(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last, p.err, p.at, p.running = last, err, time.Now(), nil
	close(done)
}
