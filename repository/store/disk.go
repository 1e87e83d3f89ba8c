package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// disk is the one door through which the store changes anything on disk. It is there so that tests
// can stand in the door: fault is asked before every change, and what it returns happens instead of
// the change.
type disk struct {
	fault   func(op, path string) error // nil outside tests
	asked   Permissions
	grants  *grants // nil: the default
	unknown error   // why nothing can be made: the group is not known here
}

func (d *disk) allow(op, path string) error {
	if d.fault == nil {
		return nil
	}
	return d.fault(op, path)
}

// mkdirAll makes a folder and those above it, and syncs every folder that got a new entry, so that
// none of them can vanish from under a file that was synced.
func (d *disk) mkdirAll(path string) error {
	if info, err := os.Stat(path); err == nil {
		if !info.IsDir() {
			return fmt.Errorf("%s is not a folder", path)
		}
		return nil
	}
	parent := filepath.Dir(path)
	if parent != path {
		if err := d.mkdirAll(parent); err != nil {
			return err
		}
	}
	if err := d.allow("mkdir", path); err != nil {
		return err
	}
	if d.unknown != nil {
		return d.unknown
	}
	switch err := os.Mkdir(path, d.granted().mode); {
	case err == nil:
		err = d.ownFolder(path)
		if err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrExist):
		return err
	}
	return d.syncDir(parent)
}

// create makes a new file; one that is there is an error.
func (d *disk) create(path string, p purpose) (*diskFile, error) {
	if err := d.allow("create", path); err != nil {
		return nil, err
	}
	if d.unknown != nil {
		return nil, d.unknown
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, d.fileMode(p))
	if err != nil {
		return nil, err
	}
	if err := d.ownFile(f, p); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &diskFile{disk: d, f: f, path: path}, nil
}

// diskFile is a file being written.
type diskFile struct {
	disk *disk
	f    *os.File
	path string
}

// Write implements io.Writer.
func (f *diskFile) Write(p []byte) (int, error) {
	if err := f.disk.allow("write", f.path); err != nil {
		return 0, err
	}
	return f.f.Write(p)
}

// finish syncs and closes. The file is closed in any case.
func (f *diskFile) finish() error {
	err := f.disk.allow("sync", f.path)
	if err == nil {
		err = f.f.Sync()
	}
	return errors.Join(err, f.f.Close())
}

// abandon closes without a promise.
func (f *diskFile) abandon() { _ = f.f.Close() }

// writeFile makes a new file with the given text, synced.
func (d *disk) writeFile(path string, text []byte, p purpose) error {
	f, err := d.create(path, p)
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		f.abandon()
		return err
	}
	return f.finish()
}

// replaceFile puts text at path in one step: whoever looks sees the old file or the new one. Only
// one process at a time may replace the same file; a temporary file left by one that was killed is
// overwritten.
func (d *disk) replaceFile(path string, text []byte, p purpose) error {
	temp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".tmp")
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := d.writeFile(temp, text, p); err != nil {
		return err
	}
	return d.rename(temp, path)
}

// rename moves and syncs the folders on both sides.
func (d *disk) rename(from, to string) error {
	if err := d.allow("rename", to); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	if err := d.syncDir(filepath.Dir(to)); err != nil {
		return err
	}
	if filepath.Dir(from) == filepath.Dir(to) {
		return nil
	}
	return d.syncDir(filepath.Dir(from))
}

// syncDir makes the entries of a folder durable.
func (d *disk) syncDir(path string) error {
	if err := d.allow("syncdir", path); err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	err = f.Sync()
	return errors.Join(err, f.Close())
}

// removeAll removes a tree; one that is not there is removed already.
func (d *disk) removeAll(path string) error {
	if err := d.allow("remove", path); err != nil {
		return err
	}
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return d.syncDir(filepath.Dir(path))
}

// exists reports whether there is something at path. An error other than "not there" counts as
// there: it is safer to stop than to write where one cannot look.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
