package store

import (
	"os"

	"golang.org/x/sys/unix"
)

// forgetCache asks the kernel to drop the pages of a file that was synced, so that what is read next comes from the disk.
// It is advice: where it is not taken, the read is still a read.
func forgetCache(f *os.File) {
	_ = unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED)
}
