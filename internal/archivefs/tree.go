package archivefs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"quire/format/fault"
)

// File is one regular file of a Tree.
type File struct {
	Path     string    // slash-separated, relative, without "." and ".."; bytes as found
	Size     int64     // bytes
	Modified time.Time // zero when the archive does not say
	entry    any       // the keeper finds it again by this

	Compressed bool // by the archive it lies in: it must be inflated to be read
}

// Content is an opened file.
type Content interface {
	io.Reader
	io.Seeker
	io.ReaderAt
	io.Closer
}

// Tree is an opened source.
type Tree struct {
	path   string
	kind   Kind
	keeper keeper
	files  []File // in the order of their paths
	faults []fault.Fault
	depth  int    // of archives around this one
	whole  *Tree  // of which this is a part; nil of a whole one
	around *Tree  // in which this archive lies; nil when it lies in none
	inside string // path of it there
	within []io.Closer
}

// Kind is the kind of a source.
type Kind string

// The kinds.
const (
	Folder  Kind = "folder"
	Tar     Kind = "tar"
	TarGzip Kind = "tar.gz"
	Zip     Kind = "zip"
	Virtual Kind = "virtual" // put together by a reader, see Of
)

// keeper is where the files are.
type keeper interface {
	list(*Tree) error
	open(*File) (Content, error)
	Close() error
}

// ErrNotATree says that a file is neither tar nor zip.
var ErrNotATree = errors.New("neither a folder nor a tar, tar.gz or zip file")

// Open opens a folder or an archive and lists its files. A file that is no archive gives
// ErrNotATree.
func Open(path string) (*Tree, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	t := &Tree{path: path}
	if info.IsDir() {
		t.kind = Folder
		t.keeper, err = openFolder(path)
	} else {
		t.kind, t.keeper, err = openArchive(path)
	}
	if err != nil {
		return nil, err
	}
	return t.filled()
}

// filled lists the files. When that fails, the Tree is closed.
func (t *Tree) filled() (*Tree, error) {
	if err := t.keeper.list(t); err != nil {
		return nil, errors.Join(fmt.Errorf("listing %s: %w", t.path, err), t.Close())
	}
	sort.SliceStable(t.files, func(i, j int) bool { return t.files[i].Path < t.files[j].Path })
	t.dropTwins()
	return t, nil
}

// Path is where the source lies on this machine.
func (t *Tree) Path() string { return t.path }

// NameOf returns the name of a folder within: its own name; of ".", the name of the folder or
// archive that the Tree is, without the ending of archives.
func (t *Tree) NameOf(root string) string {
	if root != "." {
		return path.Base(root)
	}
	full, err := filepath.Abs(t.path) // a source may be given as "."
	if err != nil {
		full = t.path
	}
	name := filepath.Base(full)
	for _, suffix := range []string{".tar.gz", ".tgz", ".tar", ".zip", ".wacz"} {
		if short, ok := strings.CutSuffix(name, suffix); ok && t.kind != Folder {
			return short
		}
	}
	return name
}

// Around gives the Tree in which this archive lies, and its path there; nil when it lies in none.
func (t *Tree) Around() (*Tree, string) { return t.around, t.inside }

// Kind returns the kind of the source.
func (t *Tree) Kind() Kind { return t.kind }

// Files lists the regular files in the order of their paths, byte by byte. The list is the Tree's
// own.
func (t *Tree) Files() []File { return t.files }

// Faults lists the refused entries.
func (t *Tree) Faults() []fault.Fault { return t.faults }

// Find gives the file of that path, nil when there is none.
func (t *Tree) Find(path string) *File {
	i := sort.Search(len(t.files), func(i int) bool { return t.files[i].Path >= path })
	if i < len(t.files) && t.files[i].Path == path {
		return &t.files[i]
	}
	return nil
}

// Open opens the file of that path. The error of one that is not there is fs.ErrNotExist.
func (t *Tree) Open(path string) (Content, error) {
	f := t.Find(path)
	if f == nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	c, err := t.keeper.open(f)
	if err != nil {
		return nil, fmt.Errorf("%s in %s: %w", path, t.path, err)
	}
	return c, nil
}

// Keep closes c when the Tree is closed: an archive within it that a harvest goes on reading from.
func (t *Tree) Keep(c io.Closer) {
	for t.whole != nil {
		t = t.whole
	}
	t.within = append(t.within, c)
}

// Close closes the archive, and its temporary files.
func (t *Tree) Close() error {
	var all error
	for _, c := range t.within {
		all = errors.Join(all, c.Close())
	}
	t.within = nil
	return errors.Join(all, t.keeper.Close())
}

func (t *Tree) add(f File) { t.files = append(t.files, f) }

// refuse keeps why an entry is not among the files. At most maxFaults are kept one by one.
func (t *Tree) refuse(code fault.Code, offset int64, format string, args ...any) {
	if len(t.faults) < maxFaults {
		t.faults = append(t.faults, fault.Fault{Code: code, Offset: offset, Detail: fmt.Sprintf(format, args...)})
		return
	}
	last := &t.faults[maxFaults-1]
	*last = fault.Fault{Code: FaultMore, Detail: "more entries were refused than are listed"}
}

// dropTwins keeps the last of several entries of one path, as unpacking would.
func (t *Tree) dropTwins() {
	kept := t.files[:0]
	for i := range t.files {
		if i+1 < len(t.files) && t.files[i].Path == t.files[i+1].Path {
			t.refuse(FaultTwin, 0, "%q is there more than once; the last one counts", t.files[i].Path)
			continue
		}
		kept = append(kept, t.files[i])
	}
	t.files = kept
}
