package pack

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"quire/internal/archivefs"
)

// ErrNoContainer reports that the sources have neither a container nor a mirror.
var ErrNoContainer = errors.New("no ARC or WARC file, and no mirror")

// survey walks through the sources before any work. It rejects files that cannot be packed
// completely, and records those that are not packed.
type survey struct {
	left omissions
}

// newSurvey walks through the sources. It skips work, the folder in which the package is made, if
// this folder is within a source.
func newSurvey(sources []string, work string) (*survey, error) {
	if err := checkOverlap(sources); err != nil {
		return nil, err
	}
	s := &survey{}
	for _, source := range sources {
		if err := s.source(source, work); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *survey) source(source, work string) error {
	info, err := os.Stat(source) // a source may be a symbolic link: it was named explicitly
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return regular(source, info)
	}
	w, err := newWalk(source, work)
	if err != nil {
		return err
	}
	w.found = s
	if err := filepath.WalkDir(w.root, w.visit); err != nil {
		return err
	}
	w.pass(w.root)
	return nil
}

// regular rejects anything but regular files: a package must contain its whole source.
func regular(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return fmt.Errorf("%s is %s, not a file: replace it with a copy of its target, or leave it out", path,
		archivefs.KindOf(info.Mode()))
}
