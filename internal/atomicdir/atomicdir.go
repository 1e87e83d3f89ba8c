// Package atomicdir is the folder in which a command makes its result, beside the place of that:
// the result appears there whole, by one rename, or not at all.
//
// A run that is killed leaves its folder; the next one beside it removes that.
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

// Prefix begins the names of workplaces. Listings of a source pass over them.
const Prefix = ".quire-work-"

// Workplace is a folder that is locked while it is in use: so the leftovers of a killed run differ
// from the folder that another run still needs.
type Workplace struct {
	path string
	lock *os.File
	made []string // folders above it that were not there before
}

// New makes a workplace in parent, after it has removed those that killed runs left there. Parent
// is made when it is not there.
func New(parent string) (*Workplace, error) {
	made, err := disk.MakeFolders(parent)
	if err != nil {
		return nil, err
	}
	if err := Sweep(parent); err != nil {
		return nil, err
	}
	for {
		path := filepath.Join(parent, Prefix+rand.Text()[:12])
		err := os.Mkdir(path, 0o777) // the result has the mode that the caller's umask leaves
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
		// Another run took the new folder for one that was left, before it was locked. The next
		// name will do.
	}
}

// Beside makes a workplace beside out, in which it can be installed as that.
func Beside(out string) (*Workplace, error) {
	w, err := New(filepath.Dir(filepath.Clean(out)))
	if err != nil {
		return nil, fmt.Errorf("making a folder beside %s: %w", out, err)
	}
	return w, nil
}

// occupy locks the folder. It gives nil when someone else has it, or has removed it. A file system
// that cannot lock folders leaves it unlocked; sweep passes over it there.
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

// isStill says whether path still is the folder that was opened.
func isStill(f *os.File, path string) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Lstat(path)
	return err == nil && os.SameFile(opened, now)
}

// Path is where the folder is, until it is installed.
func (w *Workplace) Path() string { return w.path }

// Close gives the lock back. The folder stays.
func (w *Workplace) Close() { _ = w.lock.Close() } // it was only locked

// Remove removes the folder with all that is in it, and the folders above it that were made for it
// and hold nothing else.
func (w *Workplace) Remove() error {
	err := os.RemoveAll(w.path)
	for _, p := range slices.Backward(w.made) {
		_ = os.Remove(p) // an installed result stays in it
	}
	return err
}

// End removes the folder, unless it was installed, and gives the lock back. It is for defer: an
// error is joined to the one that is returned.
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
		return nil // gone already, or another user's, who will sweep it
	}
	defer func() { _ = f.Close() }() // it was only locked
	if filelock.Try(f) != nil || !isStill(f, path) {
		return nil
	}
	return os.RemoveAll(path)
}

// Check makes sure, before any work, that nothing would be overwritten.
func Check(out string) error {
	if out == "" {
		return errors.New("no folder to write to: name one with --out")
	}
	info, err := os.Lstat(filepath.Clean(out))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return CheckParents(out)
	case err != nil:
		return fmt.Errorf("%s cannot be made: %w", out, err)
	case !info.IsDir():
		return fmt.Errorf("%s is there already, and is %s: name a folder that does not exist yet", out,
			archivefs.KindOf(info.Mode()))
	}
	entries, err := os.ReadDir(out)
	switch {
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty: name a folder that does not exist yet", out)
	case isMountPoint(out):
		return fmt.Errorf("%s is where a file system is mounted, and cannot be replaced: name a folder in it", out)
	}
	return nil
}

// CheckParents makes sure that the folders above out exist, or can be made.
func CheckParents(out string) error {
	for p := filepath.Dir(filepath.Clean(out)); ; p = filepath.Dir(p) {
		info, err := os.Stat(p)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return fmt.Errorf("%s cannot be made: %w", out, err)
		case !info.IsDir():
			return fmt.Errorf("%s cannot be made: %s is %s", out, p, archivefs.KindOf(info.Mode()))
		default:
			return nil
		}
	}
}

// isMountPoint says whether the folder is of another file system than the one it lies in.
func isMountPoint(dir string) bool {
	here, err := disk.Device(dir)
	above, failed := disk.Device(filepath.Join(dir, ".."))
	return err == nil && failed == nil && here != above
}

// Install puts the finished folder in its place, after it made sure that the names of all files in
// it are on the disk; their content was synced by who wrote them. An empty folder that is there is
// replaced, and its permissions are kept; anything else that came there meanwhile stays.
func (w *Workplace) Install(out string) error {
	if err := disk.SyncFolders(w.path); err != nil {
		return err
	}
	out = filepath.Clean(out)
	info, err := os.Lstat(out)
	switch {
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s appeared while the work was done, and is %s: name another folder", out,
			archivefs.KindOf(info.Mode()))
	case err == nil:
		if err := os.Chmod(w.path, info.Mode().Perm()); err != nil {
			return err
		}
		if err := os.Remove(out); err != nil {
			return fmt.Errorf("putting the result in the place of the empty folder: %w", err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := os.Rename(w.path, out); err != nil {
		return err
	}
	return disk.SyncFolder(filepath.Dir(out))
}
