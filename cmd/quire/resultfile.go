package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"quire/internal/disk"
	"quire/internal/secret"
)

// resultFile is a file named by a flag, for results too long for the screen. It conceals passwords in
// URLs, as the screen does. Close reports whether
// they are on disk.
type resultFile struct {
	file     *os.File
	out      *secret.Writer // of buffered
	buffered *bufio.Writer
	sync     func() error
	err      error // the first error, kept until Close
	made     bool  // the file is new
}

// newResultFile opens a file for results. It does not overwrite a file with content: with
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
	if !info.Mode().IsRegular() { // only regular files can be synced; pipes and /dev/stdout cannot
		sync = func() error { return nil }
	}
	buffered := bufio.NewWriter(f)
	return &resultFile{file: f, out: secret.NewWriter(buffered), buffered: buffered, sync: sync, made: made}, nil
}

// checkResultFile returns the same errors as newResultFile, but makes no file. A dry run uses it.
// An empty path means that no file is wanted.
func checkResultFile(path string) error {
	if path == "" {
		return nil
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return disk.Writable(filepath.Dir(path))
	}
	if err == nil {
		err = disk.Changeable(path)
	}
	if err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		err = fmt.Errorf("writing results to %s: %w", path, fs.ErrExist)
	}
	return err
}

// Write implements io.Writer. Close also returns its errors.
func (f *resultFile) Write(p []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	n, err := f.out.Write(p)
	f.err = err
	return n, err
}

// Close writes the rest and syncs the file. It reports a full disk only once.
func (f *resultFile) Close() error {
	if f.err == nil {
		f.err = errors.Join(f.out.Flush(), f.buffered.Flush())
	}
	if f.err == nil {
		f.err = f.sync()
	}
	return errors.Join(f.err, f.file.Close())
}

// closeAfter closes the file at the end of a command. If the command failed, it removes the file:
// its report would be incomplete and would block the next call.
func (f *resultFile) closeAfter(err error) error {
	closing := f.Close()
	if err == nil || errors.Is(err, errContent) || !f.made {
		return closing
	}
	return errors.Join(closing, os.Remove(f.file.Name()))
}
