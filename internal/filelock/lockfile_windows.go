package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// OfFolders is false, because this system cannot lock folders, and cannot rename open folders.
const OfFolders = false

// Try locks a file for this process alone. It does not wait. If another process has a lock on it,
// the error is [ErrHeld]; if it cannot be locked, as folders cannot, another error.
func Try(f *os.File) error { return lock(f, windows.LOCKFILE_EXCLUSIVE_LOCK) }

// TryShared locks a file together with other shared locks, unless another process has it alone.
func TryShared(f *os.File) error { return lock(f, 0) }

// lock locks one byte far beyond the end: on Windows, other processes cannot read a locked part of
// a file.
func lock(f *os.File, how uint32) error {
	at := &windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()), how|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrHeld
	}
	return err
}
