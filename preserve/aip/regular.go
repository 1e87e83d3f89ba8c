package aip

import (
	"errors"
	"io/fs"
	"os"
	"quire/internal/archivefs"
	"syscall"
)

// kindError reports that a name belongs to something other than a regular file.
type kindError fs.FileMode

// Error names the kind.
func (k kindError) Error() string {
	return "it is " + archivefs.KindOf(fs.FileMode(k)) + ", not a file"
}

// openRegular opens a file of the package. It opens only regular files: a pipe would block forever,
// and a symbolic link is not part of a package (clause 1.1).
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
	info, err = f.Stat() // again, for the opened file
	if err == nil && !info.Mode().IsRegular() {
		err = kindError(info.Mode().Type())
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Open opens a file of a package without validating it. It opens only regular files: a pipe would
// block forever. It follows symbolic links; only an os.Root keeps them within the package.
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

// isMissing reports whether an error of openRegular means that no entry has this name. This
// includes a path below a file (ENOTDIR) and a name that is too long.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG)
}
