package store

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// openPastCache opens a file so that what is read comes from the disk, not from memory: with
// O_DIRECT, which is also the fastest way to read what is read only once. File systems that have no
// O_DIRECT get advice to drop their pages instead.
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

// openDropped opens a file the ordinary way, after asking the kernel to forget the pages it holds
// of it. They can be forgotten because the file was synced.
func openDropped(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err == nil {
		_ = unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED) // advice: where it is not taken, a read is still a read
	}
	return f, err
}
