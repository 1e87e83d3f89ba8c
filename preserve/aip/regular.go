package aip

import (
	"errors"
	"io/fs"
	"os"
	"quire/internal/archivefs"
	"syscall"
)

// kindError says that what has a name is no file.
type kindError fs.FileMode

// Error names what it is.
func (k kindError) Error() string {
	return "it is " + archivefs.KindOf(fs.FileMode(k)) + ", not a file"
}

// openRegular opens a file of the package. What is no regular file is not opened: a pipe would wait
// for ever, and a symbolic link is no part of a package (clause 1.1).
func openRegular(root *os.Root, path string) (*os.File, error) {
	info, err := root.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, kindError(info.Mode().Type())
	}
	f, err := root.Open(path)
	if err != nil {
		return nil, err
	}
	info, err = f.Stat() // again, of what was opened
	if err == nil && !info.Mode().IsRegular() {
		err = kindError(info.Mode().Type())
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Open opens a file of a package for who reads it without validating it. What is no regular file is
// not opened: a pipe would wait for ever. A symbolic link is what it leads to; a root that is no
// os.Root does not keep it within the package.
func Open(fsys fs.FS, path string) (fs.File, error) {
	info, err := fs.Stat(fsys, path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: kindError(info.Mode().Type())}
	}
	return fsys.Open(path)
}

// isMissing reports whether an error of openRegular says that there is nothing of that name.
// Nothing can be below a file (ENOTDIR), and nothing can have a name that is too long.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG)
}
