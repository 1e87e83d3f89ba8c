//go:build !linux

package store

import (
	"os"

	system "quire/internal/disk"
)

// openPastCache cannot avoid the cache on this system: the bytes may come from memory.
func openPastCache(path string) (f *os.File, direct bool, err error) {
	f, err = openDropped(path)
	return f, false, err
}

func openDropped(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|system.NoFollow, 0)
}
