package plugin

import (
	"context"
	"errors"
	"sync"
	"time"

	"quire/internal/sandbox"
)

// persistentTool is a tool with programs that keep running: see sandbox.Persistent. The number of
// programs equals the number of concurrent runs.
type persistentTool struct {
	command

	mu     sync.Mutex
	idle   []*sandbox.Persistent
	sweep  *time.Timer
	closed bool
}

// keptFor is how long an idle program keeps running.
const keptFor = time.Minute

// Run uses one of the programs.
func (t *persistentTool) Run(ctx context.Context, c *Content) (Output, error) {
	for {
		p, err := t.take()
		if err != nil {
			return t.output(nil, err)
		}
		answer, err := p.Ask(ctx, questionOf(c))
		err = errors.Join(err, t.back(p))
		if !sandbox.HasEnded(err) {
			return t.output(answer, err)
		}
	}
}

// take returns an idle program, or starts one.
func (t *persistentTool) take() (*sandbox.Persistent, error) {
	t.mu.Lock()
	if n := len(t.idle); n > 0 {
		p := t.idle[n-1]
		t.idle = t.idle[:n-1]
		t.mu.Unlock()
		return p, nil
	}
	t.mu.Unlock()
	c := t.config.program()
	return c.Start(t.temp)
}

// back returns a program for reuse, unless it has ended.
func (t *persistentTool) back(p *sandbox.Persistent) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed || !p.Reusable() {
		return p.Close()
	}
	t.idle = append(t.idle, p)
	if t.sweep == nil {
		t.sweep = time.AfterFunc(keptFor, func() { _ = t.drop() })
	}
	t.sweep.Reset(keptFor)
	return nil
}

// drop ends idle programs.
func (t *persistentTool) drop() error {
	t.mu.Lock()
	all := t.idle
	t.idle = nil
	t.mu.Unlock()
	var err error
	for _, p := range all {
		err = errors.Join(err, p.Close())
	}
	return err
}

// Close ends the programs. Those at work end afterwards.
func (t *persistentTool) Close() error {
	t.mu.Lock()
	t.closed = true
	if t.sweep != nil {
		t.sweep.Stop()
	}
	t.mu.Unlock()
	return t.drop()
}
