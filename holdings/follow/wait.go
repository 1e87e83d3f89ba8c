package follow

import (
	"context"
	"errors"
	"time"
)

// Change changes what others look at, or wait for: under the lock.
func (f *Follower) Change(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
	close(f.moved)
	f.moved = make(chan struct{})
}

// Look begins a look at the catalogue: whatever is read of it from now on belongs to that. There is
// one at a time.
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

// Looked says that all is known that the last look had to show, and changes with that what others
// look at.
func (f *Follower) Looked(change func()) {
	f.Change(func() {
		f.shown = f.begun
		change()
	})
}

// Shown is the number of the last look of which all is known; 0 when there was none. It is asked
// under the lock.
func (f *Follower) Shown() int64 { return f.shown.number }

// Due is the number of the look that shows all that is in the repository at this moment: one that
// was, or is under way, or comes.
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

// Current waits until all is known that is in the repository at this moment, and says whether that
// came to be: it waits no longer than patience says, which is asked when there is something to wait
// for, under the lock.
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

// wait says how long somebody waits for something that does not hold yet.
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

// Await has the catalogue looked at, and waits until something holds, which is asked under the lock
// whenever something changed. The error is the cause of the end of ctx, or ErrEnded.
func (f *Follower) Await(ctx context.Context, holds func() bool) error {
	for asked := false; ; {
		f.mu.RLock()
		there, moved := holds(), f.moved
		f.mu.RUnlock()
		if there {
			return nil
		}
		if !asked { // once is enough: the look that follows cannot miss what was there by now
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
