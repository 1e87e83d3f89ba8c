package pack

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"quire/preserve/folder"
	"quire/preserve/inspect"
	"quire/preserve/internal/disk"
	"quire/preserve/internal/portable"
)

// item is one file of a source, and where it goes in the package.
type item struct {
	source    string // path on this machine
	name      string // path within the source, slash-separated, as found
	dest      string // path within the package
	size      int64  // when it was gathered
	modified  time.Time
	container bool
}

// ErrNoContainer says that the sources hold no ARC or WARC file.
var ErrNoContainer = errors.New("no ARC or WARC file")

// gathered is what lies in the sources.
type gathered struct {
	items      []item
	containers int
	left       omissions
}

// gather lists the files of the sources: containers first, each group sorted by its path in the package. The folder in which
// the package is made is passed over, should it lie in a source.
func gather(sources []string, work string) (*gathered, error) {
	if err := checkOverlap(sources); err != nil {
		return nil, err
	}
	g := &gathered{}
	prefixes := prefixesOf(sources)
	for i, source := range sources {
		if err := g.source(source, prefixes[i], work); err != nil {
			return nil, err
		}
	}
	if g.containers == 0 {
		return nil, fmt.Errorf("%w in %s: give a container or a folder that holds some", ErrNoContainer, join(sources))
	}
	g.sort()
	apart := portable.Cases{}
	for i := range g.items {
		g.items[i].dest = apart.Distinct(g.items[i].dest)
	}
	g.sort() // what had to be told apart has another name now
	for i := 1; i < len(g.items); i++ {
		if a, b := &g.items[i-1], &g.items[i]; a.dest == b.dest {
			return nil, fmt.Errorf("%s and %s would both be %s in the package: rename one of them", a.source, b.source, a.dest)
		}
	}
	return g, nil
}

// sort puts containers first, and each group in the order of the paths in the package.
func (g *gathered) sort() {
	sort.Slice(g.items, func(i, j int) bool {
		if g.items[i].container != g.items[j].container {
			return g.items[i].container
		}
		return g.items[i].dest < g.items[j].dest
	})
}

func (g *gathered) source(source, prefix, work string) error {
	info, err := os.Stat(source) // a source that is a symbolic link was named on purpose
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return g.add(source, path.Join(prefix, filepath.Base(source)), info)
	}
	w, err := newWalk(source, prefix, work)
	if err != nil {
		return err
	}
	w.found = g
	if err := filepath.WalkDir(w.root, w.visit); err != nil {
		return err
	}
	w.pass(w.root)
	return nil
}

// add looks at one file to see whether it is a container.
func (g *gathered) add(source, name string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is a %s, not a file: put a copy of what it stands for in its place, or leave it out", source, disk.ModeName(info.Mode()))
	}
	container, err := inspect.IsContainer(source)
	if err != nil {
		return err
	}
	parent := folder.LogsDir
	if container {
		parent = folder.ContainersDir
		g.containers++
	}
	dest := path.Join(parent, portable.Name(name))
	if part := portable.TooLong(dest); part != "" {
		return fmt.Errorf("%s: %.40q… is %d bytes long in the package, and a name may have %d: rename it", source, part, len(part), portable.Longest)
	}
	if strings.HasSuffix(dest, name) {
		name = dest[len(dest)-len(name):] // one string in memory, not two
	}
	g.items = append(g.items, item{source: source, name: name, dest: dest, size: info.Size(), modified: info.ModTime(), container: container})
	return nil
}
