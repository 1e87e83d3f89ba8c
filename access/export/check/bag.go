package check

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"sort"
	"strings"
	"time"

	"quire/format/bagit"
	"quire/internal/archivefs"
	"quire/model"
)

// bag checks a bag (RFC 8493), in a folder or in an archive. It does not unpack archives.
func (c *checking) bag(at string) error {
	var files fs.FS = treeFS{c.tree, c.root}
	if c.tree.Kind() == archivefs.Folder {
		r, err := os.OpenRoot(at)
		if err != nil {
			return err
		}
		defer func() { _ = r.Close() }() // only read
		files = r.FS()
		if c.root != "." {
			if files, err = fs.Sub(files, c.root); err != nil {
				return err
			}
		}
	}
	b, err := bagit.Validate(c.ctx, files, bagit.Options{Progress: c.options.Progress})
	if err != nil {
		return err
	}
	incomplete := false
	for _, f := range b.Findings {
		severity := model.Error
		if f.Warning {
			severity = model.Warning
		}
		incomplete = incomplete || !f.Warning && f.Code != bagit.CodeDigest
		c.find(severity, string(f.Code), f.Path, "%s", f.Message)
	}
	for _, e := range b.Info {
		if strings.EqualFold(e.Label, "External-Identifier") && c.report.ID == "" {
			c.report.ID = e.Value
		}
	}
	c.report.FindingsTotal += b.Total - int64(len(b.Findings))
	before := c.errors
	if incomplete {
		before = -1
	}
	c.passed("complete", before, "BagIt %s: all listed files are present, and no others (RFC 8493, 3)", b.Version)
	before = c.errors
	if !b.Valid() {
		before = -1
	}
	c.passed("valid", before, "complete, and every digest matches; payload: %s", bagit.Oxum(b.Bytes, b.Files))
	return nil
}

// treeFS is an archivefs tree, or a folder in it, as a file system. Archives need not list folders:
// it infers them from their files, and adds data, which may be empty.
type treeFS struct {
	tree *archivefs.Tree
	root string
}

// Open implements fs.FS.
func (t treeFS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	full := path.Join(t.root, name)
	if f := t.tree.Find(full); f != nil {
		in, err := t.tree.Open(full)
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: err}
		}
		return &opened{in, entry{path.Base(name), f.Size, f.Modified, 0o444}}, nil
	}
	entries, err := t.ReadDir(name)
	if err != nil {
		return nil, err
	}
	return &openedFolder{entry{path.Base(name), 0, time.Time{}, fs.ModeDir | 0o555}, entries}, nil
}

// ReadDir implements fs.ReadDirFS.
func (t treeFS) ReadDir(name string) (all []fs.DirEntry, err error) {
	prefix := path.Join(t.root, name) + "/"
	if prefix == "./" {
		prefix = ""
	}
	files := t.tree.Files()
	from := sort.Search(len(files), func(i int) bool { return files[i].Path >= prefix })
	seen := map[string]bool{}
	for _, f := range files[from:] {
		rest, ok := strings.CutPrefix(f.Path, prefix)
		if !ok {
			break
		}
		first, _, below := strings.Cut(rest, "/")
		if seen[first] {
			continue
		}
		seen[first] = true
		e := entry{first, f.Size, f.Modified, 0o444}
		if below {
			e = entry{first, 0, time.Time{}, fs.ModeDir | 0o555}
		}
		all = append(all, fs.FileInfoToDirEntry(e))
	}
	if len(all) == 0 && name != "." && name != bagit.DataDir {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Name() < all[j].Name() })
	return all, nil
}

// entry implements fs.FileInfo.
type entry struct {
	name     string
	size     int64
	modified time.Time
	mode     fs.FileMode
}

func (e entry) Name() string       { return e.name }
func (e entry) Size() int64        { return e.size }
func (e entry) Mode() fs.FileMode  { return e.mode }
func (e entry) ModTime() time.Time { return e.modified }
func (e entry) IsDir() bool        { return e.mode.IsDir() }
func (e entry) Sys() any           { return nil }

// opened is an open file.
type opened struct {
	archivefs.Content
	info entry
}

// Stat implements fs.File.
func (o *opened) Stat() (fs.FileInfo, error) { return o.info, nil }

// openedFolder is an open folder.
type openedFolder struct {
	info    entry
	entries []fs.DirEntry
}

// Stat implements fs.File.
func (o *openedFolder) Stat() (fs.FileInfo, error) { return o.info, nil }

// Read implements fs.File.
func (o *openedFolder) Read([]byte) (int, error) { return 0, errors.New("is a folder") }

// Close implements fs.File.
func (o *openedFolder) Close() error { return nil }

// ReadDir implements fs.ReadDirFile.
func (o *openedFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(o.entries)
	} else if len(o.entries) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(o.entries))
	all := o.entries[:n]
	o.entries = o.entries[n:]
	return all, nil
}
