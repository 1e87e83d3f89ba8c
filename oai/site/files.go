package site

import (
	"io/fs"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
)

// Files serves the files of a folder: no hidden ones but those in .well-known, nothing that a symbolic link leads to outside, no lists
// of what is in a folder.
func Files(folder *os.Root) http.Handler {
	return http.FileServerFS(files{folder.FS()})
}

type files struct{ fs.FS }

// Open implements fs.FS.
func (f files) Open(name string) (fs.File, error) {
	if name != "." && slices.ContainsFunc(strings.Split(name, "/"), hidden) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	file, err := f.FS.Open(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: absent(err)}
	}
	info, err := file.Stat()
	switch {
	case err != nil:
		_ = file.Close() // it was only read
		return nil, err
	case info.IsDir():
		start, err := fs.Stat(f.FS, path.Join(name, "index.html"))
		if err != nil || !start.Mode().IsRegular() {
			_ = file.Close() // as above
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
	case !info.Mode().IsRegular():
		_ = file.Close() // as above
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return file, nil
}

// absent makes one error of those by which a root refuses what lies outside: for visitors it is not there.
func absent(err error) error {
	if os.IsPermission(err) {
		return fs.ErrPermission
	}
	return fs.ErrNotExist
}
