// Package stored reads files and records of a repository in place. It tries one copy after another
// until one has the stored bytes.
package stored

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"quire/repository/store"
)

// Copies reads files of packages. It remembers their paths, and many goroutines may use it.
type Copies struct {
	Store   *store.Store
	Problem func(error) // called for each copy with wrong content, from any goroutine; may be nil

	mu    sync.Mutex
	known map[string]string // path on disk, by File
}

// File is a file of a version of a package. Its content never changes.
type File struct {
	Package string
	Version int // 0 is the newest; State then identifies that version
	State   string
	Path    string
}

// String returns a key that no other file has.
func (f *File) String() string {
	return fmt.Sprint(f.Package, "\x00", f.Version, "\x00", f.State, "\x00", f.Path)
}

// Read calls read with the file of one copy after another, until one call succeeds; read closes the
// file. The argument what names the record in errors. If tried is not nil, it skips files in it: an
// older version can have the same file.
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
			_ = f.Close() // not read
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

// readKnown reads the file at the last successful path. This avoids reading the package's
// inventory, which may be long. If it fails, the caller asks the repository: the file may have
// moved.
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

// maxKnown bounds the number of remembered files.
const maxKnown = 10_000

func (c *Copies) get(file *File) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known[file.String()]
}

// set stores a path; "" deletes it.
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
