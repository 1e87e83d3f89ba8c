package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// resultFile is a file that a flag names, for results that are too many for the screen. Close says
// whether they are on the disk.
type resultFile struct {
	file *os.File
	out  *bufio.Writer
	sync func() error
	err  error // the first, kept until Close
	made bool  // it was not there before
}

// newResultFile opens a file for results. One that holds something is not overwritten: with
// "--findings *.warc.gz" the shell would name the first container of a folder.
func newResultFile(path string) (*resultFile, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	made := err == nil
	if errors.Is(err, fs.ErrExist) {
		f, err = os.OpenFile(path, os.O_WRONLY, 0)
	}
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
	return &resultFile{file: f, out: bufio.NewWriter(f), sync: sync, made: made}, nil
}

// Write implements io.Writer. Close returns its errors, too.
func (f *resultFile) Write(p []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	n, err := f.out.Write(p)
	f.err = err
	return n, err
}

// Close writes the rest; it reports a full disk once.
func (f *resultFile) Close() error {
	if f.err == nil {
		f.err = f.out.Flush()
	}
	if f.err == nil {
		f.err = f.sync()
	}
	return errors.Join(f.err, f.file.Close())
}

// closeAfter closes the file when a command is done, and removes it when there is no result: a
// report of a stopped command names files that are not there, and would stop the next call.
func (f *resultFile) closeAfter(err error) error {
	closing := f.Close()
	if err == nil || errors.Is(err, errContent) || !f.made {
		return closing
	}
	return errors.Join(closing, os.Remove(f.file.Name()))
}
