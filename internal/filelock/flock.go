//go:build unix

package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// OfFolders says that folders can be locked, and renamed while they are.
const OfFolders = true

// Try locks a file or a folder for this process alone. It does not wait: the error is [ErrHeld]
// when another process has a lock on it, and another one when its file system has no locks.
func Try(f *os.File) error { return flock(f, unix.LOCK_EX) }

// TryShared locks it together with others who do so, and as long as nobody has it alone.
func TryShared(f *os.File) error { return flock(f, unix.LOCK_SH) }

func flock(f *os.File, how int) error {
	err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrHeld
	}
	return err
}
