package archive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"quire/holdings/follow"
	"quire/model"
	"quire/oai/resource"
	"quire/repository/store"
	"quire/repository/stored"
)

// Options say where the index is kept and what is shown.
type Options struct {
	Dir string // of the index; made when it is not there. REPO/oai by default of quire oai serve

	// Zones are those whose content is handed out; [model.Open] alone when there are none. Who may ask is for others to check: see
	// internal/gate.
	Zones []model.Zone

	// Unstated is the zone of what nobody says anything of: [model.Restricted] when it is "".
	Unstated model.Zone

	Location *time.Location           // of the days of rights; time.Local when it is nil
	Wait     time.Duration            // how long lists wait for packages that came, from when the first asked; DefaultWait when it is 0
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
	index    *index
	answered *answered
	options  Options
	lock     *os.File
	progress meter
	copies   *stored.Copies

	follower *follow.Follower

	mu      sync.RWMutex
	filled  bool      // all that there was at the beginning was looked at, once
	behind  time.Time // since when somebody has been waiting for what came; zero when nobody does
	working string    // the package that is looked at; "" when nothing has to be
}

var _ resource.Collection = (*Archive)(nil)

// ErrInUse says that another process keeps the index of the repository.
var ErrInUse = errors.New("another process serves this repository already")

// Open begins to follow a repository, which stays the caller's. What has to be read is read while lists are answered: see [Archive.Ready].
func Open(ctx context.Context, s *store.Store, o Options) (_ *Archive, err error) {
	if len(o.Zones) == 0 {
		o.Zones = []model.Zone{model.Open}
	}
	if o.Unstated == "" {
		o.Unstated = model.Restricted
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
	a := &Archive{store: s, options: o}
	a.follower = follow.New(s, &a.mu, a.problem)
	a.copies = &stored.Copies{Store: s, Problem: a.problem}
	a.progress.tell = o.Progress
	if err := os.MkdirAll(o.Dir, 0o777); err != nil {
		return nil, err
	}
	if a.lock, err = lockDir(o.Dir); err != nil {
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
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
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

// configure notes what is shown; when that is not what it was, all packages are judged anew.
func (a *Archive) configure(ctx context.Context) error {
	zones := make([]string, 0, len(a.options.Zones)+2)
	for _, z := range a.options.Zones {
		zones = append(zones, string(z))
	}
	slices.Sort(zones)
	now := strings.Join(append(zones, "unstated "+string(a.options.Unstated), a.options.Location.String()), ", ")
	was, err := a.index.setting(ctx, "shown")
	if err != nil {
		return err
	}
	filled, err := a.index.setting(ctx, "filled")
	a.filled = filled != ""
	if err != nil || was == now {
		return err
	}
	_, err = a.index.db.ExecContext(ctx, "UPDATE package SET inventory = ''; INSERT INTO setting (name, value) VALUES ('shown', ?) ON CONFLICT DO UPDATE SET value = excluded.value", now)
	return err
}

// now is this second.
func (a *Archive) now() int64 { return a.options.Now().Unix() }

func (a *Archive) problem(err error) {
	if a.options.Problem != nil && err != nil {
		a.options.Problem(err)
	}
}

// meter adds up what is read.
type meter struct {
	tell func(Progress)

	mu sync.Mutex
	at Progress
}

func (m *meter) begin(at Progress) { m.set(func(p *Progress) { *p = at }) }

func (m *meter) bytes(n int64) { m.set(func(p *Progress) { p.Bytes += n }) }

func (m *meter) set(change func(*Progress)) {
	m.mu.Lock()
	change(&m.at)
	at := m.at
	m.mu.Unlock()
	if m.tell != nil {
		m.tell(at)
	}
}
