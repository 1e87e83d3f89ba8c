// Package missed lists what a harvest wanted and did not get: each URL with time, reason and the
// line of the log that tells so. The logs are read as they lie in the package, by the readers of
// package source; what was read is kept, sorted, in a file beside the index of captures.
//
// A list names URLs, whoever may know of them: who shows it asks holdings.Naming which.
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

// DirName is the folder of the lists in that of what is made for readers. It can be removed: lists
// are made again.
const DirName = "missed"

// Lists makes the lists of a repository, one at a time, and keeps them. It is used from many
// goroutines.
type Lists struct {
	dir      string
	holdings *holdings.Holdings

	ctx  context.Context
	stop context.CancelFunc
	all  sync.WaitGroup
	turn chan struct{} // held by the one that is being made

	mu    sync.Mutex
	under map[string]*making // by name of its file
}

// making is a list under way.
type making struct {
	done chan struct{}
	err  error
}

// Open prepares the lists below a folder, REPO/access. Nothing is read or written yet.
func Open(dir string, h *holdings.Holdings) *Lists {
	l := &Lists{dir: filepath.Join(dir, DirName), holdings: h, turn: make(chan struct{}, 1),
		under: map[string]*making{}}
	l.ctx, l.stop = context.WithCancel(context.Background())
	return l
}

// Close ends what is being made.
func (l *Lists) Close() error {
	l.stop()
	l.all.Wait()
	return nil
}

// Of gives the list of one harvest of the newest version of a package, from 1. It is made when it
// is not there: that takes as long as reading the logs does, and goes on when the context ends
// before, so that who asks again finds it. The error is then that of the context.
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
		return nil, fmt.Errorf("the list of what harvest %d of package %s missed: %w", harvest, id, m.err)
	}
	return openList(path)
}

// prefixOf begins the names of all lists of a package: identifiers are of any length, and of any
// characters.
func prefixOf(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:12])
}

// begin makes a list, unless that is under way.
func (l *Lists) begin(name, path, id string, in *holdings.AllFiles, harvest int) *making {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m := l.under[name]; m != nil {
		return m
	}
	m := &making{done: make(chan struct{})}
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

// make makes a list when it is its turn, and removes those of older versions.
func (l *Lists) make(path, id string, in *holdings.AllFiles, harvest int) error {
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-l.ctx.Done():
		return l.ctx.Err()
	}
	if list, err := openList(path); err == nil { // made between the question and this turn
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

// sweep removes the lists of versions of a package that are not the newest.
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
