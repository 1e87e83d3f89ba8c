package inspect

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	containers "quire/source/records"
)

// containerName is how the names of containers end, also while a crawler still writes them.
var containerName = regexp.MustCompile(`(?i)\.w?arc(\.gz|\.zst)?(\.open)?$`)

// IsContainer says whether the file at path is to be treated as a container: it begins like one, or
// has the name of one, in which case the pass will say what is wrong with it. The error is one of
// opening the file.
func IsContainer(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }() // it was only read
	return Recognise(path, f), nil
}

// Recognise says the same of a file that is open, from its beginning on.
func Recognise(name string, content io.Reader) bool {
	if containerName.MatchString(name) {
		return true
	}
	head := make([]byte, containers.Window)
	n, _ := io.ReadFull(content, head) // a file may be shorter; an error of the disk comes again when the file is read
	return containers.Begins(head[:n]) != containers.None
}

// Find lists the containers that the paths stand for: a file stands for itself, a folder for those
// below it, in the order of their names. A file that several paths or links lead to is listed once:
// compared with itself, each of its records would seem to be there twice.
func Find(paths []string) ([]string, error) {
	var found []string
	listed := map[string]bool{}
	add := func(p string) error {
		full, err := filepath.Abs(p)
		if err != nil {
			return err
		}
		if target, err := filepath.EvalSymlinks(full); err == nil { // of a link to nothing, the pass will say so
			full = target
		}
		if !listed[full] {
			listed[full] = true
			found = append(found, p)
		}
		return nil
	}
	for _, p := range paths {
		info, err := os.Stat(p)
		switch {
		case err != nil:
		case info.IsDir():
			err = findBelow(p, add)
		default:
			err = add(p)
		}
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// findBelow adds the containers of a folder. Links to files are followed: a folder of links is how
// one puts the files of a collection together. Links to folders are not, as they may lead round in
// a circle.
func findBelow(folder string, add func(path string) error) error {
	// With the separator, the folder itself may be a link: whoever names one wants what is behind
	// it.
	return filepath.WalkDir(folder+string(filepath.Separator), func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		kind := d.Type()
		if kind&fs.ModeSymlink != 0 {
			info, err := os.Stat(p)
			if err != nil && containerName.MatchString(p) {
				return add(p) // a container that is lost is not passed over in silence
			}
			if err != nil {
				return nil //nolint:nilerr // a link that leads nowhere holds no record
			}
			kind = info.Mode()
		}
		if !kind.IsRegular() {
			return nil
		}
		yes, err := IsContainer(p)
		if yes || err != nil { // what cannot be opened may be one, and the pass says why it is not read
			return add(p)
		}
		return nil
	})
}
