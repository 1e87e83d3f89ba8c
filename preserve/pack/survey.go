package pack

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"quire/internal/archivefs"
)

// ErrNoContainer says that the sources hold nothing that can be packed: no ARC or WARC file, and no
// mirror of a website.
var ErrNoContainer = errors.New("no ARC or WARC file, and no mirror")

// survey goes through the sources before anything is done: it refuses what cannot be packed whole,
// and notes what lies there and is nothing to pack.
type survey struct {
	left omissions
}

// newSurvey goes through them. work, the folder in which the package is made, is passed over should
// it lie in a source.
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
	info, err := os.Stat(source) // a source that is a symbolic link was named on purpose
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

// regular refuses what is no file: a package is to hold all that its source holds.
func regular(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return fmt.Errorf("%s is %s, not a file: put a copy of what it stands for in its place, or leave it out", path,
		archivefs.KindOf(info.Mode()))
}
