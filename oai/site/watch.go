package site

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// patience is how long a list waits for a look that is under way. Then it is answered from what is
// known.
const patience = 3 * time.Second

// ease is how many times as long as a look took the site is left alone, before a list has it looked
// at again; and shortest is the least time. So those who ask cannot have the site looked at all the
// time.
const (
	ease     = 10
	shortest = time.Second
)

// watch looks at the site at once, then again and again, and when a list asks for it.
func (s *Site) watch(ctx context.Context) {
	for {
		if err := s.Scan(ctx); err != nil && ctx.Err() == nil {
			s.problem(fmt.Sprintf("looking at the site: %v", err))
		}
		next := time.NewTimer(s.find.Every)
		select {
		case <-next.C:
		case <-s.wake:
		case <-ctx.Done():
		}
		next.Stop()
		if ctx.Err() != nil {
			return
		}
	}
}

// freshen has the site looked at when the last look is not of now, and waits for it a little.
func (s *Site) freshen(ctx context.Context) {
	s.mu.Lock()
	turn := s.turn
	fresh := s.ready && time.Since(s.began) < max(shortest, ease*s.took)
	s.mu.Unlock()
	if fresh {
		return
	}
	select {
	case s.wake <- struct{}{}:
	default: // somebody asked already
	}
	wait := time.NewTimer(patience)
	defer wait.Stop()
	select {
	case <-turn:
	case <-wait.C:
	case <-ctx.Done():
	}
}

// Scan looks at the whole site once: what there is, what has changed, what has gone. The error is
// one of the index, or of ctx; what could not be read or asked is a problem, and nothing is taken
// for gone then.
func (s *Site) Scan(ctx context.Context) error {
	s.scanning.Lock()
	defer s.scanning.Unlock()
	began := time.Now()
	s.mu.Lock()
	first := !s.ready
	s.status.Scanning, s.status.Found = true, 0
	s.mu.Unlock()
	complete, err := s.scan(ctx, first)
	if err == nil && first {
		err = s.index.setFact(ctx, "seen "+s.urls.root, s.index.now().Unix())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status.Scanning = false
	if err != nil {
		return errors.Join(ctx.Err(), err)
	}
	s.ready = true
	s.began, s.took = began, time.Since(began)
	s.status.Scanned, s.status.Complete = time.Now().UTC(), complete
	close(s.turn)
	s.turn = make(chan struct{})
	return nil
}
