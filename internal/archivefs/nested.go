package archivefs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// maxDepth is how many archives may be nested: a collection of jobs, each a zip, with a tarball in
// it. It also ends an archive that contains itself.
const maxDepth = 4

// ErrDepth means that archives are nested too deeply to open.
var ErrDepth = errors.New("archives are nested too deeply")

// Nested opens an archive within the Tree as its own Tree: a tarball of PANDAS, a WACZ, the zip of
// a mirror. Its Path is the path of this Tree plus the archive's path within it. The outer Tree
// must stay open. A file that is not an archive returns ErrNotATree.
func (t *Tree) Nested(path string) (*Tree, error) {
	if t.depth+1 >= maxDepth {
		return nil, fmt.Errorf("%s in %s: %w", path, t.path, ErrDepth)
	}
	content, err := t.Open(path)
	if err != nil {
		return nil, err
	}
	n := &Tree{path: filepath.Join(t.path, path), depth: t.depth + 1, around: t, inside: path}
	n.kind, n.keeper, err = archiveOf(archive{content, t.Find(path).Size})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s in %s: %w", path, t.path, err), content.Close())
	}
	return n.filled()
}

// Single returns a Tree of one file on disk that is not an archive: a container without companion
// files. Its path is the file's name.
func Single(path string) (*Tree, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is %s, not a file", path, KindOf(info.Mode()))
	}
	open := func() (Content, error) { return os.Open(path) }
	name := filepath.Base(path)
	return Of(filepath.Dir(path), []Part{{File{Path: name, Size: info.Size(), Modified: info.ModTime()}, open}}, nil),
		nil
}
