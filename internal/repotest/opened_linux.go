package repotest

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Opens counts how often any process opens the files that are watched.
type Opens struct {
	t  testing.TB
	fd int
}

// WatchContainers begins to count the opens of all containers in the repository's copies, and
// returns the number of containers.
func (r *Repository) WatchContainers() (o *Opens, watched int) { return r.Watch(".warc") }

// Watch begins to count the opens of all files in the repository's copies whose names end with a suffix,
// and returns their number. The closes keep the kernel from joining equal events.
func (r *Repository) Watch(suffix string) (o *Opens, watched int) {
	r.t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = unix.Close(fd) })
	for _, c := range r.Store.Copies() {
		err := filepath.WalkDir(c.Path, func(path string, _ fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, suffix) {
				watched++
				_, err = unix.InotifyAddWatch(fd, path, unix.IN_OPEN|unix.IN_CLOSE)
			}
			return err
		})
		if err != nil {
			r.t.Fatal(err)
		}
	}
	return &Opens{r.t, fd}, watched
}

// Count returns the opens since the last count.
func (o *Opens) Count() (n int) {
	o.t.Helper()
	b := make([]byte, 1<<20)
	for {
		read, err := unix.Read(o.fd, b)
		if errors.Is(err, unix.EAGAIN) {
			return n
		}
		if err != nil {
			o.t.Fatal(err)
		}
		for at := 0; at < read; at += unix.SizeofInotifyEvent { // events of files have no name after them
			if binary.NativeEndian.Uint32(b[at+4:])&unix.IN_OPEN != 0 {
				n++
			}
		}
	}
}
