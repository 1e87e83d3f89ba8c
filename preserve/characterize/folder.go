package characterize

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"quire/internal/disk"
)

// Suffix is added to the name of a container for the document that describes it.
const Suffix = ".containermd.xml"

// Folder takes a document for each of several containers: the schema has no element around more
// than one.
type Folder struct {
	documents map[string]string // where that of each container goes
}

// NewFolder plans a document for each container, below the folder at path and by the name that the
// container has below the deepest folder that all of them share. Nothing is overwritten: when one
// of the documents is there already, the error is fs.ErrExist, and nobody has read a container in
// vain.
func NewFolder(path string, containers []string) (*Folder, error) {
	names, err := belowOneFolder(containers)
	if err != nil {
		return nil, err
	}
	f := &Folder{documents: map[string]string{}}
	for i, container := range containers {
		document := filepath.Join(path, names[i]+Suffix)
		if err := disk.Absent(document); err != nil {
			return nil, err
		}
		f.documents[container] = document
	}
	return f, nil
}

// Write makes the document of a container, whole or not at all.
func (f *Folder) Write(container string, document func(io.Writer) error) (err error) {
	path := f.documents[container]
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return disk.WriteNew(path, document)
}

// belowOneFolder names the files from the deepest folder that they all lie below: what is above it
// tells nothing apart.
func belowOneFolder(files []string) ([]string, error) {
	names := make([]string, len(files))
	top := ""
	for i, file := range files {
		var err error
		if names[i], err = filepath.Abs(file); err != nil {
			return nil, err
		}
		if i == 0 {
			top = filepath.Dir(names[i])
		}
		for !below(top, names[i]) && top != filepath.Dir(top) {
			top = filepath.Dir(top)
		}
	}
	for i := range names {
		var err error
		if names[i], err = filepath.Rel(top, names[i]); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// below says whether the file lies in the folder or deeper.
func below(folder, file string) bool {
	rel, err := filepath.Rel(folder, file)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
