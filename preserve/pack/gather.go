package pack

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strconv"

	"quire/preserve/folder"
	"quire/preserve/inspect"
)

// item is one file of a source, and where it goes in the package.
type item struct {
	source    string // path on this machine
	name      string // path within the source, slash-separated, as found
	dest      string // path within the package
	size      int64  // when it was gathered
	container bool
}

// ErrNoContainer says that the sources hold no ARC or WARC file.
var ErrNoContainer = errors.New("no ARC or WARC file")

// gather lists the files of the sources: containers first, each group sorted by its path in the package.
func gather(sources []string) ([]item, error) {
	var items []item
	prefixes := prefixesOf(sources)
	for i, source := range sources {
		found, err := gatherOne(source, prefixes[i])
		if err != nil {
			return nil, err
		}
		items = append(items, found...)
	}
	containers := 0
	for i := range items {
		if items[i].container {
			containers++
		}
	}
	if containers == 0 {
		return nil, fmt.Errorf("%w in %s: give a container or a folder that holds some", ErrNoContainer, join(sources))
	}
	sort.Slice(items, func(i, j int) bool {
		if items[i].container != items[j].container {
			return items[i].container
		}
		return items[i].dest < items[j].dest
	})
	for i := 1; i < len(items); i++ {
		if items[i].dest == items[i-1].dest {
			return nil, fmt.Errorf("%s and %s would both be %s in the package: give the folder that holds them", items[i-1].source, items[i].source, items[i].dest)
		}
	}
	return items, nil
}

func join(sources []string) string {
	if len(sources) == 1 {
		return sources[0]
	}
	return fmt.Sprintf("%s and %d more", sources[0], len(sources)-1)
}

// prefixesOf gives each source the folder that its files go in: none when there is one source, or when all are files of
// different names; otherwise the source's name, with a number where names repeat.
func prefixesOf(sources []string) []string {
	prefixes := make([]string, len(sources))
	if len(sources) == 1 {
		return prefixes
	}
	names := map[string]bool{}
	flat := true
	for _, source := range sources {
		name := filepath.Base(filepath.Clean(source))
		info, err := os.Stat(source)
		flat = flat && !names[name] && err == nil && !info.IsDir()
		names[name] = true
	}
	if flat {
		return prefixes
	}
	used := map[string]int{}
	for i, source := range sources {
		name := baseName(source)
		used[name]++
		prefixes[i] = name
		if n := used[name]; n > 1 {
			prefixes[i] = name + "-" + strconv.Itoa(n)
		}
	}
	return prefixes
}

// baseName is the name of a source, also when it was given as "." or with a slash at its end.
func baseName(source string) string {
	if abs, err := filepath.Abs(source); err == nil {
		source = abs
	}
	return filepath.Base(source)
}

func gatherOne(source, prefix string) ([]item, error) {
	info, err := os.Stat(source) // a source that is a symbolic link was named on purpose
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		it, err := newItem(source, path.Join(prefix, filepath.Base(source)), info)
		return []item{it}, err
	}
	var items []item
	err = filepath.WalkDir(source, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(source, p)
		if err != nil {
			return err
		}
		it, err := newItem(p, path.Join(prefix, filepath.ToSlash(name)), info)
		items = append(items, it)
		return err
	})
	return items, err
}

// newItem looks at one file to see whether it is a container.
func newItem(source, name string, info fs.FileInfo) (item, error) {
	if !info.Mode().IsRegular() {
		return item{}, fmt.Errorf("%s is a %s, not a file: put a copy of what it stands for in its place, or leave it out", source, modeName(info.Mode()))
	}
	container, err := inspect.IsContainer(source)
	if err != nil {
		return item{}, err
	}
	parent := folder.LogsDir
	if container {
		parent = folder.ContainersDir
	}
	return item{source: source, name: name, dest: path.Join(parent, safeName(name)), size: info.Size(), container: container}, nil
}

func modeName(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "symbolic link"
	case m&fs.ModeDevice != 0:
		return "device"
	case m&fs.ModeNamedPipe != 0:
		return "named pipe"
	case m&fs.ModeSocket != 0:
		return "socket"
	}
	return "special file"
}
