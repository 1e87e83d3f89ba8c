package inspect

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	containers "quire/source/records"
)

// containerName matches the names of containers, including containers of a running crawl.
var containerName = regexp.MustCompile(`(?i)\.w?arc(\.gz|\.zst)?(\.open)?$`)

// IsContainer reports whether the file at path must be treated as a container: it begins like one,
// or has the name of one. The pass reports the problems of a file that only has the name. The error
// is from opening the file.
func IsContainer(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }() // it was only read
	return Recognise(path, f), nil
}

// Recognise is like IsContainer for an open file, from its beginning.
func Recognise(name string, content io.Reader) bool {
	if containerName.MatchString(name) {
		return true
	}
	head := make([]byte, containers.Window)
	n, _ := io.ReadFull(content, head) // a file may be shorter; disk errors recur when it is read
	return containers.Begins(head[:n]) != containers.None
}

// Find lists the containers at the paths: a file itself, or the files below a folder, in the order
// of their names. A file that several paths or links lead to is listed once. Otherwise each of its
// records would seem to occur twice.
func Find(paths []string) ([]string, error) {
	var found []string
	listed := map[string]bool{}
	add := func(p string) error {
		full, err := filepath.Abs(p)
		if err != nil {
			return err
		}
		if target, err := filepath.EvalSymlinks(full); err == nil { // the pass reports a broken link
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

// findBelow adds the containers of a folder. It follows links to files, because a folder of links
// is a way to group the files of a collection. It does not follow links to folders, because they
// may form a circle.
func findBelow(folder string, add func(path string) error) error {
	// With the separator, the folder itself may be a link: its user means the target.
	return filepath.WalkDir(folder+string(filepath.Separator), func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		kind := d.Type()
		if kind&fs.ModeSymlink != 0 {
			info, err := os.Stat(p)
			if err != nil && containerName.MatchString(p) {
				return add(p) // the pass reports a missing container
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
		if yes || err != nil { // an unreadable file may be a container, and the pass reports it
			return add(p)
		}
		return nil
	})
}
