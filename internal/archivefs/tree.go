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
	Modified time.Time // zero if unknown
	entry    any       // the keeper's data to find it

	Compressed bool // in its archive: it must be inflated for reading
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
	files  []File // sorted by path
	faults []fault.Fault
	links  []link // while it is listed
	depth  int    // of archives around this one
	whole  *Tree  // the Tree this is a part of; nil for a whole one
	around *Tree  // the Tree that contains this archive; may be nil
	inside string // its path there
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
	Virtual Kind = "virtual" // assembled by a reader, see Of
)

// keeper gives access to the files.
type keeper interface {
	list(*Tree) error
	open(*File) (Content, error)
	Close() error
}

// ErrNotATree means that a file is not a folder, tar, tar.gz or zip.
var ErrNotATree = errors.New("neither a folder nor a tar, tar.gz or zip file")

// Open opens a folder or an archive and lists its files. A file that is not an archive returns
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

// filled lists the files. If that fails, the Tree is closed.
func (t *Tree) filled() (*Tree, error) {
	if err := t.keeper.list(t); err != nil {
		return nil, errors.Join(fmt.Errorf("listing %s: %w", t.path, err), t.Close())
	}
	sort.SliceStable(t.files, func(i, j int) bool { return t.files[i].Path < t.files[j].Path })
	t.settleLinks()
	t.dropTwins()
	return t, nil
}

// Path returns the place of the source on this machine.
func (t *Tree) Path() string { return t.path }

// NameOf returns the name of a folder within the Tree. For "." it is the name of the Tree's folder
// or archive, without the archive's extension.
func (t *Tree) NameOf(root string) string {
	if root != "." {
		return path.Base(root)
	}
	full, err := filepath.Abs(t.path) // a source may be "."
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

// Around returns the Tree that contains this archive, and the archive's path in that Tree. It
// returns nil if no Tree contains this archive.
func (t *Tree) Around() (*Tree, string) { return t.around, t.inside }

// Kind returns the kind of the source.
func (t *Tree) Kind() Kind { return t.kind }

// Files returns the regular files sorted by path, byte by byte. The list belongs to the Tree.
func (t *Tree) Files() []File { return t.files }

// Faults returns the refused entries.
func (t *Tree) Faults() []fault.Fault { return t.faults }

// Find returns the file with that path, or nil.
func (t *Tree) Find(path string) *File {
	i := sort.Search(len(t.files), func(i int) bool { return t.files[i].Path >= path })
	if i < len(t.files) && t.files[i].Path == path {
		return &t.files[i]
	}
	return nil
}

// Open opens the file with that path. The error for a missing file is fs.ErrNotExist.
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

// Keep makes Close of the Tree close c too. Use it for a nested archive that a harvest still reads.
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

// refuse records why an entry is not among the files. It lists at most maxFaults entries.
func (t *Tree) refuse(code fault.Code, offset int64, format string, args ...any) {
	if len(t.faults) < maxFaults {
		t.faults = append(t.faults, fault.Fault{Code: code, Offset: offset, Detail: fmt.Sprintf(format, args...)})
		return
	}
	last := &t.faults[maxFaults-1]
	*last = fault.Fault{Code: FaultMore, Detail: "more entries were refused than are listed"}
}

// dropTwins keeps the last of several entries with one path, as unpacking would.
func (t *Tree) dropTwins() {
	kept := t.files[:0]
	for i := range t.files {
		if i+1 < len(t.files) && t.files[i].Path == t.files[i+1].Path {
			t.refuse(FaultTwin, 0, "%q occurs more than once; the last one counts", t.files[i].Path)
			continue
		}
		kept = append(kept, t.files[i])
	}
	t.files = kept
}
