// Package follow keeps derived data (an index, access decisions) up to date with a repository,
// while others write to it and readers query it. It checks the catalogue on each query and
// periodically. Queries can wait until everything present at their start is known.
package follow

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"quire/repository/catalogue"
)

// LookAfter is the interval of checks of the catalogue without queries.
const LookAfter = time.Minute

// Delays before a retry: the first one, and the maximum.
const (
	retryFirst = 10 * time.Second
	retryMost  = time.Hour
)

// RetryIn returns the delay before the next attempt to read a package, after a number of failures:
// it doubles each time, up to an hour.
func RetryIn(tries int) time.Duration {
	return min(retryFirst<<min(tries, 10), retryMost)
}

// Order sorts packages for reading: collections first, because their rights apply to their
// packages, then by age.
func Order(all []catalogue.Package) {
	slices.SortFunc(all, func(a, b catalogue.Package) int {
		return cmp.Or(CollectionsFirst(a.IsCollection(), b.IsCollection()), a.Stored.Compare(b.Stored),
			cmp.Compare(a.ID, b.ID))
	})
}

// CollectionsFirst compares two packages for reading, by whether they are collections.
func CollectionsFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// Progress is the progress of reading.
type Progress struct {
	Package  string // being read; "" at the end
	Packages int    // left to process, including this one
	Bytes    int64  // bytes of the package read so far
	Total    int64  // of its containers that have to be read
}

// ErrEnded reports that the follower has ended.
var ErrEnded = errors.New("the repository is no longer followed")

// Repository is the followed repository: a *store.Store.
type Repository interface {
	// Changes returns a number that changes after every write to the catalogue, by any process.
	Changes(ctx context.Context) (int64, error)
}

// Work does the pending work, and returns the delay until the next run if no query comes before.
// After an error, which is reported, it soon runs again.
type Work func(ctx context.Context) (again time.Duration, err error)

// Task is work with its own wake-up channel, in addition to checks of the catalogue.
type Task struct {
	Wake <-chan struct{}
	Work Work
}

// Follower follows one repository. It is safe for concurrent use.
//
// Checks of the catalogue, called looks, are numbered. A query receives the number of the first
// look that certainly includes everything present at its start, and waits for that look. It does
// not wait for a state of the catalogue, because others may change that faster than it is read.
type Follower struct {
	repository Repository
	problem    func(error)

	stop  context.CancelFunc
	wake  chan struct{} // requests a look
	ended chan struct{} // closed after all work has ended

	mu    *sync.RWMutex // the owner's lock, over all shared state
	moved chan struct{} // closed and replaced at each change
	begun look          // the last look started
	shown look          // the last look completed
}

// look is one check of the catalogue.
type look struct {
	number int64 // from 1; 0 means none
	read   bool  // the state is known
	state  int64 // of the catalogue at the start of the look, or later
}

// New returns a follower. Queries wait for the owner's state, and lock guards this state. problem
// receives errors.
func New(r Repository, lock *sync.RWMutex, problem func(error)) *Follower {
	return &Follower{repository: r, mu: lock, problem: problem,
		wake: make(chan struct{}, 1), ended: make(chan struct{}), moved: make(chan struct{})}
}

// Start follows the repository until Close. It outlives ctx, and uses only its values. Each work
// has a goroutine of its own.
func (f *Follower) Start(ctx context.Context, looks Work, others ...Task) {
	ctx, f.stop = context.WithCancel(context.WithoutCancel(ctx))
	var all sync.WaitGroup
	for _, t := range append(others, Task{f.wake, looks}) {
		all.Go(func() { f.repeat(ctx, t) })
	}
	go func() {
		all.Wait()
		close(f.ended)
	}()
}

// Stop ends following. Running work ends when it checks its context.
func (f *Follower) Stop() { f.stop() }

// Close ends following, and waits for all work.
func (f *Follower) Close() {
	f.Stop()
	<-f.ended
}

// Ended is closed when following has ended.
func (f *Follower) Ended() <-chan struct{} { return f.ended }

// repeat runs the work whenever it may be needed, until the context ends.
func (f *Follower) repeat(ctx context.Context, t Task) {
	for {
		again, err := t.Work(ctx)
		if err != nil && ctx.Err() == nil {
			f.problem(err)
			again = retryFirst
		}
		timer := time.NewTimer(again)
		select {
		case <-ctx.Done():
		case <-t.Wake:
		case <-timer.C:
		}
		timer.Stop()
		if ctx.Err() != nil {
			return
		}
	}
}

// Wake triggers the work that waits for this channel, which has a capacity of one; one signal is
// enough.
func Wake(work chan<- struct{}) {
	select {
	case work <- struct{}{}:
	default: // already triggered
	}
}
