package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// resultFile is a file that a flag names, for results that are too many for the screen. Close says whether they are on the disk.
type resultFile struct {
	file *os.File
	out  *bufio.Writer
	sync func() error
	err  error // the first, kept until Close
}

// newResultFile opens a file for results. One that holds something is not overwritten: with "--findings *.warc.gz" the shell
// would name the first container of a folder.
func newResultFile(path string) (*resultFile, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		err = fmt.Errorf("writing results to %s: %w", path, fs.ErrExist)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	sync := f.Sync
	if !info.Mode().IsRegular() { // a pipe or /dev/stdout has no disk to wait for
		sync = func() error { return nil }
	}
	return &resultFile{file: f, out: bufio.NewWriter(f), sync: sync}, nil
}

// Write implements io.Writer. What goes wrong is told by Close, too.
func (f *resultFile) Write(p []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	n, err := f.out.Write(p)
	f.err = err
	return n, err
}

// Close writes what waits; a disk that is full is told of once.
func (f *resultFile) Close() error {
	if f.err == nil {
		f.err = f.out.Flush()
	}
	if f.err == nil {
		f.err = f.sync()
	}
	return errors.Join(f.err, f.file.Close())
}
