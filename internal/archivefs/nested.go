package archivefs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// maxDepth is how many archives may lie in one another: a collection of jobs, each a zip, with a
// tarball in it. An archive that holds itself ends there.
const maxDepth = 4

// ErrDepth says that more archives lie in one another than are opened.
var ErrDepth = errors.New("more archives lie in one another than are opened")

// Nested opens an archive that lies in the Tree, as a Tree of its own: a tarball of PANDAS, a WACZ,
// the zip of a mirror. Its Path is that of this Tree and the archive's within it. The one it lies
// in must stay open. A file that is no archive gives ErrNotATree.
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

// Single makes a Tree of one file on the disk that is no archive: a container without anything
// beside it. Its path is the file's name.
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
