package plugin

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// cache keeps the output of tools in a folder, one file each, so that a slow tool runs once for the
// same bytes. Processes may share the folder. The cache holds no unique data, so files are not
// synced. A file damaged by a crash or the disk does not match its digest and is ignored.
//
// A file is a line with a mark and the SHA-256 of the rest, a line of JSON (stored), and the
// output. Its modification time is the time of its last use, to the hour.
type cache struct {
	dir  string
	most int64 // limit of all files in bytes, counted in blocks

	mu   sync.Mutex
	size int64 // as known to this process; -1 before counting
}

// stored is the metadata of an output in its file.
type stored struct {
	Label    string    `json:"label"`
	Version  string    `json:"version"`
	Outcome  Outcome   `json:"outcome,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	Jail     string    `json:"jail,omitempty"`
	Tool     string    `json:"tool"`
	Command  string    `json:"command,omitempty"`
	Began    time.Time `json:"began"`
	MIMEType string    `json:"mime"`
	Until    time.Time `json:"until,omitzero"` // expiry; zero means never
}

const (
	cacheMark   = "quire-tool-2 "
	blockSize   = 4 << 10   // disk space of a small file
	usedTo      = time.Hour // precision of a file's time of last use
	tempPattern = ".new-*"

	// DefaultCache is the default size of the cache in bytes.
	DefaultCache = 256 << 20

	// minCachedTime is the minimum time of a tool's run for caching its output, because reading a
	// file also takes time.
	minCachedTime = 2 * time.Millisecond

	// failureTTL is how long a failure is cached if the machine may be the cause: busy, or short of
	// memory.
	failureTTL = 10 * time.Minute
)

func newCache(dir string, most int64) (*cache, error) {
	if most <= 0 {
		most = DefaultCache
	}
	return &cache{dir: dir, most: most, size: -1}, os.MkdirAll(dir, 0o700)
}

func (c *cache) path(key string) string { return filepath.Join(c.dir, key[:2], key[2:]) }

// get returns the cached output, if there is any.
func (c *cache) get(key string) (Result, bool) {
	if c == nil {
		return Result{}, false
	}
	path := c.path(key)
	content, err := os.ReadFile(path)
	if err != nil {
		return Result{}, false
	}
	s, said, ok := parseStored(content)
	if !ok || !s.Until.IsZero() && time.Now().After(s.Until) {
		_ = os.Remove(path) // a failure is retried at the next use
		return Result{}, false
	}
	if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > usedTo {
		now := time.Now()
		_ = os.Chtimes(path, now, now) // the file would only expire too early
	}
	return Result{Label: s.Label, Version: s.Version, Outcome: s.Outcome, Reason: s.Reason, Jail: s.Jail,
		Tool: s.Tool, Command: s.Command, Began: s.Began,
		Output: Output{MIMEType: s.MIMEType, Bytes: said}}, true
}

// parseStored reads a file of the cache. Ok is false if it does not match its digest.
func parseStored(content []byte) (s stored, said []byte, ok bool) {
	head, rest, _ := bytes.Cut(content, []byte("\n"))
	if sum := sha256.Sum256(rest); string(head) != cacheMark+hex.EncodeToString(sum[:]) {
		return s, nil, false
	}
	line, said, ok := bytes.Cut(rest, []byte("\n"))
	return s, said, ok && json.Unmarshal(line, &s) == nil
}

// sealed adds the digest in front of the content.
func sealed(rest []byte) []byte {
	sum := sha256.Sum256(rest)
	return append([]byte(cacheMark+hex.EncodeToString(sum[:])+"\n"), rest...)
}

// put caches an output if that saves time.
func (c *cache) put(key string, r Result) error {
	if c == nil || r.machine || r.Taken < minCachedTime {
		return nil
	}
	s := stored{Label: r.Label, Version: r.Version, Outcome: r.Outcome, Reason: r.Reason, Jail: r.Jail,
		Tool: r.Tool, Command: r.Command, Began: r.Began, MIMEType: r.MIMEType}
	if r.passing {
		s.Until = time.Now().Add(failureTTL)
	}
	line, err := json.Marshal(s)
	if err != nil {
		return err
	}
	content := sealed(append(append(line, '\n'), r.Bytes...))
	if err := c.write(c.path(key), content); err != nil {
		return fmt.Errorf("caching the output of %s: %w", r.Label, err)
	}
	return c.makeRoom(int64(len(content)))
}

// write creates a file atomically.
func (c *cache) write(path string, content []byte) error {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(folder, tempPattern)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// aged is a file of the cache with its age.
type aged struct {
	path string
	size int64
	used time.Time
}

func blocks(n int64) int64 { return (n + blockSize - 1) / blockSize * blockSize }

// makeRoom deletes the least recently used files when the cache exceeds its limit. It frees a fifth
// at once, so that it rarely runs.
func (c *cache) makeRoom(added int64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.size >= 0 {
		c.size += blocks(added)
		if c.size <= c.most {
			return nil
		}
	}
	all, err := c.files() // count again, because other processes add and delete too
	if err != nil {
		return err
	}
	c.size = 0
	for _, f := range all {
		c.size += f.size
	}
	if c.size <= c.most {
		return nil
	}
	slices.SortFunc(all, func(a, b aged) int { return a.used.Compare(b.used) })
	for _, f := range all {
		if c.size <= c.most/5*4 {
			break
		}
		if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		c.size -= f.size
	}
	return nil
}

// files lists the files of the cache, and removes partial files of a crash.
func (c *cache) files() (all []aged, err error) {
	err = filepath.WalkDir(c.dir, func(p string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // another process deleted it
		}
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return nil //nolint:nilerr // another process threw it away
		}
		if strings.HasPrefix(d.Name(), ".") {
			if time.Since(info.ModTime()) > usedTo {
				return os.Remove(p)
			}
			return nil
		}
		all = append(all, aged{path: p, size: blocks(info.Size()), used: info.ModTime()})
		return nil
	})
	return all, err
}
