package follow_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quire/holdings/follow"
	"quire/preserve/aip"
	"quire/repository/catalogue"
)

// shelf is a repository with only a change counter.
type shelf struct {
	changes atomic.Int64
	closed  atomic.Bool
}

var errClosed = errors.New("the catalogue is closed")

func (s *shelf) Changes(context.Context) (int64, error) {
	if s.closed.Load() {
		return 0, errClosed
	}
	return s.changes.Load(), nil
}

// eye follows a shelf, and blocks each look until the test releases it.
type eye struct {
	*follow.Follower
	mu     sync.RWMutex
	looks  chan struct{} // a look started
	see    chan error    // and may end
	shelf  *shelf
	told   chan error
	waited atomic.Int64 // number of waits
}

func newEye(t *testing.T) *eye {
	e := &eye{looks: make(chan struct{}), see: make(chan error), shelf: &shelf{}, told: make(chan error, 10)}
	e.Follower = follow.New(e.shelf, &e.mu, func(err error) { e.told <- err })
	e.Start(t.Context(), func(ctx context.Context) (time.Duration, error) {
		if err := e.Look(ctx); err != nil {
			return 0, err
		}
		select {
		case e.looks <- struct{}{}:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
		select {
		case err := <-e.see:
			if err != nil {
				return 0, err
			}
		case <-ctx.Done():
			return 0, ctx.Err()
		}
		e.Looked(func() {})
		return time.Hour, nil
	})
	t.Cleanup(e.Close)
	return e
}

// answer releases looks until a waiting call returns.
func (e *eye) answer(asked <-chan error) error {
	for {
		select {
		case err := <-asked:
			return err
		case <-e.looks:
			e.see <- nil
		}
	}
}

func (e *eye) shown() int64 {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.Shown()
}

// current waits with much patience, in a goroutine; the channel returns the result.
func (e *eye) current(ctx context.Context) <-chan error {
	asked := make(chan error, 1)
	go func() {
		there, err := e.Current(ctx, func() time.Duration { e.waited.Add(1); return time.Hour })
		if err == nil && !there {
			err = errors.New("it was not waited for")
		}
		asked <- err
	}()
	return asked
}

// TestCurrent: a query without changes since the last look returns at once; otherwise after the
// next look.
func TestCurrent(t *testing.T) {
	e := newEye(t)
	if err := e.answer(e.current(t.Context())); err != nil {
		t.Fatal(err)
	}
	e.waited.Store(0)
	if err := <-e.current(t.Context()); err != nil || e.waited.Load() != 0 {
		t.Errorf("%v, patience was asked for %d times, though nothing had come", err, e.waited.Load())
	}
	seen := e.shown()
	e.shelf.changes.Add(1)
	if err := e.answer(e.current(t.Context())); err != nil || e.waited.Load() != 1 || e.shown() <= seen {
		t.Errorf("%v, patience asked for %d times, look %d after %d", err, e.waited.Load(), e.shown(), seen)
	}
}

// TestOthersWrite: while others write without pause, a query waits for only one check of the
// repository: the first that includes everything written before the query started.
func TestOthersWrite(t *testing.T) {
	e := newEye(t)
	<-e.looks // this look may have started before the next change
	e.shelf.changes.Add(1)
	due, err := e.Due(t.Context())
	if err != nil || due != 2 {
		t.Fatal(due, err)
	}
	asked := e.current(t.Context())
	e.see <- nil
	<-e.looks              // another look follows at once
	e.shelf.changes.Add(1) // a change during that look belongs to the next
	if now, err := e.Due(t.Context()); err != nil || now != 3 {
		t.Error(now, err)
	}
	e.see <- nil
	if err := <-asked; err != nil || e.shown() != 2 {
		t.Errorf("%v at look %d", err, e.shown())
	}
}

// TestUnderWay: a query waits for a running look if that cannot have missed anything.
func TestUnderWay(t *testing.T) {
	e := newEye(t)
	<-e.looks
	if due, err := e.Due(t.Context()); err != nil || due != 1 {
		t.Error(due, err)
	}
	e.see <- nil
}

// TestPatience: after patience or the context ends, the wait ends, and the known state stays.
func TestPatience(t *testing.T) {
	e := newEye(t)
	<-e.looks
	there, err := e.Current(t.Context(), func() time.Duration { return 0 })
	if there || err != nil {
		t.Error(there, err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("the reader went away")
	asked := e.current(ctx)
	cancel(why)
	if err := <-asked; !errors.Is(err, why) {
		t.Error(err)
	}
	e.see <- nil
}

// TestFails: an error is reported, and the next query retries; earlier waiters return with the
// retry.
func TestFails(t *testing.T) {
	e := newEye(t)
	asked := e.current(t.Context())
	<-e.looks
	broken := errors.New("a package cannot be read")
	e.see <- broken
	if err := <-e.told; !errors.Is(err, broken) {
		t.Error(err)
	}
	for _, c := range []<-chan error{asked, e.current(t.Context())} {
		if err := e.answer(c); err != nil {
			t.Error(err)
		}
	}
	e.shelf.closed.Store(true)
	if _, err := e.Current(t.Context(), nil); !errors.Is(err, errClosed) {
		t.Error(err)
	}
	if _, err := e.Due(t.Context()); !errors.Is(err, errClosed) {
		t.Error(err)
	}
}

// TestClose: waiters are notified when the follower is closed, and Close waits for the work.
func TestClose(t *testing.T) {
	e := newEye(t)
	<-e.looks
	asked := e.current(t.Context())
	e.Close()
	if err := <-asked; !errors.Is(err, follow.ErrEnded) {
		t.Error(err)
	}
	select {
	case <-e.Ended():
	default:
		t.Error("it goes on")
	}
}

// TestTask: a task has its own goroutine and channel; several signals before it runs count as one.
func TestTask(t *testing.T) {
	var mu sync.RWMutex
	wake, worked := make(chan struct{}, 1), make(chan struct{})
	f := follow.New(&shelf{}, &mu, func(err error) { t.Error(err) })
	f.Start(t.Context(), func(ctx context.Context) (time.Duration, error) {
		<-ctx.Done() // a long look does not delay tasks
		return 0, ctx.Err()
	}, follow.Task{Wake: wake, Work: func(ctx context.Context) (time.Duration, error) {
		select {
		case worked <- struct{}{}:
		case <-ctx.Done():
		}
		return time.Hour, nil
	}})
	<-worked
	follow.Wake(wake)
	follow.Wake(wake)
	<-worked
	f.Close()
}

func TestRetryIn(t *testing.T) {
	last := time.Duration(0)
	for tries := range 100 {
		d := follow.RetryIn(tries)
		if d < last || d < 10*time.Second || d > time.Hour {
			t.Errorf("%d: %s after %s", tries, d, last)
		}
		last = d
	}
	if last != time.Hour {
		t.Error(last)
	}
}

func TestOrder(t *testing.T) {
	at := func(id, profile string, day int) catalogue.Package {
		return catalogue.Package{ID: id, Profile: profile, Stored: time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC)}
	}
	all := []catalogue.Package{
		at("young", "", 3), at("b", "", 1), at("late-collection", aip.CollectionProfile, 4), at("a", "", 1),
		at("collection", aip.CollectionProfile, 2),
	}
	follow.Order(all)
	var got []string
	for _, p := range all {
		got = append(got, p.ID)
	}
	if want := []string{"collection", "late-collection", "a", "b", "young"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
