package filemap

import (
	"os"

	"golang.org/x/sys/unix"
)

// Map maps a file into memory for reading: a look-up then needs no system call. It returns nil if
// mapping is impossible (an empty file, an unsupported file system, a small address space): then
// the caller reads the file.
//
// The mapped memory is the system's file cache, and can be reclaimed. A removed file stays until it
// is unmapped. Access to pages outside the cache reads the disk, and blocks a whole thread. A
// failing disk is a memory fault: see [Guard].
func Map(f *os.File, size int64) []byte {
	if size <= 0 || int64(int(size)) != size {
		return nil
	}
	text, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil
	}
	return text
}

// Unmap unmaps what Map returned. Later access would be a memory fault.
func Unmap(text []byte) {
	if text != nil {
		_ = unix.Munmap(text) // fails only for an invalid mapping
	}
}
