// Package stored reads what a repository holds where it lies, from one copy after the other until
// one has what was stored.
package stored

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"quire/repository/store"
)

// Copies reads files of packages. It remembers where they lie, and is used from many goroutines.
type Copies struct {
	Store   *store.Store
	Problem func(error) // told of each copy that had not what was stored, from any goroutine; may be nil

	mu    sync.Mutex
	known map[string]string // path on the disk, by File
}

// File is a file of a version of a package: it never changes.
type File struct {
	Package string
	Version int // 0 is the newest: then State tells one newest from the next
	State   string
	Path    string
}

func (f *File) String() string {
	return fmt.Sprint(f.Package, "\x00", f.Version, "\x00", f.State, "\x00", f.Path)
}

// Read reads from one copy after the other, until read finds in one what was stored; read closes
// the file. What is said in errors to be read there. Files that were tried are not tried again,
// when a map is given: an older version can have the same file.
func (c *Copies) Read(ctx context.Context, file File, what string, tried map[string]bool,
	read func(*os.File) error) error {
	if c.readKnown(&file, read) {
		return nil
	}
	var failed error
	for f, err := range c.Store.OpenCopies(ctx, file.Package, file.Version, file.Path) {
		if err != nil {
			return errors.Join(failed, err)
		}
		if tried[f.Name()+" "+what] {
			_ = f.Close() // it was not read
			continue
		}
		if tried != nil {
			tried[f.Name()+" "+what] = true
		}
		if err = read(f); err == nil {
			c.set(&file, f.Name())
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		wrong := fmt.Errorf("%s, %s: %w", f.Name(), what, err)
		if c.Problem != nil {
			c.Problem(fmt.Errorf("%w; audit package %s", wrong, file.Package))
		}
		failed = errors.Join(failed, wrong)
	}
	return failed
}

// readKnown reads from the file that served last, without asking the repository for the inventory
// of the package, which may be long. When that fails the repository is asked: it may lie elsewhere
// now.
func (c *Copies) readKnown(file *File, read func(*os.File) error) bool {
	path := c.get(file)
	if path == "" {
		return false
	}
	f, err := os.Open(path)
	if err == nil {
		err = read(f)
	}
	if err != nil {
		c.set(file, "")
	}
	return err == nil
}

// maxKnown bounds how many files are remembered.
const maxKnown = 10_000

func (c *Copies) get(file *File) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known[file.String()]
}

// set remembers a path; "" forgets it.
func (c *Copies) set(file *File, path string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || len(c.known) >= maxKnown {
		c.known = map[string]string{}
	}
	if c.known[file.String()] = path; path == "" {
		delete(c.known, file.String())
	}
}
