package store

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// view presents one version of an object as the package that was ingested: the same names, from any
// folders of the object.
type view struct {
	files map[string]string // name in the package → path on disk
}

// viewOf returns the view of a version of an object.
func viewOf(o *object, version string) *view {
	where := o.content()
	v := &view{files: map[string]string{}}
	for path, digest := range o.state(version) {
		v.files[path] = filepath.Join(o.dir, filepath.FromSlash(where[digest]))
	}
	return v
}

// Open implements fs.FS.
func (v *view) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if path, ok := v.files[name]; ok {
		f, err := openRegular(path)
		if err != nil {
			return nil, err
		}
		return viewFile{f, filepath.Base(name)}, nil
	}
	entries := v.list(name)
	if len(entries) == 0 && name != "." {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &viewFolder{name: name, entries: entries}, nil
}

// Stat implements fs.StatFS: a file need not be opened for it.
func (v *view) Stat(name string) (fs.FileInfo, error) {
	path, ok := v.files[name]
	if !ok {
		f, err := v.Open(name)
		if err != nil {
			return nil, err
		}
		return f.Stat()
	}
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	return renamed{info, filepath.Base(name)}, nil
}

// list returns the direct entries of a folder, sorted by name.
func (v *view) list(folder string) []fs.DirEntry {
	prefix := folder + "/"
	if folder == "." {
		prefix = ""
	}
	seen := map[string]fs.DirEntry{}
	for path, disk := range v.files {
		rest, ok := strings.CutPrefix(path, prefix)
		if !ok {
			continue
		}
		name, _, deeper := strings.Cut(rest, "/")
		if deeper {
			seen[name] = fs.FileInfoToDirEntry(folderInfo(name))
			continue
		}
		if info, err := os.Stat(disk); err == nil { // missing files are not listed
			seen[name] = fs.FileInfoToDirEntry(renamed{info, name})
		}
	}
	var entries []fs.DirEntry
	for _, name := range sortedKeys(seen) {
		entries = append(entries, seen[name])
	}
	return entries
}

// viewFolder is an open folder of a view.
type viewFolder struct {
	name    string
	entries []fs.DirEntry
}

// Stat implements fs.File.
func (d *viewFolder) Stat() (fs.FileInfo, error) { return folderInfo(filepath.Base(d.name)), nil }

// Read implements fs.File; it always fails for a folder.
func (d *viewFolder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: fs.ErrInvalid}
}

// Close implements fs.File.
func (d *viewFolder) Close() error { return nil }

// ReadDir implements fs.ReadDirFile.
func (d *viewFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n > 0 && len(d.entries) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(d.entries) {
		n = len(d.entries)
	}
	entries := slices.Clone(d.entries[:n])
	d.entries = d.entries[n:]
	return entries, nil
}

// viewFile is an open file with its name in the package. Equal files are stored once, under one of
// their names.
type viewFile struct {
	*os.File
	name string
}

// Stat implements fs.File.
func (f viewFile) Stat() (fs.FileInfo, error) {
	info, err := f.File.Stat()
	if err != nil {
		return nil, err
	}
	return renamed{info, f.name}, nil
}

// folderInfo describes a folder that exists only in the view.
type folderInfo string

func (n folderInfo) Name() string     { return string(n) }
func (folderInfo) Size() int64        { return 0 }
func (folderInfo) Mode() fs.FileMode  { return fs.ModeDir | defaultMode }
func (folderInfo) ModTime() time.Time { return time.Time{} }
func (folderInfo) IsDir() bool        { return true }
func (folderInfo) Sys() any           { return nil }

// renamed is a file with its name in the package.
type renamed struct {
	fs.FileInfo
	name string
}

func (r renamed) Name() string { return r.name }
