package archive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/follow"
	"quire/holdings/rights"
	"quire/internal/filelock"
	"quire/oai/resource"
	"quire/repository/store"
)

// Options say where the index is kept and who harvests.
type Options struct {
	Dir string // of the index; made when it is not there. REPO/oai by default of quire oai serve

	// of the harvesters who are let in: they get what readers of that class get. Public when it is
	// ""
	Class rights.Class
	// on what has no rights statement, as the holdings have it: for what older versions stated
	Unstated rights.Verdict
	Location *time.Location // of the days of rights; time.Local when it is nil
	// how long lists wait for packages that came, from when the first asked; DefaultWait when it is
	// 0
	Wait     time.Duration
	Progress func(Progress)           // told of what is read, from another goroutine; may be nil
	Problem  func(error)              // told what went wrong behind the scenes, from any goroutine; may be nil
	Now      func() time.Time         // for tests; time.Now when it is nil
	pause    func(point string) error // for tests: called at certain points of the work
}

// DefaultWait is how long a list waits for packages that came since the last.
const DefaultWait = 10 * time.Second

// Progress tells how far the index has come with what it had to read.
type Progress = follow.Progress

// Archive is a repository as a resource.Collection. It is used from many goroutines.
type Archive struct {
	store    *store.Store
	holdings *holdings.Holdings
	reader   holdings.Reader // who harvests
	index    *index
	answered *answered
	options  Options
	lock     *os.File

	follower *follow.Follower

	mu      sync.RWMutex
	filled  bool      // all that there was at the beginning was looked at, once
	behind  time.Time // since when somebody has been waiting for what came; zero when nobody does
	working string    // the package that is looked at; "" when nothing has to be
	settled string    // the epoch of all that is published
}

var _ resource.Collection = (*Archive)(nil)

// ErrInUse says that another process keeps the index of the repository.
var ErrInUse = errors.New("another process serves this repository already")

// Open begins to follow a repository and its holdings, which stay the caller's. What has to be read
// is read while lists are answered: see [Archive.Ready].
func Open(ctx context.Context, s *store.Store, h *holdings.Holdings, o Options) (_ *Archive, err error) {
	if o.Class == "" {
		o.Class = rights.Public
	}
	if o.Unstated == "" {
		o.Unstated = rights.Restricted
	}
	if o.Location == nil {
		o.Location = time.Local
	}
	if o.Wait == 0 {
		o.Wait = DefaultWait
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.pause == nil {
		o.pause = func(string) error { return nil }
	}
	a := &Archive{store: s, holdings: h, reader: holdings.Reader{Class: o.Class, Harvester: true}, options: o}
	a.follower = follow.New(s, &a.mu, a.problem)
	if err = os.MkdirAll(o.Dir, 0o750); err == nil {
		a.lock, err = lockDir(o.Dir)
	}
	if captures.Unwritable(err) {
		err = fmt.Errorf("%w: datestamps, and what harvesters were told, are kept there; name a folder that can be "+
			"written as state in the configuration", err)
	}
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.release())
		}
	}()
	if a.answered, err = openAnswered(o.Dir); err != nil {
		return nil, err
	}
	if a.index, err = openIndex(ctx, filepath.Join(o.Dir, "index.db")); err != nil {
		return nil, err
	}
	if err := a.configure(ctx); err != nil {
		return nil, err
	}
	a.follower.Start(ctx, a.catchUp)
	return a, nil
}

// lockDir makes sure that nobody else writes the index.
func lockDir(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := filelock.Try(f); err != nil {
		_ = f.Close() // nothing was written
		return nil, fmt.Errorf("%s: %w", dir, ErrInUse)
	}
	return f, nil
}

func (a *Archive) release() error {
	var err error
	if a.index != nil {
		err = a.index.close()
	}
	return errors.Join(err, a.lock.Close()) // which gives the lock back
}

// Close stops following. The repository stays open.
func (a *Archive) Close() error {
	a.follower.Close()
	return a.release()
}

// configure reads what of the index is true still.
func (a *Archive) configure(ctx context.Context) (err error) {
	if a.settled, err = a.index.setting(ctx, "epoch"); err != nil {
		return err
	}
	filled, err := a.index.setting(ctx, "filled")
	a.filled = filled != ""
	return err
}

// epoch is a text that is another one when what is published of packages may have to be decided
// anew: who harvests, the rules, and what is infected anywhere. Known is false while nobody can
// decide.
func (a *Archive) epoch() (epoch string, known bool) {
	epoch, known = a.holdings.Epoch()
	return fmt.Sprintf("%s, unstated %s, %s, %s", a.options.Class, a.options.Unstated, a.options.Location, epoch), known
}

// now is this second.
func (a *Archive) now() int64 { return a.options.Now().Unix() }

func (a *Archive) problem(err error) {
	if a.options.Problem != nil && err != nil {
		a.options.Problem(err)
	}
}

func (a *Archive) tell(p Progress) {
	if a.options.Progress != nil {
		a.options.Progress(p)
	}
}
