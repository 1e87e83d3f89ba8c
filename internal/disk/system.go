//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// NoFollow are flags for os.OpenFile: do not follow a link, and do not wait for a pipe.
const NoFollow = unix.O_NOFOLLOW | unix.O_NONBLOCK

// Device returns the file system of a path.
func Device(path string) (uint64, error) {
	var stat unix.Stat_t
	if err := unix.Stat(path, &stat); err != nil {
		return 0, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	return uint64(stat.Dev), nil //nolint:unconvert // other systems have other types
}

// Free returns the bytes available to this process on the file system of a path.
func Free(path string) (int64, error) {
	var vfs unix.Statfs_t
	if err := unix.Statfs(path, &vfs); err != nil {
		return 0, &os.PathError{Op: "statfs", Path: path, Err: err}
	}
	return int64(vfs.Bavail) * int64(vfs.Bsize), nil //nolint:unconvert // other systems have other types
}

// Writable returns an error if this process may not make files in a folder. It writes nothing.
func Writable(folder string) error { return may(folder, unix.W_OK|unix.X_OK) }

// Changeable returns an error if this process may not write an existing file. It writes nothing.
func Changeable(file string) error { return may(file, unix.W_OK) }

// may asks the system for the rights of the effective user.
func may(path string, mode uint32) error {
	if err := unix.Faccessat(unix.AT_FDCWD, path, mode, unix.AT_EACCESS); err != nil {
		return &os.PathError{Op: "write", Path: path, Err: err}
	}
	return nil
}

// KeepOwner gives a file the owner of another file.
func KeepOwner(f *os.File, other fs.FileInfo) error {
	s, ok := other.Sys().(*syscall.Stat_t)
	if !ok || int(s.Uid) == os.Geteuid() && int(s.Gid) == os.Getegid() {
		return nil
	}
	return f.Chown(int(s.Uid), int(s.Gid))
}

// SyncFolder syncs the names of the files in a folder, not only their content: a power failure can
// undo a rename that was not synced.
func SyncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
