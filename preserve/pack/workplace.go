package pack

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"quire/preserve/internal/disk"
)

// workPrefix begins the names of the folders in which packages are made.
const workPrefix = ".quire-pack-"

// workplace is the folder beside the package in which it is made. It is locked while it is in use: what a run left that was
// killed can so be told from what another run still needs.
type workplace struct {
	path string
	lock *os.File
}

// newWorkplace makes a workplace in parent, after it has removed those that killed runs left there.
func newWorkplace(parent string) (*workplace, error) {
	if err := sweep(parent); err != nil {
		return nil, err
	}
	for {
		path := filepath.Join(parent, workPrefix+rand.Text()[:12])
		err := os.Mkdir(path, 0o777) // what the caller's umask leaves is what the package shall have
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		w, err := occupy(path)
		if w != nil || err != nil {
			return w, err
		}
		// Another run took the new folder for one that was left, before it was locked. The next name will do.
	}
}

// occupy locks the folder. It gives nil when someone else has it, or has removed it. A file system that cannot lock folders
// leaves it unlocked; sweep passes over it there.
func occupy(path string) (*workplace, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if errors.Is(unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB), unix.EWOULDBLOCK) || !isStill(f, path) {
		return nil, f.Close()
	}
	return &workplace{path, f}, nil
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

// close gives the lock back. The folder stays.
func (w *workplace) close() { _ = w.lock.Close() } // it was only locked

// sweep removes the workplaces in parent that nobody uses any more: a run that was killed could not.
func sweep(parent string) error {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), workPrefix) {
			continue
		}
		if err := sweepOne(filepath.Join(parent, e.Name())); err != nil {
			return fmt.Errorf("removing what an interrupted run left: %w", err)
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
	if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil || !isStill(f, path) {
		return nil
	}
	return os.RemoveAll(path)
}

// checkOut makes sure, before any work, that nothing would be overwritten.
func checkOut(out string) error {
	if out == "" {
		return errors.New("no folder to pack into: name one with --out")
	}
	info, err := os.Lstat(filepath.Clean(out))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		parent := filepath.Dir(filepath.Clean(out))
		if _, err := os.Stat(parent); err != nil {
			return fmt.Errorf("%s cannot be made: %w", out, err)
		}
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is there already, and is a %s: name a folder that does not exist yet", out, modeName(info.Mode()))
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

// isMountPoint says whether the folder is of another file system than the one it lies in.
func isMountPoint(dir string) bool {
	var here, parent unix.Stat_t
	if unix.Stat(dir, &here) != nil || unix.Stat(filepath.Join(dir, ".."), &parent) != nil {
		return false
	}
	return here.Dev != parent.Dev
}

// install puts the finished folder in its place. An empty folder there is replaced, and its permissions are kept; anything
// else that came there meanwhile stays.
func (w *workplace) install(out string) error {
	out = filepath.Clean(out)
	info, err := os.Lstat(out)
	switch {
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s appeared while the package was made, and is a %s: name another folder", out, modeName(info.Mode()))
	case err == nil:
		if err := os.Chmod(w.path, info.Mode().Perm()); err != nil {
			return err
		}
		if err := os.Remove(out); err != nil {
			return fmt.Errorf("putting the package in the place of the empty folder: %w", err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := os.Rename(w.path, out); err != nil {
		return err
	}
	return disk.SyncFolder(filepath.Dir(out))
}
