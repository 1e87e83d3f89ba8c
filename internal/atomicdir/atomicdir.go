// Package atomicdir makes the result of a command in a temporary folder next to the destination. At
// the end, one rename moves the complete result to the destination. If the command fails, the
// destination does not appear.
//
// A killed run leaves its temporary folder behind. The next run with a destination in the same
// folder removes it.
package atomicdir

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quire/internal/archivefs"
	"quire/internal/disk"
	"quire/internal/filelock"
)

// Prefix begins the names of workplaces. Listings of a source skip them.
const Prefix = ".quire-work-"

// Workplace is a folder that is locked while it is in use. The lock distinguishes it from the
// leftovers of a killed run.
type Workplace struct {
	path string
	lock *os.File
	made []string // folders above it that this run created

	trial     bool // see For
	discarded []PlannedFile
}

// New makes a workplace in parent, after removing the leftovers of killed runs. It creates parent
// if necessary.
func New(parent string) (*Workplace, error) {
	return newIn(parent, 0o777) // the caller's umask decides the result's mode
}

func newIn(parent string, mode fs.FileMode) (*Workplace, error) {
	made, err := disk.MakeFolders(parent)
	if err != nil {
		return nil, err
	}
	if err := Sweep(parent); err != nil {
		return nil, err
	}
	for {
		path := filepath.Join(parent, Prefix+rand.Text()[:12])
		err := os.Mkdir(path, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		w, err := occupy(path)
		if w != nil {
			w.made = made
		}
		if w != nil || err != nil {
			return w, err
		}
		// Another run mistook the new folder for leftovers before it was locked. Try the next name.
	}
}

// Beside makes a workplace next to out. It can later be installed as out.
func Beside(out string) (*Workplace, error) {
	w, err := New(filepath.Dir(filepath.Clean(out)))
	if err != nil {
		return nil, fmt.Errorf("making a temporary folder next to %s: %w", out, err)
	}
	return w, nil
}

// occupy locks the folder. It returns nil if another process has locked or removed it. A file
// system that cannot lock folders leaves it unlocked; sweep skips it there.
func occupy(path string) (*Workplace, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if errors.Is(filelock.Try(f), filelock.ErrHeld) || !isStill(f, path) {
		return nil, f.Close()
	}
	if !filelock.OfFolders {
		return &Workplace{path: path}, f.Close()
	}
	return &Workplace{path: path, lock: f}, nil
}

// isStill reports whether path is still the folder that was opened.
func isStill(f *os.File, path string) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Lstat(path)
	return err == nil && os.SameFile(opened, now)
}

// Path returns the folder's path, until it is installed.
func (w *Workplace) Path() string { return w.path }

// Close releases the lock. The folder stays.
func (w *Workplace) Close() { _ = w.lock.Close() } // it was only locked

// Remove removes the folder with its content, and the folders above it that were made for it and
// are otherwise empty.
func (w *Workplace) Remove() error {
	err := os.RemoveAll(w.path)
	for _, p := range slices.Backward(w.made) {
		_ = os.Remove(p) // fails if an installed result is in it
	}
	return err
}

// End removes the folder, unless it was installed, and releases the lock. It is for defer: it joins
// its error to the returned one.
func (w *Workplace) End(err *error) {
	*err = errors.Join(*err, w.Remove())
	w.Close()
}

// Sweep removes the workplaces in parent that killed runs left.
func Sweep(parent string) error {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), Prefix) {
			continue
		}
		if err := sweepOne(filepath.Join(parent, e.Name())); err != nil {
			return fmt.Errorf("removing the leftovers of an interrupted run: %w", err)
		}
	}
	return nil
}

func sweepOne(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return nil // already removed, or another user's
	}
	defer func() { _ = f.Close() }() // it was only locked
	if filelock.Try(f) != nil || !isStill(f, path) {
		return nil
	}
	return os.RemoveAll(path)
}

// Check verifies, before any work, that nothing would be overwritten.
func Check(out string) error {
	if out == "" {
		return errors.New("no output folder: set one with --out")
	}
	info, err := os.Lstat(filepath.Clean(out))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return CheckParents(out)
	case err != nil:
		return fmt.Errorf("%s cannot be made: %w", out, err)
	case !info.IsDir():
		return fmt.Errorf("%s already exists, and is %s: choose a folder that does not exist yet", out,
			archivefs.KindOf(info.Mode()))
	}
	entries, err := os.ReadDir(out)
	switch {
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty: choose a folder that does not exist yet", out)
	case isMountPoint(out):
		return fmt.Errorf("%s is a mount point and cannot be replaced: choose a folder in it", out)
	}
	return CheckParents(out)
}

// CheckParents verifies that out can be made: the nearest existing folder above it is writable.
func CheckParents(out string) error {
	for p := filepath.Dir(filepath.Clean(out)); ; p = filepath.Dir(p) {
		info, err := os.Stat(p)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err == nil && !info.IsDir():
			return fmt.Errorf("%s cannot be made: %s is %s", out, p, archivefs.KindOf(info.Mode()))
		case err == nil:
			err = disk.Writable(p)
		}
		if err != nil {
			err = fmt.Errorf("%s cannot be made: %w", out, err)
		}
		return err
	}
}

// isMountPoint reports whether the folder is on another file system than its parent.
func isMountPoint(dir string) bool {
	here, err := disk.Device(dir)
	above, failed := disk.Device(filepath.Join(dir, ".."))
	return err == nil && failed == nil && here != above
}

// Install moves the finished folder to its destination. Before that it syncs the names of all files
// in it; the writers have synced the content. It replaces an existing empty folder and keeps its
// permissions. It never replaces anything else.
func (w *Workplace) Install(out string) error {
	if w.trial {
		return nil
	}
	if err := disk.SyncFolders(w.path); err != nil {
		return err
	}
	out = filepath.Clean(out)
	info, err := os.Lstat(out)
	switch {
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s appeared during the run, and is %s: choose another folder", out,
			archivefs.KindOf(info.Mode()))
	case err == nil:
		if err := os.Chmod(w.path, info.Mode().Perm()); err != nil {
			return err
		}
		if err := os.Remove(out); err != nil {
			return fmt.Errorf("replacing the empty folder with the result: %w", err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := os.Rename(w.path, out); err != nil {
		return err
	}
	return disk.SyncFolder(filepath.Dir(out))
}
