package follow

import (
	"context"
	"errors"
	"time"
)

// Change changes shared state under the lock.
func (f *Follower) Change(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
	close(f.moved)
	f.moved = make(chan struct{})
}

// Look starts a look at the catalogue; later reads of the catalogue belong to it. Only one runs at
// a time.
func (f *Follower) Look(ctx context.Context) error {
	f.mu.Lock()
	f.begun = look{number: f.begun.number + 1}
	f.mu.Unlock()
	state, err := f.repository.Changes(ctx)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begun.read, f.begun.state = true, state
	return nil
}

// Looked ends the last look: its result is complete. It applies change to the shared state.
func (f *Follower) Looked(change func()) {
	f.Change(func() {
		f.shown = f.begun
		change()
	})
}

// Shown returns the number of the last completed look; 0 if there was none. The caller holds the
// lock.
func (f *Follower) Shown() int64 { return f.shown.number }

// Due returns the number of the first look that includes the whole current repository: a past,
// current or future one.
func (f *Follower) Due(ctx context.Context) (number int64, err error) {
	state, err := f.repository.Changes(ctx)
	if err != nil {
		return 0, err
	}
	f.mu.RLock()
	defer f.mu.RUnlock()
	for _, l := range []look{f.shown, f.begun} {
		if l.read && l.state == state {
			return l.number, nil
		}
	}
	return f.begun.number + 1, nil
}

// Current waits until the whole current repository is known, and reports whether that succeeded.
// patience limits the wait; it is called under the lock if waiting is needed.
func (f *Follower) Current(ctx context.Context, patience func() time.Duration) (there bool, err error) {
	due, err := f.Due(ctx)
	if err != nil {
		return false, err
	}
	shown := func() bool { return f.Shown() >= due }
	wait, there := f.wait(shown, patience)
	if there {
		return true, nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, wait, errWaited)
	defer cancel()
	err = f.Await(ctx, shown)
	if errors.Is(err, errWaited) {
		return false, nil
	}
	return err == nil, err
}

// wait returns the maximum wait for a condition that does not hold yet.
func (f *Follower) wait(holds func() bool, patience func() time.Duration) (_ time.Duration, there bool) {
	f.mu.RLock()
	there = holds()
	f.mu.RUnlock()
	if there {
		return 0, true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if holds() {
		return 0, true
	}
	return patience(), false
}

var errWaited = errors.New("waited long enough")

// Await requests a look, and waits until a condition holds. It checks the condition under the lock
// after each change. The error is the cause of the end of ctx, or ErrEnded.
func (f *Follower) Await(ctx context.Context, holds func() bool) error {
	for asked := false; ; {
		f.mu.RLock()
		there, moved := holds(), f.moved
		f.mu.RUnlock()
		if there {
			return nil
		}
		if !asked { // once is enough: the next look includes everything present now
			Wake(f.wake)
			asked = true
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-f.ended:
			return ErrEnded
		case <-moved:
		}
	}
}
