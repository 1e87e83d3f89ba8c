package characterize

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"quire/internal/disk"
)

// Suffix is added to the name of a container to name its containerMD document.
const Suffix = ".containermd.xml"

// Folder writes a separate document for each of several containers: the schema has no element for
// more than one.
type Folder struct {
	documents map[string]string // path of each container's document
}

// NewFolder plans a document for each container, below the folder at path. Its name is the
// container's path below the deepest common folder of all containers. Nothing is overwritten: if
// one of the documents exists, the error is fs.ErrExist, before any container is read.
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

// Write makes the document of a container. It appears only when it is complete.
func (f *Folder) Write(container string, document func(io.Writer) error) (err error) {
	path := f.documents[container]
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return disk.WriteNew(path, document)
}

// belowOneFolder returns the paths of the files below their deepest common folder.
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

// below reports whether the file is in the folder or deeper.
func below(folder, file string) bool {
	rel, err := filepath.Rel(folder, file)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
