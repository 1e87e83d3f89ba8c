package thumbnail

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"io"

	"quire/holdings/captures"
	"quire/internal/disk"
)

// DirName is the folder of the thumbnails, in the folder of derived access data. It can be removed at any time.
const DirName = "thumbnails"

// room is the limits of a folder. Beyond them, the oldest files are removed.
type room struct {
	bytes int64
	files int
}

var (
	roomForThumbnails = room{256 << 20, 100_000}
	roomForShots      = room{4 << 30, 400_000} // they cost much more to make
)

// cache is the folder of finished thumbnails. The name of a file is derived from the digest of its
// source.
type cache struct {
	dir string
	room

	mu   sync.Mutex
	size int64
	n    int
}

// openCache reads the folder. It removes files of an interrupted run.
func openCache(dir string, limits room) (*cache, error) {
	c := &cache{dir: dir, room: limits}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	all, err := c.read()
	for _, f := range all {
		c.size, c.n = c.size+f.size, c.n+1
	}
	return c, err
}

// kept is a file of the folder.
type kept struct {
	name string
	size int64
	made time.Time
}

// read lists the folder.
func (c *cache) read() (all []kept, err error) {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
			continue
		}
		if err != nil {
			return nil, err
		}
		const abandoned = time.Hour
		if strings.HasPrefix(e.Name(), ".") {
			if time.Since(info.ModTime()) > abandoned { // of a process that was killed
				if err := os.Remove(filepath.Join(c.dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return nil, err
				}
			}
			continue
		}
		all = append(all, kept{e.Name(), info.Size(), info.ModTime()})
	}
	return all, nil
}

// get returns a file; known is false if there is none.
func (c *cache) get(name string) (content []byte, known bool, err error) {
	content, err = os.ReadFile(filepath.Join(c.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return content, err == nil, err
}

// put writes a file, complete and synced.
func (c *cache) put(name string, content []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.size+int64(len(content)) > c.bytes || c.n >= c.files {
		if err := c.makeRoom(); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil { // it may have been removed meanwhile
		return err
	}
	err := disk.WriteSecret(filepath.Join(c.dir, name), func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
	if err == nil {
		c.size, c.n = c.size+int64(len(content)), c.n+1
	}
	return err
}

// makeRoom removes the oldest files, until a tenth of the limits is free.
func (c *cache) makeRoom() error {
	all, err := c.read()
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b kept) int { return cmp.Or(a.made.Compare(b.made), strings.Compare(a.name, b.name)) })
	c.size, c.n = 0, len(all)
	for _, f := range all {
		c.size += f.size
	}
	for _, f := range all {
		if c.size <= c.bytes/10*9 && c.n <= c.files/10*9 {
			break
		}
		if err := c.remove(f.name); err != nil {
			return err
		}
		c.size, c.n = c.size-f.size, c.n-1
	}
	return nil
}

func (c *cache) remove(name string) error {
	err := os.Remove(filepath.Join(c.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Clear removes all thumbnails below a folder, REPO/access. A withdrawal and a purge do so: the cache
// does not know whose picture a file is.
func Clear(dir string) error {
	dir = filepath.Join(dir, DirName)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return disk.SyncFolder(dir)
}

// place returns the place of the payload of a capture.
func place(c *captures.Capture) *captures.Place {
	if c.Payload != nil {
		return c.Payload
	}
	return &c.Record
}

// nameOf returns the file name for a payload: SHA-256 of its bytes as sent, which every read verifies,
// and of the header that decodes them.
func nameOf(c *captures.Capture, more ...string) string {
	sum := sha256.New()
	for _, part := range append([]string{place(c).SHA256, c.Coding}, more...) {
		sum.Write([]byte(part + "\n"))
	}
	return hex.EncodeToString(sum.Sum(nil)[:20])
}
