package pack

import (
	"fmt"
	"path"
	"path/filepath"
	"sort"
	"strings"

	"quire/internal/archivefs"
	"quire/internal/portable"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/convert"
)

// item is one file for the package, with its source.
type item struct {
	convert.Step
	group group
	dest  string // path within the package
}

// group is a group of files in the package: their fileGrp in the METS, in this order.
type group int

// The groups.
const (
	containers    group = iota // containers, as received or made by normalizing
	originals                  // the sources of normalized containers
	others                     // logs, reports, configurations, and other files
	documentation              // descriptions of the harvest, from its source or the caller
	groups        = iota
)

// folderOf maps a group to its folder in the package.
var folderOf = [groups]string{aip.ContainersDir, aip.OriginalsDir, aip.LogsDir, aip.DocumentsDir}

// useOf maps a group to its USE in METS.
var useOf = [groups]string{aip.UseContainers, aip.UseOriginals, aip.UseLogs, aip.UseDocuments}

// listing lists the files of a package.
type listing struct {
	items   []item
	left    []string          // files that are not packed, with the reason
	secrets map[string]string // place of an archive: why it must be restricted
}

// listFiles decides the place of each file: containers first, each group in the order of its paths
// in the package.
func listFiles(p *convert.Plan, keep Keep, documents []string) (*listing, error) {
	l := &listing{secrets: map[string]string{}}
	mirrors := mirrorsOf(p)
	archives := map[string]bool{} // archives that are kept whole, by their place on disk
	for s := range p.Steps() {
		if why := s.File.Restricted; why != "" && isArchive(s.Tree) && l.secrets[s.Tree.Path()] == "" {
			l.secrets[s.Tree.Path()] = why
		}
		if s.Mirror != nil && isArchive(s.Tree) && keep.mirrors() {
			archives[s.Tree.Path()] = true
		}
	}
	for s := range p.Steps() {
		l.step(s, keep, mirrors, archives)
	}
	if err := l.documents(documents); err != nil {
		return nil, err
	}
	return l, l.place()
}

// mirrorsOf returns the harvests that are mirrors: all their files are originals of their WARC.
func mirrorsOf(p *convert.Plan) map[int]bool {
	mirrors := map[int]bool{}
	for s := range p.Steps() {
		if s.Mirror != nil {
			mirrors[s.Harvest] = true
		}
	}
	return mirrors
}

// isArchive reports whether a Tree is a file itself.
func isArchive(t *archivefs.Tree) bool {
	return t.Kind() != archivefs.Folder && t.Kind() != archivefs.Virtual
}

func (l *listing) step(s convert.Step, keep Keep, mirrors map[int]bool, archives map[string]bool) {
	switch {
	case s.Output != "" || s.Action == convert.Unreadable:
		l.add(s, containers)
	case s.Action == convert.Opened:
		place := path.Join(s.Tree.Path(), s.File.Path)
		s.File.Restricted = l.secrets[place]
		l.archive(s, archives[place] || keep == KeepAlways)
	case !mirrors[s.Harvest]:
		l.add(s, besides(s.File.Role))
	case isArchive(s.Tree) && documents(s.File.Role):
		l.add(s, besides(s.File.Role)) // a kept archive does not show the file
	case keep.mirrors():
		if !isArchive(s.Tree) {
			l.addAt(s, ofMirror(s.File.Role), aip.OriginalsDir)
		}
	case documents(s.File.Role):
		l.add(s, besides(s.File.Role))
	default:
		l.leave(s, "what it holds is in the WARC of its harvest, as far as it is content")
	}
}

// besides returns the group of a file that accompanies containers. An index of the source describes
// its containers; it is no log.
func besides(r model.Role) group {
	if r == model.RoleDescription || r == model.RoleIndex {
		return documentation
	}
	return others
}

// ofMirror returns the group of a file of a mirror that is kept whole. Its logs are logs, although
// they are in the folder of the originals.
func ofMirror(r model.Role) group {
	switch r {
	case model.RoleLog, model.RoleReport, model.RoleConfiguration:
		return others
	}
	return originals
}

// archive keeps an archive, or records that its files are packed individually.
func (l *listing) archive(s convert.Step, keep bool) {
	if keep {
		l.add(s, originals)
		return
	}
	l.leave(s, "its files are packed one by one")
}

// bytes returns the number of bytes to read.
func (l *listing) bytes() int64 {
	total := int64(0)
	for i := range l.items {
		total += l.items[i].File.Size
	}
	return total
}

func (l *listing) leave(s convert.Step, why string) {
	l.left = append(l.left, fmt.Sprintf("%s, %d bytes: %s", s.Name, s.File.Size, why))
}

// documents adds the files about the harvests that the caller named.
func (l *listing) documents(paths []string) error {
	for _, p := range paths {
		t, err := archivefs.Single(p)
		if err != nil {
			return err
		}
		name := filepath.Base(p)
		f := t.Find(name)
		l.add(convert.Step{
			Harvest: -1, Tree: t, Name: name, Modified: f.Modified,
			File: model.SourceFile{Path: name, Size: f.Size, Role: model.RoleDescription},
		}, documentation)
	}
	return nil
}

// add adds a file to the folder of its group.
func (l *listing) add(s convert.Step, g group) { l.addAt(s, g, folderOf[g]) }

// addAt adds a file to a folder of the package.
func (l *listing) addAt(s convert.Step, g group, folder string) {
	name := s.Name
	if s.Output != "" {
		name = s.Output
	}
	l.items = append(l.items, item{Step: s, group: g, dest: path.Join(folder, portable.Name(name))})
}

// place sorts the items, and ensures that no two have the same path.
func (l *listing) place() error {
	l.sort()
	apart := portable.Cases{}
	for i := range l.items {
		dest := portable.Shorten(apart.Distinct(l.items[i].dest))
		if name := l.items[i].Name; strings.HasSuffix(dest, name) {
			l.items[i].Name = dest[len(dest)-len(name):] // one string in memory, not two
		}
		l.items[i].dest = dest
	}
	l.sort() // renamed items sort differently
	for i := 1; i < len(l.items); i++ {
		if a, b := &l.items[i-1], &l.items[i]; a.dest == b.dest {
			return fmt.Errorf("%s and %s would both be %s in the package: rename one of them", a.Name, b.Name, a.dest)
		}
	}
	return nil
}

// sort sorts by group, and then by path in the package.
func (l *listing) sort() {
	sort.Slice(l.items, func(i, j int) bool {
		if l.items[i].group != l.items[j].group {
			return l.items[i].group < l.items[j].group
		}
		return l.items[i].dest < l.items[j].dest
	})
}

// Keep selects the originals that are packed with their conversions.
type Keep string

// The choices.
const (
	// KeepNeeded keeps mirrors, and ARCs that cannot be restored from their WARC.
	KeepNeeded Keep = ""
	KeepAlways Keep = "always"
	KeepARC    Keep = "arc"    // every ARC, and no mirror
	KeepMirror Keep = "mirror" // every mirror, and no ARC
	KeepNever  Keep = "never"
)

func (k Keep) mirrors() bool { return k == KeepNeeded || k == KeepAlways || k == KeepMirror }

// arc reports whether an ARC is kept; restorable means that it can be restored from its WARC.
func (k Keep) arc(restorable bool) bool {
	return k == KeepAlways || k == KeepARC || k == KeepNeeded && !restorable
}

// check rejects invalid values.
func (k Keep) check() error {
	switch k {
	case KeepNeeded, KeepAlways, KeepARC, KeepMirror, KeepNever:
		return nil
	}
	return fmt.Errorf("%q is not a choice for keeping originals: use always, arc, mirror or never", string(k))
}

// documents reports whether a file documents the harvest.
func documents(r model.Role) bool {
	switch r {
	case model.RoleLog, model.RoleReport, model.RoleConfiguration, model.RoleDescription, model.RoleIndex:
		return true
	}
	return false
}
