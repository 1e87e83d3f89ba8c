package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// kindError says that what has a name is no file.
type kindError fs.FileMode

// Error names what it is.
func (k kindError) Error() string { return "it is " + kindOf(fs.FileMode(k)) + ", not a file" }

// openRegular opens a file of the package. What is no regular file is not opened: a pipe would wait for ever, and a
// symbolic link is no part of a package (clause 1.1).
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

// isMissing reports whether an error of openRegular says that there is nothing of that name. Nothing can be below a file
// (ENOTDIR), and nothing can have a name that is too long.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG)
}

// kindOf names what is not a regular file.
func kindOf(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeDir != 0:
		return "a folder"
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return fmt.Sprintf("of the unknown kind %v", mode)
}
