//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// NoFollow are flags of os.OpenFile by which neither a link is followed nor a pipe waited for.
const NoFollow = unix.O_NOFOLLOW | unix.O_NONBLOCK

// Device gives the file system that a path lies on.
func Device(path string) (uint64, error) {
	var stat unix.Stat_t
	if err := unix.Stat(path, &stat); err != nil {
		return 0, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	return uint64(stat.Dev), nil //nolint:unconvert // other systems have other types
}

// Free gives the bytes that are free for us where a path lies.
func Free(path string) (int64, error) {
	var vfs unix.Statfs_t
	if err := unix.Statfs(path, &vfs); err != nil {
		return 0, &os.PathError{Op: "statfs", Path: path, Err: err}
	}
	return int64(vfs.Bavail) * int64(vfs.Bsize), nil //nolint:unconvert // other systems have other types
}

// KeepOwner gives a file to whom another one belongs.
func KeepOwner(f *os.File, other fs.FileInfo) error {
	s, ok := other.Sys().(*syscall.Stat_t)
	if !ok || int(s.Uid) == os.Geteuid() && int(s.Gid) == os.Getegid() {
		return nil
	}
	return f.Chown(int(s.Uid), int(s.Gid))
}

// SyncFolder makes sure that the names of the files in a folder are on the disk, not only their
// content: a rename that was not synced may be undone when the power fails.
func SyncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
