// Package missed lists the URLs that a harvest did not capture: each with time, reason, and the
// line of its log. Package source reads the logs in the package; the result is stored, sorted, in a
// file beside the index of captures.
//
// A list contains URLs regardless of rights: callers that show it use holdings.Naming to select.
package missed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"quire/holdings"
	"quire/internal/disk"
)

// DirName is the folder of the lists, in the folder of derived access data. It can be removed:
// lists are created again.
const DirName = "missed"

// Lists builds the lists of a repository, one at a time, and stores them. It is safe for concurrent
// use.
type Lists struct {
	dir      string
	holdings *holdings.Holdings

	ctx  context.Context
	stop context.CancelFunc
	all  sync.WaitGroup
	turn chan struct{} // held by the running build

	mu    sync.Mutex
	under map[string]*build // by name of its file
}

// build is a list that is being built.
type build struct {
	done chan struct{}
	err  error
}

// Open prepares the lists below a folder, REPO/access. It does not read or write yet.
func Open(dir string, h *holdings.Holdings) *Lists {
	l := &Lists{dir: filepath.Join(dir, DirName), holdings: h, turn: make(chan struct{}, 1),
		under: map[string]*build{}}
	l.ctx, l.stop = context.WithCancel(context.Background())
	return l
}

// Close cancels the running builds.
func (l *Lists) Close() error {
	l.stop()
	l.all.Wait()
	return nil
}

// Of returns the list of one harvest (from 1) of the newest version of a package. If there is none,
// it builds the list, which takes as long as reading the logs. If the context ends before, Of
// returns its error; the build continues for later calls.
func (l *Lists) Of(ctx context.Context, id string, harvest int) (*List, error) {
	in, err := l.holdings.AllFiles(ctx, id)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%s-v%d-h%d", prefixOf(id), in.Version, harvest)
	path := filepath.Join(l.dir, name)
	if list, err := openList(path); err == nil {
		return list, nil
	}
	m := l.begin(name, path, id, in, harvest)
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-m.done:
	}
	if m.err != nil {
		return nil, fmt.Errorf("list of URLs that harvest %d of package %s did not capture: %w", harvest, id, m.err)
	}
	return openList(path)
}

// prefixOf returns the prefix of the file names of a package's lists: identifiers can have any
// length and any characters.
func prefixOf(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:12])
}

// begin starts to build a list, unless the build is already running.
func (l *Lists) begin(name, path, id string, in *holdings.AllFiles, harvest int) *build {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m := l.under[name]; m != nil {
		return m
	}
	m := &build{done: make(chan struct{})}
	l.under[name] = m
	l.all.Go(func() {
		m.err = l.make(path, id, in, harvest)
		l.mu.Lock()
		delete(l.under, name)
		l.mu.Unlock()
		close(m.done)
	})
	return m
}

// make waits for its turn and builds a list. Then it removes the lists of older versions.
func (l *Lists) make(path, id string, in *holdings.AllFiles, harvest int) error {
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-l.ctx.Done():
		return l.ctx.Err()
	}
	if list, err := openList(path); err == nil { // built while waiting for this turn
		return list.Close()
	}
	if err := os.MkdirAll(l.dir, 0o750); err != nil {
		return err
	}
	w := &writer{ctx: l.ctx, in: in, harvest: harvest, dir: l.dir}
	w.head.Package, w.head.Version, w.head.Harvest = id, in.Version, harvest
	if err := disk.Write(path, w.write); err != nil {
		return err
	}
	return l.sweep(prefixOf(id), fmt.Sprintf("%s-v%d-", prefixOf(id), in.Version))
}

// sweep removes the lists of older versions of a package.
func (l *Lists) sweep(prefix, keep string) error {
	entries, err := os.ReadDir(l.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) && !strings.HasPrefix(e.Name(), keep) {
			err = errors.Join(err, os.Remove(filepath.Join(l.dir, e.Name())))
		}
	}
	return err
}
