package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// A disk can be unmounted during a change. Its mount point then remains: an ordinary folder, on
// another file system. Nothing may be written there. So a change opens the folder of each copy when it
// begins, and the disk compares the folder at the path with it before every change.

// home is the folder of a copy while changes are under way. The open folder also keeps its disk from
// being unmounted in the ordinary way.
type home struct {
	mu   sync.Mutex
	uses int
	f    *os.File
	info os.FileInfo
}

// hold opens the folders of the copies for one change, and checks that they are the copies. The
// result ends the change.
func (s *Store) hold(copies []*copyFolder) (func(), error) {
	var held []*copyFolder
	release := func() {
		for _, c := range held {
			c.home.release()
		}
	}
	for _, c := range copies {
		if err := c.hold(s.id); err != nil {
			release()
			return nil, err
		}
		held = append(held, c)
	}
	return release, nil
}

func (c *copyFolder) hold(repository string) error {
	h := &c.home
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.uses > 0 {
		if err := h.same(c); err != nil {
			return err
		}
		h.uses++
		return nil
	}
	f, err := os.Open(c.path)
	if err != nil {
		return fmt.Errorf("copy %s is away: %w", c.name, err)
	}
	info, err := f.Stat()
	if err == nil {
		h.info = info
		err = c.check(repository)
	}
	if err == nil {
		err = h.same(c)
	}
	if err != nil {
		_ = f.Close() // opened for reading only
		return err
	}
	h.f, h.uses = f, 1
	return nil
}

// available is check; during a change, the folder was checked and is open, so it is only compared.
func (c *copyFolder) available(repository string) error {
	c.home.mu.Lock()
	defer c.home.mu.Unlock()
	if c.home.uses > 0 {
		return c.home.same(c)
	}
	return c.check(repository)
}

func (h *home) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.uses--; h.uses == 0 {
		_ = h.f.Close() // opened for reading only
		h.f, h.info = nil, nil
	}
}

// same checks that the folder at the path is still the open folder.
func (h *home) same(c *copyFolder) error {
	now, err := os.Stat(c.path)
	if err == nil && os.SameFile(now, h.info) {
		return nil
	}
	return c.gone()
}

func (c *copyFolder) gone() error {
	return fmt.Errorf("copy %s is away: %s is no longer its folder; is its disk mounted? Nothing was written there",
		c.name, c.path)
}

// guard refuses a change below the path of a copy if the copy is not there. It also refuses to make
// the folder of a copy.
func (d *disk) guard(path string) error {
	for _, c := range d.copies {
		below, ok := strings.CutPrefix(path, c.path)
		if !ok || below != "" && below[0] != filepath.Separator {
			continue
		}
		c.home.mu.Lock()
		defer c.home.mu.Unlock()
		if c.home.uses > 0 {
			return c.home.same(c)
		}
		return c.check(d.repository)
	}
	return nil
}

// isHome reports whether a path is the folder of a copy: it is never made again.
func (d *disk) isHome(path string) *copyFolder {
	for _, c := range d.copies {
		if c.path == path {
			return c
		}
	}
	return nil
}
