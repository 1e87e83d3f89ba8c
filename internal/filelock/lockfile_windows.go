package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// OfFolders says that folders cannot be locked; nor can they be renamed while they are open.
const OfFolders = false

// Try locks a file for this process alone. It does not wait: the error is [ErrHeld] when another
// process has a lock on it, and another one when it cannot be locked, as folders cannot.
func Try(f *os.File) error { return lock(f, windows.LOCKFILE_EXCLUSIVE_LOCK) }

// TryShared locks it together with others who do so, and as long as nobody has it alone.
func TryShared(f *os.File) error { return lock(f, 0) }

// lock locks one byte far behind the end: where Windows has locked a file, others cannot read.
func lock(f *os.File, how uint32) error {
	at := &windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()), how|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrHeld
	}
	return err
}
