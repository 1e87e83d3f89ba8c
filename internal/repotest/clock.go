package repotest

import (
	"sync"
	"time"
)

// Clock is one that a test moves.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock gives one that shows a time.
func NewClock(t time.Time) *Clock { return &Clock{now: t} }

// Now returns its time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Set moves it.
func (c *Clock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

// Add moves it on.
func (c *Clock) Add(d time.Duration) { c.Set(c.Now().Add(d)) }
