package store

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// syncsWhole are the types of file systems whose syncfs makes every change durable. Others, such as FUSE, may
// do nothing: there each file is synced.
var syncsWhole = map[int64]bool{
	unix.EXT4_SUPER_MAGIC: true, unix.XFS_SUPER_MAGIC: true, unix.BTRFS_SUPER_MAGIC: true, unix.F2FS_SUPER_MAGIC: true,
	unix.TMPFS_MAGIC: true,
}

// syncsAtOnce reports whether syncWhole is enough for the file system of a folder.
func syncsAtOnce(path string) bool {
	var fs unix.Statfs_t
	return unix.Statfs(path, &fs) == nil && syncsWhole[int64(fs.Type)] //nolint:unconvert // 32 bits elsewhere
}

// syncWhole syncs the file system of a folder.
func syncWhole(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(unix.Syncfs(int(f.Fd())), f.Close())
}
