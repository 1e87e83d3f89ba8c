//go:build unix

package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// OfFolders reports that folders can be locked, and renamed while locked.
const OfFolders = true

// Try locks a file or a folder for this process alone. It does not wait. If another process has a
// lock on it, the error is [ErrHeld]; if its file system has no locks, another error.
func Try(f *os.File) error { return flock(f, unix.LOCK_EX) }

// TryShared locks a file or a folder together with other shared locks, unless another process has
// it alone.
func TryShared(f *os.File) error { return flock(f, unix.LOCK_SH) }

func flock(f *os.File, how int) error {
	err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrHeld
	}
	return err
}
