package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// disk makes all changes that the store makes on disk. Tests use it to inject faults: fault is
// called before every change, and its error replaces the change.
type disk struct {
	fault func(op, path string) error // nil outside tests
	asked Permissions
	rules Rules // of the repository, for the identity of its copies
	// catalogue is the address of its database, likewise; "" is a file
	catalogue string
	grants    *grants // nil: the default
	unknown   error   // set if nothing can be created: the group is unknown here

	repository string        // UUID, and
	copies     []*copyFolder // the copies in which guard allows changes only while they are there
}

// allow decides about a change, just before it.
func (d *disk) allow(op, path string) error {
	if d.fault != nil {
		if err := d.fault(op, path); err != nil {
			return err
		}
	}
	return d.guard(path)
}

// mkdirAll creates a folder and its parents, and syncs every folder that got a new entry. Otherwise
// a folder could vanish with a synced file in it. It never creates the folder of a copy.
func (d *disk) mkdirAll(path string) error {
	if info, err := os.Stat(path); err == nil {
		if !info.IsDir() {
			return fmt.Errorf("%s is not a folder", path)
		}
		return nil
	}
	if c := d.isHome(path); c != nil {
		return c.gone()
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

// create creates a new file; an existing one is an error.
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

// finish syncs and closes. The file is closed even on error.
func (f *diskFile) finish() error {
	err := f.disk.allow("sync", f.path)
	if err == nil {
		err = f.f.Sync()
	}
	return errors.Join(err, f.f.Close())
}

// abandon closes the file without syncing it.
func (f *diskFile) abandon() { _ = f.f.Close() }

// writeFile creates a new file with the given text, synced.
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

// replaceFile writes text to path in one step: readers see the old file or the new one. Only one
// process at a time may replace the same file. A temporary file left by a killed process is
// overwritten.
func (d *disk) replaceFile(path string, text []byte, p purpose) error {
	temp := filepath.Join(filepath.Dir(path), tempName(filepath.Base(path)))
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := d.writeFile(temp, text, p); err != nil {
		return err
	}
	return d.rename(temp, path)
}

// tempName is the name of a file before it is complete.
func tempName(name string) string { return "." + name + ".tmp" }

// rename moves a file or folder and syncs both parent folders.
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

// removeAll removes a tree. A missing tree is not an error.
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

// removeFolder removes an empty folder.
func (d *disk) removeFolder(path string) error {
	if err := d.allow("remove", path); err != nil {
		return err
	}
	if err := syscall.Rmdir(path); err != nil {
		return err
	}
	return d.syncDir(filepath.Dir(path))
}

// exists reports whether path exists. After any error except "not there", it returns true: stopping
// is safer than writing to an unreadable place.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
