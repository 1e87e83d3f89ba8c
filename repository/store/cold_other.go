//go:build !linux

package store

import (
	"os"

	system "quire/internal/disk"
)

// openPastCache has no way past the cache here: what is read may come from memory.
func openPastCache(path string) (f *os.File, direct bool, err error) {
	f, err = openDropped(path)
	return f, false, err
}

func openDropped(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|system.NoFollow, 0)
}
