package site

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// patience is how long a list waits for a running scan. After that, it uses the present index.
const patience = 3 * time.Second

// A list starts another scan only after a pause, so clients cannot cause continuous scans.
// scanPauseFactor is the minimum pause as a multiple of the last scan's duration. minScanPause is
// the minimum pause in any case.
const (
	scanPauseFactor = 10
	minScanPause    = time.Second
)

// watch scans the site at once, then at intervals and on demand of a list.
func (s *Site) watch(ctx context.Context) {
	for {
		if err := s.Scan(ctx); err != nil && ctx.Err() == nil {
			s.problem(fmt.Sprintf("scanning the site: %v", err))
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

// freshen starts a scan if the last one is too old, and waits for it briefly.
func (s *Site) freshen(ctx context.Context) {
	s.mu.Lock()
	turn := s.turn
	fresh := s.ready && time.Since(s.began) < max(minScanPause, scanPauseFactor*s.took)
	s.mu.Unlock()
	if fresh {
		return
	}
	select {
	case s.wake <- struct{}{}:
	default: // already requested
	}
	wait := time.NewTimer(patience)
	defer wait.Stop()
	select {
	case <-turn:
	case <-wait.C:
	case <-ctx.Done():
	}
}

// Scan scans the whole site once for new, changed and removed resources. It returns only errors of
// the index or of ctx. If a source is unreadable, this is reported as a problem, and no resource is
// marked as deleted.
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
