package site

import (
	"io/fs"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
)

// Files serves the files of a folder. It does not serve hidden files outside .well-known, targets
// of symbolic links outside the folder, or folder listings.
func Files(folder *os.Root) http.Handler { return http.FileServer(files{folder}) }

// files is a folder as http.FileSystem. As fs.FS it could not have names that are not UTF-8.
type files struct{ root *os.Root }

// Open implements http.FileSystem.
func (f files) Open(name string) (http.File, error) {
	name = strings.TrimPrefix(path.Clean("/"+name), "/")
	absent := &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	switch {
	case slices.ContainsFunc(strings.Split(name, "/"), hidden):
		return nil, absent
	case name == "":
		name = "."
	}
	info, err := f.root.Stat(name)
	switch {
	case os.IsPermission(err):
		return nil, err
	case err != nil: // includes paths outside the root
		return nil, absent
	case info.IsDir():
		if start, err := f.root.Stat(path.Join(name, "index.html")); err != nil || !start.Mode().IsRegular() {
			return nil, absent
		}
	case !info.Mode().IsRegular(): // opening a pipe would block
		return nil, absent
	}
	return f.root.Open(name)
}
