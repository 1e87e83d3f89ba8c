package store

import (
	"bytes"
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	remote "quire/repository/place"

	"quire/repository/ocfl"
)

// A copy can be far: in a bucket, or on a disk where files are written one by one (package place). The
// folders come first: an ingest decides about them, and then brings the package to the far copies. Only
// if no folder has a file whole, it comes from a far copy. Each far copy is a plain OCFL storage root
// with a quire-copy.json beside it.

// farCopy returns the copy at an address. An error of the settings is reported when the copy is used.
func farCopy(name, address string, d *disk, repo string) *copyFolder {
	c := &copyFolder{name: name, path: address, disk: d, repo: repo, silence: &silence{patience: farPatience}}
	c.far, c.farErr = remote.Open(address)
	return c
}

// isFar reports whether the copy is in a place that is not a folder.
func (c *copyFolder) isFar() bool { return c.far != nil || c.farErr != nil }

// folders returns the copies that are folders.
func (s *Store) folders() []*copyFolder {
	return slices.DeleteFunc(slices.Clone(s.copies), (*copyFolder).isFar)
}

// farPresent returns the far copies that answer and belong to this repository.
func (s *Store) farPresent() []*copyFolder {
	var there []*copyFolder
	for _, c := range s.copies {
		if c.isFar() && c.check(s.id) == nil {
			there = append(there, c)
		}
	}
	return there
}

// farPatience is the time to wait for the identity of a far copy.
const farPatience = 10 * time.Second

// farQuiet is the time for which a far copy that did not answer is not asked again. A list of packages asks once
// for each.
const farQuiet = 30 * time.Second

// silence remembers that a far copy did not answer.
type silence struct {
	patience time.Duration

	mutex sync.Mutex // not held while the copy is asked
	until time.Time  // it is not asked before
	err   error
}

// ask calls read, unless the copy was silent a short time ago.
func (q *silence) ask(read func(context.Context) ([]byte, error)) ([]byte, error) {
	if err := q.lasts(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), q.patience)
	defer cancel()
	text, err := read(ctx)
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("no answer in %s: %w", q.patience, err)
		q.begin(err)
	}
	return text, err
}

// lasts returns the error of a copy that is not asked now.
func (q *silence) lasts() error {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if time.Now().Before(q.until) {
		return q.err
	}
	return nil
}

func (q *silence) begin(err error) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.until, q.err = time.Now().Add(farQuiet), err
}

// readFar reads the identity of a far copy.
func (c *copyFolder) readFar() ([]byte, error) {
	if c.farErr != nil {
		return nil, c.farErr
	}
	return c.silence.ask(func(ctx context.Context) ([]byte, error) {
		return readFarFile(ctx, c.far, copyFile, maxIdentity)
	})
}

// readFarFile reads a small file of a place, up to a bound in bytes.
func readFarFile(ctx context.Context, p remote.Place, name string, limit int64) ([]byte, error) {
	r, err := p.Open(ctx, name, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }() // opened for reading only
	text, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("%s/%s has more than %d bytes", p.URL(), name, limit)
	}
	return text, err
}

// farName returns the name of a file of an object in the place of a far copy.
func farName(path, name string) string { return rootFolder + "/" + path + "/" + name }

// farFiles lists the files of an object in a far copy, by their names in the object.
func (c *copyFolder) farFiles(ctx context.Context, path string) (map[string]remote.Entry, error) {
	prefix := farName(path, "")
	files := map[string]remote.Entry{}
	for e, err := range c.far.List(ctx, prefix) {
		if err != nil {
			return nil, err
		}
		files[strings.TrimPrefix(e.Name, prefix)] = e
	}
	return files, nil
}

// farInventory reads an inventory in a folder of an object in a far copy, and its digest. The folder is "" or a
// version with a slash.
func (c *copyFolder) farInventory(ctx context.Context, path, folder string) (text []byte, sum string, err error) {
	text, err = readFarFile(ctx, c.far, farName(path, folder+ocfl.InventoryFile), ocfl.MaxInventorySize)
	return text, sumBytes(text), err
}

// farTruth finds the inventory of a package in a far copy, if no folder has it.
func (s *Store) farTruth(path, inventory string) *object {
	ctx, cancel := context.WithTimeout(context.Background(), farPatience)
	defer cancel()
	for _, c := range s.farPresent() {
		text, sum, err := c.farInventory(ctx, path, "")
		if err != nil || sum != inventory {
			continue
		}
		if inv, err := ocfl.ParseInventory(text); err == nil {
			return &object{dir: c.object(path), inventory: inv, sum: sum, text: text}
		}
	}
	return nil
}

// probeFar asks a place for its traits, once in a process.
func (c *copyFolder) probeFar(ctx context.Context) error {
	c.home.mu.Lock()
	defer c.home.mu.Unlock()
	if c.traits != nil {
		return nil
	}
	t, err := c.far.Probe(ctx)
	if err != nil {
		return fmt.Errorf("copy %s: %w", c.name, err)
	}
	c.traits = &t
	return nil
}

// makeFar writes an empty far copy. A place with other files is refused. It takes over the files of an
// interrupted makeFar: they are always the same, and the identity is the last one.
func (c *copyFolder) makeFar(ctx context.Context, repository string, names []string) error {
	if c.farErr != nil {
		return c.farErr
	}
	files := rootFiles()
	for e, err := range c.far.List(ctx, "") {
		if err != nil {
			return fmt.Errorf("copy %s: %w", c.name, err)
		}
		if strings.HasPrefix(e.Name, remote.ProbePrefix) {
			continue
		}
		if name, ok := strings.CutPrefix(e.Name, rootFolder+"/"); !ok || files[name] == nil {
			return fmt.Errorf("copy %s: %s is not empty (it has %s); give another prefix", c.name, c.path, e.Name)
		}
	}
	if err := c.far.Erase(ctx, remote.ProbePrefix, nil); err != nil { // of a killed probe
		return fmt.Errorf("copy %s: %w", c.name, err)
	}
	if err := c.probeFar(ctx); err != nil {
		return err
	}
	for _, name := range sortedKeys(files) {
		if err := c.writeFar(ctx, rootFolder+"/"+name, files[name]); err != nil {
			return fmt.Errorf("copy %s: %w", c.name, err)
		}
	}
	return c.sign(repository, names)
}

// writeFar writes a small file into a place, unless it has these bytes already. It reads them back.
func (c *copyFolder) writeFar(ctx context.Context, name string, text []byte) error {
	sum, err := remote.Sum(ctx, bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return err
	}
	if err := c.far.Write(ctx, name, bytes.NewReader(text), sum); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	got, _, err := remote.ReadBack(ctx, c.far, name, func(int64) {})
	if err == nil && got != sum.SHA512 {
		err = fmt.Errorf("%s/%s has other bytes than were written", c.path, name)
	}
	return err
}

// farObjects calls visit with the path of each object in a far copy.
func (c *copyFolder) farObjects(ctx context.Context, visit func(path string) error) error {
	for e, err := range c.far.List(ctx, rootFolder+"/") {
		if err != nil {
			return err
		}
		dir, file := filepath.Split(strings.TrimPrefix(e.Name, rootFolder+"/"))
		if dir == "" || !strings.HasPrefix(file, objectMark) {
			continue
		}
		if err := visit(strings.TrimSuffix(dir, "/")); err != nil {
			return err
		}
	}
	return nil
}

// fetch writes a file of a far copy to a new file on disk, if it has the SHA-512 and the size in bytes.
func (c *copyFolder) fetch(ctx context.Context, d *disk, path, name, target, want string, size int64) error {
	r, err := c.far.Open(ctx, farName(path, name), 0)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // opened for reading only
	f, err := d.create(target, storedFile)
	if err != nil {
		return err
	}
	h := newDigest()
	if err := copyExactly(io.MultiWriter(f, h), r, size); err != nil {
		f.abandon()
		return errors.Join(err, os.Remove(target))
	}
	if err := f.finish(); err != nil {
		return err
	}
	if got := h.sum(); got != want {
		return errors.Join(fmt.Errorf("%s in copy %s has SHA-512 %s instead of %s", name, c.name, got, want),
			os.Remove(target))
	}
	return nil
}

// copyExactly copies a number of bytes. Another number is an error: a place that sends more must not fill the disk.
func copyExactly(to io.Writer, from io.Reader, size int64) error {
	n, err := io.Copy(to, io.LimitReader(from, size+1))
	switch {
	case err != nil:
		return err
	case n > size:
		return fmt.Errorf("%w: more than %d bytes", errOther, size)
	case n < size:
		return fmt.Errorf("%w: %d bytes instead of %d", errOther, n, size)
	}
	return nil
}

// digest is a SHA-512 that is being computed.
type digest struct{ hash.Hash }

func newDigest() digest { return digest{sha512.New()} }

func (d digest) sum() string { return hex.EncodeToString(d.Sum(nil)) }

// makeAny writes an empty copy, in a folder or in a place.
func (c *copyFolder) makeAny(repository string, names []string) error {
	if c.isFar() {
		return c.makeFar(context.Background(), repository, names)
	}
	return c.make(repository, names)
}

// emptyPlace reports whether a folder or place without an identity can become a new copy. err is the
// error of reading the identity.
func emptyPlace(path string, err error) bool {
	if remote.IsURL(path) {
		return errors.Is(err, fs.ErrNotExist)
	}
	return checkEmpty(path) == nil
}
