package archivefs

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// folder is a source that is a folder on disk. os.Root keeps all opened files within it, even if a
// link is added meanwhile.
type folder struct {
	root *os.Root
	path string
}

func openFolder(p string) (*folder, error) {
	root, err := os.OpenRoot(p)
	if err != nil {
		return nil, err
	}
	return &folder{root, p}, nil
}

func (f *folder) list(t *Tree) error { return f.listBelow(t, ".") }

// listBelow lists one folder recursively. It does not use fs.WalkDir, which refuses names that are
// not UTF-8.
func (f *folder) listBelow(t *Tree, dir string) error {
	d, err := f.root.Open(dir)
	if err != nil {
		return err
	}
	entries, err := d.ReadDir(-1)
	if closed := d.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(filepath.ToSlash(dir), e.Name())
		switch {
		case e.IsDir():
			err = f.listBelow(t, name)
		case e.Type()&fs.ModeSymlink != 0:
			var target string
			if target, err = f.root.Readlink(name); err == nil {
				t.link(link{name: name, target: filepath.ToSlash(target),
					refusal: fmt.Sprintf("%q is %s, not a file", name, KindOf(e.Type()))})
			}
		case !e.Type().IsRegular():
			t.refuse(FaultLink, 0, "%q is %s, not a file", name, KindOf(e.Type()))
		default:
			var info fs.FileInfo
			if info, err = e.Info(); err == nil {
				t.add(File{Path: name, Size: info.Size(), Modified: info.ModTime()})
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *folder) open(file *File) (Content, error) { return f.root.Open(file.Path) }

func (f *folder) Close() error { return f.root.Close() }
