package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// diskBatch makes many changes in one copy, and syncs them at once. Nothing in it is durable before
// [diskBatch.sync] returns.
type diskBatch struct {
	disk  *disk
	copy  *copyFolder
	made  map[string]bool // folders that are there
	dirty []string        // files and folders to sync

	atOnce bool // one call syncs the file system
}

func newDiskBatch(d *disk, c *copyFolder) *diskBatch {
	return &diskBatch{disk: d, copy: c, made: map[string]bool{c.path: true}, atOnce: syncsAtOnce(c.path)}
}

// makeFolder creates a folder of the copy and its parents.
func (b *diskBatch) makeFolder(path string) error {
	if b.made[path] {
		return nil
	}
	if parent := filepath.Dir(path); parent != path {
		if err := b.makeFolder(parent); err != nil {
			return err
		}
	}
	if err := b.disk.allow("mkdir", path); err != nil {
		return err
	}
	if b.disk.unknown != nil {
		return b.disk.unknown
	}
	err := os.Mkdir(path, b.disk.granted().mode)
	if errors.Is(err, fs.ErrExist) {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			return errors.Join(fmt.Errorf("%s is in the way of a folder", path), err)
		}
		b.made[path] = true
		return nil
	}
	if err == nil {
		err = b.disk.ownFolder(path)
	}
	if err != nil {
		return err
	}
	b.dirty = append(b.dirty, path, filepath.Dir(path))
	b.made[path] = true
	return nil
}

// write creates a file of the copy. Its folder is there.
func (b *diskBatch) write(path string, text []byte) error {
	f, err := b.disk.create(path, storedFile)
	if err != nil {
		return err
	}
	if b.disk.fault != nil {
		err = b.disk.fault("write", path)
	}
	if err == nil { // the folder of the copy was compared when the file was created
		_, err = f.f.Write(text)
	}
	if err = errors.Join(err, f.f.Close()); err != nil {
		return err
	}
	b.dirty = append(b.dirty, path, filepath.Dir(path))
	return nil
}

// rename moves a file or folder within the copy.
func (b *diskBatch) rename(from, to string) error {
	if err := b.disk.allow("rename", to); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	b.dirty = append(b.dirty, filepath.Dir(from), filepath.Dir(to))
	return nil
}

// sync makes all changes durable: with one call for the file system where that is enough, else file by file.
func (b *diskBatch) sync() error {
	if b.atOnce {
		if err := b.disk.allow("syncall", b.copy.path); err != nil {
			return err
		}
		b.dirty = b.dirty[:0]
		return syncWhole(b.copy.path)
	}
	done := map[string]bool{}
	for _, path := range b.dirty {
		if done[path] || !exists(path) { // a folder that was renamed was synced before
			continue
		}
		done[path] = true
		if err := b.disk.allow("sync", path); err != nil {
			return err
		}
		if err := syncPath(path); err != nil {
			return err
		}
	}
	b.dirty = b.dirty[:0]
	return nil
}

// syncPath syncs a file or a folder.
func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
