package store

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// openPastCache opens a file for reading from the disk instead of the cache. It uses O_DIRECT,
// which is also the fastest way to read data once. On file systems without O_DIRECT it advises the
// kernel to drop cached pages.
func openPastCache(path string) (f *os.File, direct bool, err error) {
	f, err = os.OpenFile(path, os.O_RDONLY|unix.O_DIRECT|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err == nil {
		return f, true, nil
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil, false, err
	}
	f, err = openDropped(path)
	return f, false, err
}

// openDropped opens a file normally, after advising the kernel to drop its cached pages. The kernel
// can drop them because the file was synced.
func openDropped(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err == nil {
		_ = unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED) // only advice: if ignored, the read still works
	}
	return f, err
}
