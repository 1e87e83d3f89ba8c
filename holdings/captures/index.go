package captures

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"quire/internal/filelock"
)

// DirName is the folder of the capture index below REPO/access.
const DirName = "captures"

// lockName is the file that a writer of the index locks.
const lockName = "lock"

// ErrNotFound reports that an entry is not in the index.
var ErrNotFound = errors.New("not in the capture index")

// Options of an index. The zero value is ready to use.
type Options struct {
	Rebuild bool // discard the existing index
}

// Index is an open index. It is safe for concurrent use; several processes may read it, and one at
// a time may write.
type Index struct {
	dir     string
	writing sync.Mutex // held by the writer

	mu      sync.Mutex
	current *snapshot
	changes int64             // number of snapshots so far
	held    map[*snapshot]int // number of readers of each snapshot
	closed  bool
}

// Open opens the index in a folder, and creates the folder if needed. It replaces an unreadable
// index by an empty one: the index is a cache of the packages.
func Open(dir string, o Options) (*Index, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil && !Unwritable(err) {
		return nil, err
	}
	x := &Index{dir: dir, held: map[*snapshot]int{}}
	s, err := load(dir, nil)
	var broken *brokenError
	if o.Rebuild || errors.As(err, &broken) {
		if err == nil {
			s.closeBut(nil)
		}
		if o.Rebuild {
			if err := os.RemoveAll(filepath.Join(dir, madeDir)); err != nil {
				return nil, err
			}
		}
		return x, x.clear()
	}
	if err != nil {
		return nil, err
	}
	x.put(s)
	// its lines have no ids: without write permission they still serve readers
	if s.manifest.Version < manifestVersion {
		if err := x.clear(); err != nil && !Unwritable(err) {
			return nil, errors.Join(err, x.Close())
		}
	}
	return x, nil
}

// Clear discards the index in a folder, so all packages are read again.
func Clear(dir string) error {
	x, err := Open(dir, Options{Rebuild: true})
	if err != nil {
		return err
	}
	return x.Close()
}

// clear starts an empty index.
func (x *Index) clear() error {
	unlock, err := x.lock(context.Background())
	if err != nil {
		return err
	}
	defer unlock()
	m := &manifest{Version: manifestVersion, Next: 1}
	if err := m.write(x.dir); err != nil {
		return err
	}
	if err := sweep(x.dir, m); err != nil {
		return err
	}
	s, err := load(x.dir, nil)
	if err != nil {
		return err
	}
	x.put(s)
	return nil
}

// Close releases the files. Current readers may continue.
func (x *Index) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.closed && x.held[x.current] == 0 {
		letGo(x.current)
	}
	x.closed = true
	return nil
}

// errClosed reports the use of a closed index.
var errClosed = errors.New("the capture index is closed")

// Changes returns a number that grows with each change of the index, also by other processes. It is for one process:
// another counts anew.
func (x *Index) Changes() (int64, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return 0, errClosed
	}
	err := x.refresh()
	return x.changes, err
}

// acquire returns the current state of the index, including changes by other processes.
func (x *Index) acquire() (*snapshot, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return nil, errClosed
	}
	if err := x.refresh(); err != nil {
		return nil, err
	}
	x.held[x.current]++
	return x.current, nil
}

// refresh reads index.json again if the file was replaced. If a writer changes the index between
// reading and opening the files, it repeats.
func (x *Index) refresh() (err error) {
	for range 100 {
		info, statErr := os.Stat(filepath.Join(x.dir, manifestName))
		if errors.Is(statErr, fs.ErrNotExist) && x.current.info == nil {
			return nil
		}
		if statErr != nil {
			return statErr
		}
		if x.current.info != nil && os.SameFile(info, x.current.info) &&
			info.ModTime().Equal(x.current.info.ModTime()) {
			return nil
		}
		var s *snapshot
		if s, err = load(x.dir, x.open()); err == nil {
			x.put(s)
			return nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return err
}

// open returns the segments in use, by name.
func (x *Index) open() map[string]*files {
	all := map[string]*files{}
	for _, f := range x.current.segments {
		all[f.Name] = f
	}
	for s := range x.held {
		for _, f := range s.segments {
			all[f.Name] = f
		}
	}
	return all
}

// put makes a snapshot current.
func (x *Index) put(s *snapshot) {
	for _, f := range s.segments {
		f.users++
	}
	old := x.current
	x.changes++
	if x.current = s; old != nil && x.held[old] == 0 {
		letGo(old)
	}
}

// release releases a snapshot.
func (x *Index) release(s *snapshot) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.held[s]--; x.held[s] > 0 {
		return
	}
	delete(x.held, s)
	if s != x.current || x.closed {
		letGo(s)
	}
}

// letGo closes the segments that no other snapshot uses.
func letGo(s *snapshot) {
	for _, f := range s.segments {
		if f.users--; f.users == 0 {
			f.close()
		}
	}
}

// lock gets the exclusive right to write: in this process, and on this machine. It waits for other
// writers, and then loads their changes.
func (x *Index) lock(ctx context.Context) (unlock func(), err error) {
	x.writing.Lock()
	var f *os.File
	err = os.MkdirAll(x.dir, 0o750)
	if err == nil {
		f, err = os.OpenFile(filepath.Join(x.dir, lockName), os.O_RDWR|os.O_CREATE, 0o644)
	}
	if err != nil {
		x.writing.Unlock()
		if Unwritable(err) {
			err = fmt.Errorf("the capture index is readable, but not writable: %w", err)
		}
		return nil, err
	}
	for err = filelock.ErrHeld; errors.Is(err, filelock.ErrHeld); {
		if err = filelock.Try(f); errors.Is(err, filelock.ErrHeld) {
			select {
			case <-ctx.Done():
				err = ctx.Err()
			case <-time.After(lockAgain):
			}
		}
	}
	if err != nil {
		_ = f.Close() // nothing was written
		x.writing.Unlock()
		return nil, err
	}
	return func() {
		_ = f.Close() // this also releases the lock
		x.writing.Unlock()
	}, nil
}

// lockAgain is the interval at which a waiting process retries, and checks for changes by others.
const lockAgain = 20 * time.Millisecond

// Packages lists the indexed packages, sorted.
func (x *Index) Packages(context.Context) ([]string, error) {
	s, err := x.acquire()
	if err != nil {
		return nil, err
	}
	defer x.release(s)
	var all []string
	for _, c := range s.manifest.Containers {
		all = append(all, c.Package)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// Containers lists the indexed containers of a package, sorted by path; "" means all packages.
func (x *Index) Containers(_ context.Context, pkg string) ([]Container, error) {
	s, err := x.acquire()
	if err != nil {
		return nil, err
	}
	defer x.release(s)
	var all []Container
	for _, c := range s.manifest.Containers {
		if c.Package == pkg || pkg == "" {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b Container) int {
		if order := strings.Compare(a.Package, b.Package); order != 0 {
			return order
		}
		return strings.Compare(a.Path, b.Path)
	})
	return all, nil
}
