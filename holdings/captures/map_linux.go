package captures

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a file into memory, to be read there: a look-up then costs no system call. nil says
// that it cannot be (an empty file, a file system that does not, an address space that is too
// small): then it is read with ReadAt.
//
// Memory that the map takes is the system's cache of the file, which it takes back when others want
// it. A file that is removed stays until it is unmapped. Pages that are not in the cache are read
// from the disk when they are touched, and a whole thread waits for that.
func mapFile(f *os.File, size int64) []byte {
	if size <= 0 || int64(int(size)) != size {
		return nil
	}
	text, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil
	}
	return text
}

// unmapFile ends what mapFile began. Nobody may touch the text any more: it would be a fault of
// memory.
func unmapFile(text []byte) {
	if text != nil {
		_ = unix.Munmap(text) // it fails only for what is no map
	}
}
