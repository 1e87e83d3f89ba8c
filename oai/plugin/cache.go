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

// cache keeps what tools said in a folder, one file for each, so that a tool that is slow is asked
// once about the same bytes. Processes may share it. Nothing in it is the only copy of anything, so
// files are not synced: one that a crash or a disk damaged does not fit its digest, and is as good
// as none.
//
// A file is a line with a mark and the SHA-256 of what follows, a line of JSON (stored), and the
// bytes that were said. When it was used last is its time of modification, to the hour.
type cache struct {
	dir  string
	most int64 // bytes of all files, in blocks

	mu   sync.Mutex
	size int64 // as far as this process knows; -1 until it was counted
}

// stored is what stands in a file beside what was said.
type stored struct {
	Label    string    `json:"label"`
	Version  string    `json:"version"`
	Outcome  Outcome   `json:"outcome,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	Jail     string    `json:"jail,omitempty"`
	MIMEType string    `json:"mime"`
	Until    time.Time `json:"until,omitzero"` // not to be believed afterwards; zero is for ever
}

const (
	cacheMark   = "quire-tool-1 "
	blockSize   = 4 << 10   // what a small file takes of a disk
	usedTo      = time.Hour // how exactly it is known when a file was used last
	tempPattern = ".new-*"

	// DefaultCache is how much is kept of what tools said, in bytes.
	DefaultCache = 256 << 20

	// worthKeeping is how long a tool must have worked that what it said is kept: reading a file
	// takes time, too.
	worthKeeping = 2 * time.Millisecond

	// passingFor is how long it is believed that a tool fails where the machine may be the reason:
	// it was busy, or short of memory.
	passingFor = 10 * time.Minute
)

func newCache(dir string, most int64) (*cache, error) {
	if most <= 0 {
		most = DefaultCache
	}
	return &cache{dir: dir, most: most, size: -1}, os.MkdirAll(dir, 0o700)
}

func (c *cache) path(key string) string { return filepath.Join(c.dir, key[:2], key[2:]) }

// get gives what was said, when it is known.
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
		_ = os.Remove(path) // if that fails the next one tries
		return Result{}, false
	}
	if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > usedTo {
		now := time.Now()
		_ = os.Chtimes(path, now, now) // it is thrown away earlier than it should be
	}
	return Result{Label: s.Label, Version: s.Version, Outcome: s.Outcome, Reason: s.Reason, Jail: s.Jail,
		Output: Output{MIMEType: s.MIMEType, Bytes: said}}, true
}

// parseStored reads a file of the cache. It is no good when it does not fit its digest.
func parseStored(content []byte) (s stored, said []byte, ok bool) {
	head, rest, _ := bytes.Cut(content, []byte("\n"))
	if sum := sha256.Sum256(rest); string(head) != cacheMark+hex.EncodeToString(sum[:]) {
		return s, nil, false
	}
	line, said, ok := bytes.Cut(rest, []byte("\n"))
	return s, said, ok && json.Unmarshal(line, &s) == nil
}

// sealed puts the digest before what it is of.
func sealed(rest []byte) []byte {
	sum := sha256.Sum256(rest)
	return append([]byte(cacheMark+hex.EncodeToString(sum[:])+"\n"), rest...)
}

// put keeps what was said, when that is worth it.
func (c *cache) put(key string, r Result) error {
	if c == nil || r.machine || r.Taken < worthKeeping {
		return nil
	}
	s := stored{Label: r.Label, Version: r.Version, Outcome: r.Outcome, Reason: r.Reason, Jail: r.Jail,
		MIMEType: r.MIMEType}
	if r.passing {
		s.Until = time.Now().Add(passingFor)
	}
	line, err := json.Marshal(s)
	if err != nil {
		return err
	}
	content := sealed(append(append(line, '\n'), r.Bytes...))
	if err := c.write(c.path(key), content); err != nil {
		return fmt.Errorf("keeping what %s said: %w", r.Label, err)
	}
	return c.makeRoom(int64(len(content)))
}

// write puts a file in its place, whole.
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

// aged is a file of the cache.
type aged struct {
	path string
	size int64
	used time.Time
}

func blocks(n int64) int64 { return (n + blockSize - 1) / blockSize * blockSize }

// makeRoom throws away what was not used for longest, when there is more than may be; a fifth at
// once, so that it is seldom done.
func (c *cache) makeRoom(added int64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.size >= 0 {
		c.size += blocks(added)
		if c.size <= c.most {
			return nil
		}
	}
	all, err := c.files() // other processes add and throw away, too: it is counted anew
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

// files lists the files of the cache, and removes what a crash left half-way.
func (c *cache) files() (all []aged, err error) {
	err = filepath.WalkDir(c.dir, func(p string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // another process threw it away
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
