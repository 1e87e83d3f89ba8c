// Package follow is how what is derived from a repository (an index, what its readers may see) is
// kept up to date with it, while others write to the repository and readers ask: it looks at the
// catalogue when somebody asks, and now and then, and lets those who ask wait until what was there
// when they asked is known.
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

// LookAfter is how often the catalogue is looked at when nobody asks.
const LookAfter = time.Minute

// How long it takes until what failed is tried again: the first time, and at most.
const (
	retryFirst = 10 * time.Second
	retryMost  = time.Hour
)

// RetryIn says when a package that could not be read is tried again, which was tried so many times
// since it could be: each time it takes twice as long, up to an hour.
func RetryIn(tries int) time.Duration {
	return min(retryFirst<<min(tries, 10), retryMost)
}

// Order sorts packages as they are to be read: collections first, whose rights are those of their
// packages too, then by age.
func Order(all []catalogue.Package) {
	slices.SortFunc(all, func(a, b catalogue.Package) int {
		return cmp.Or(collectionsFirst(&a, &b), a.Stored.Compare(b.Stored), cmp.Compare(a.ID, b.ID))
	})
}

func collectionsFirst(a, b *catalogue.Package) int {
	switch is := a.IsCollection(); {
	case is == b.IsCollection():
		return 0
	case is:
		return -1
	}
	return 1
}

// Progress tells how far the one who follows has come with what has to be read.
type Progress struct {
	Package  string // that is read now; "" when all is read
	Packages int    // still to be looked at, this one too
	Bytes    int64  // read of it so far
	Total    int64  // of its containers that have to be read
}

// ErrEnded says that the repository is not followed any more.
var ErrEnded = errors.New("the repository is not followed any more")

// Repository is what is followed: a *store.Store.
type Repository interface {
	// Changes is a number that is another one after the catalogue was written to, by whatever
	// process.
	Changes(ctx context.Context) (int64, error)
}

// Work does what there is to do, and says when to look again if nobody asks before. After an error,
// which is told, it is tried again soon.
type Work func(ctx context.Context) (again time.Duration, err error)

// Task is work with what wakes it, beside the looks at the catalogue.
type Task struct {
	Wake <-chan struct{}
	Work Work
}

// Follower follows one repository. It is used from many goroutines.
//
// Looks at the catalogue are numbered. Who asks is given the number of the look that cannot miss
// what was there when he did, and waits for that one: not for a state of the catalogue, which
// others may change faster than it is read.
type Follower struct {
	repository Repository
	problem    func(error)

	stop  context.CancelFunc
	wake  chan struct{} // somebody waits for a look
	ended chan struct{} // closed when all work has ended

	mu    *sync.RWMutex // the owner's, over all that can be waited for
	moved chan struct{} // closed, and made anew, when something changes
	begun look          // the last look that began
	shown look          // the last that came to its end
}

// look is one at the catalogue.
type look struct {
	number int64 // from 1; 0 is none
	read   bool  // the state is known
	state  int64 // of the catalogue when the look began, or a later one
}

// New gives a follower. The lock is that of what its owner knows, and of what others wait for;
// problem is told what went wrong.
func New(r Repository, lock *sync.RWMutex, problem func(error)) *Follower {
	return &Follower{repository: r, mu: lock, problem: problem,
		wake: make(chan struct{}, 1), ended: make(chan struct{}), moved: make(chan struct{})}
}

// Start begins to follow, until Close: it outlives ctx, of which it takes the values. Each work has
// a goroutine of its own.
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

// Stop stops following. Work that is being done ends when it looks at its context.
func (f *Follower) Stop() { f.stop() }

// Close stops following, and waits until all work has ended.
func (f *Follower) Close() {
	f.Stop()
	<-f.ended
}

// Ended is closed when nothing is followed any more.
func (f *Follower) Ended() <-chan struct{} { return f.ended }

// repeat works whenever there may be something to do, until the context ends.
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

// Wake has work done soon that waits for this channel, which has room for one; it need not be told
// twice.
func Wake(work chan<- struct{}) {
	select {
	case work <- struct{}{}:
	default: // it is awake
	}
}
