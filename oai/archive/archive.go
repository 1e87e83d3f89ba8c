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

// Options are the settings of an archive: the place of its index, and the class of its harvesters.
type Options struct {
	Dir string // of the index, created if missing; quire oai serve uses REPO/oai by default

	// of the harvesters: they get the records that readers of that class may see. "" means Public.
	Class rights.Class
	// for packages without a rights statement, as in the holdings; it applies to the statements of
	// older versions
	Unstated rights.Verdict
	Location *time.Location // for the days in rights statements; nil means time.Local
	// how long lists wait for new packages, from the first request on; 0 means DefaultWait
	Wait     time.Duration
	Progress func(Progress)           // receives the progress from another goroutine; may be nil
	Problem  func(error)              // receives background errors, from any goroutine; may be nil
	Now      func() time.Time         // for tests; nil means time.Now
	pause    func(point string) error // for tests: called at certain points of the work
}

// DefaultWait is how long a list waits until new packages are in the index.
const DefaultWait = 10 * time.Second

// Progress is the progress of the index.
type Progress = follow.Progress

// Archive is a repository as a resource.Collection. It is safe for use by several goroutines.
type Archive struct {
	store    *store.Store
	holdings *holdings.Holdings
	reader   holdings.Reader // the harvesters' class
	index    *index
	answered *highWaterMark
	options  Options
	lock     *os.File

	follower *follow.Follower

	mu      sync.RWMutex
	filled  bool      // all packages were indexed once
	behind  time.Time // start of the current wait of lists; zero if no list waits
	working string    // the package being read; "" when idle
	settled string    // the epoch of all published records
}

var _ resource.Collection = (*Archive)(nil)

// ErrInUse means that another process holds the index of the repository.
var ErrInUse = errors.New("another process serves this repository already")

// Open starts to follow a repository and its holdings, which the caller still owns. It reads
// packages in the background while lists are answered: see [Archive.Ready].
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
		err = fmt.Errorf("%w: it must hold the index and the last datestamp sent to harvesters; set "+
			"state in the configuration to a writable folder", err)
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
	if a.index, err = openIndex(ctx, filepath.Join(o.Dir, indexName)); err != nil {
		return nil, err
	}
	if err := a.configure(ctx); err != nil {
		return nil, err
	}
	a.follower.Start(ctx, a.catchUp)
	return a, nil
}

// lockDir ensures that no other process writes the index.
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
	return errors.Join(err, a.lock.Close()) // closing releases the lock
}

// Close stops following the repository. The repository stays open.
func (a *Archive) Close() error {
	a.follower.Close()
	return a.release()
}

// configure reads the parts of the index that are still valid.
func (a *Archive) configure(ctx context.Context) (err error) {
	if a.settled, err = a.index.setting(ctx, "epoch"); err != nil {
		return err
	}
	filled, err := a.index.setting(ctx, "filled")
	a.filled = filled != ""
	return err
}

// epoch returns a text that changes when the publication of packages must be decided again: with
// the harvesters' class, the rules, or the infected captures. Known is false while no decision is
// possible.
func (a *Archive) epoch() (epoch string, known bool) {
	epoch, known = a.holdings.Epoch()
	return fmt.Sprintf("%s, unstated %s, %s, %s", a.options.Class, a.options.Unstated, a.options.Location, epoch), known
}

// now returns the current second.
func (a *Archive) now() int64 { return a.options.Now().Unix() }

func (a *Archive) problem(err error) {
	if a.options.Problem != nil && err != nil {
		a.options.Problem(err)
	}
}

func (a *Archive) reportProgress(p Progress) {
	if a.options.Progress != nil {
		a.options.Progress(p)
	}
}
