package site

import (
	"io/fs"
	"syscall"
)

// changeTime returns the time when the inode of a file changed last (ctime), in nanoseconds since 1970; 0 if unknown.
func changeTime(info fs.FileInfo) int64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ctim.Nano()
	}
	return 0
}
