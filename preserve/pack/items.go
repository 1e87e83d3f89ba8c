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

// item is one file that will be in the package, and where it comes from.
type item struct {
	convert.Step
	group group
	dest  string // path within the package
}

// group is a group of files in the package: the fileGrp of its METS that they stand in, in this
// order.
type group int

// The groups.
const (
	containers    group = iota // containers, as received or made by normalizing
	originals                  // what was normalized
	others                     // logs, reports, configurations, and what else lay there
	documentation              // what describes the harvest, as its source or the caller has it
	groups        = iota
)

// folderOf is the folder of the package in which a group lies.
var folderOf = [groups]string{aip.ContainersDir, aip.OriginalsDir, aip.LogsDir, aip.DocumentsDir}

// useOf is what METS calls a group.
var useOf = [groups]string{aip.UseContainers, aip.UseOriginals, aip.UseLogs, aip.UseDocuments}

// listing is what a package will hold.
type listing struct {
	items   []item
	left    []string          // what is not packed, for the record
	secrets map[string]string // by the place of an archive, why it must not be shown to everyone
}

// listFiles decides where each file goes: containers first, each group in the order of its paths in
// the package.
func listFiles(p *convert.Plan, keep Keep, documents []string) (*listing, error) {
	l := &listing{secrets: map[string]string{}}
	mirrors := mirrorsOf(p)
	archives := map[string]bool{} // that are kept whole, by their place on disk
	for _, s := range p.Steps {
		if why := s.File.Restricted; why != "" && isArchive(s.Tree) && l.secrets[s.Tree.Path()] == "" {
			l.secrets[s.Tree.Path()] = why
		}
		if s.Mirror != nil && isArchive(s.Tree) && keep.mirrors() {
			archives[s.Tree.Path()] = true
		}
	}
	for _, s := range p.Steps {
		l.step(s, keep, mirrors, archives)
	}
	if err := l.documents(documents); err != nil {
		return nil, err
	}
	return l, l.place()
}

// mirrorsOf tells the harvests that are mirrors: all their files are the original of what is made
// of them.
func mirrorsOf(p *convert.Plan) map[int]bool {
	mirrors := map[int]bool{}
	for _, s := range p.Steps {
		if s.Mirror != nil {
			mirrors[s.Harvest] = true
		}
	}
	return mirrors
}

// isArchive says whether a Tree is a file itself.
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
		l.add(s, besides(s.File.Role)) // the archive, if it is kept, does not show it
	case keep.mirrors():
		if !isArchive(s.Tree) {
			l.add(s, originals)
		}
	case documents(s.File.Role):
		l.add(s, besides(s.File.Role))
	default:
		l.leave(s, "what it holds is in the WARC of its harvest, as far as it is content")
	}
}

// besides is the group of a file that lies beside containers.
func besides(r model.Role) group {
	if r == model.RoleDescription {
		return documentation
	}
	return others
}

// archive keeps an archive as it is, or says that what lay in it stands by itself.
func (l *listing) archive(s convert.Step, keep bool) {
	if keep {
		l.add(s, originals)
		return
	}
	l.leave(s, "its files are packed one by one")
}

// bytes is how much is to be read.
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

// documents lists the files about the harvests that the caller gave.
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

func (l *listing) add(s convert.Step, g group) {
	name := s.Name
	if s.Output != "" {
		name = s.Output
	}
	l.items = append(l.items, item{Step: s, group: g, dest: path.Join(folderOf[g], portable.Name(name))})
}

// place puts the items in order, and makes sure that no two get one name.
func (l *listing) place() error {
	l.sort()
	apart := portable.Cases{}
	for i := range l.items {
		dest := apart.Distinct(l.items[i].dest)
		if part := portable.TooLong(dest); part != "" {
			return fmt.Errorf("%s: %.40q… is %d bytes long in the package, and a name may have %d: rename it",
				l.items[i].Name, part, len(part), portable.Longest)
		}
		if name := l.items[i].Name; strings.HasSuffix(dest, name) {
			l.items[i].Name = dest[len(dest)-len(name):] // one string in memory, not two
		}
		l.items[i].dest = dest
	}
	l.sort() // what had to be told apart has another name now
	for i := 1; i < len(l.items); i++ {
		if a, b := &l.items[i-1], &l.items[i]; a.dest == b.dest {
			return fmt.Errorf("%s and %s would both be %s in the package: rename one of them", a.Name, b.Name, a.dest)
		}
	}
	return nil
}

// sort puts the groups one after the other, and each in the order of the paths in the package.
func (l *listing) sort() {
	sort.Slice(l.items, func(i, j int) bool {
		if l.items[i].group != l.items[j].group {
			return l.items[i].group < l.items[j].group
		}
		return l.items[i].dest < l.items[j].dest
	})
}

// Keep says which originals are packed beside what was made of them.
type Keep string

// The choices.
const (
	// KeepNeeded keeps mirrors, and what cannot be made again from what it became.
	KeepNeeded Keep = ""
	KeepAlways Keep = "always"
	KeepARC    Keep = "arc"    // every ARC, and no mirror
	KeepMirror Keep = "mirror" // every mirror, and no ARC
	KeepNever  Keep = "never"
)

func (k Keep) mirrors() bool { return k == KeepNeeded || k == KeepAlways || k == KeepMirror }

// arc says whether an ARC is kept that can, or cannot, be made again.
func (k Keep) arc(restorable bool) bool {
	return k == KeepAlways || k == KeepARC || k == KeepNeeded && !restorable
}

// check refuses what is no choice.
func (k Keep) check() error {
	switch k {
	case KeepNeeded, KeepAlways, KeepARC, KeepMirror, KeepNever:
		return nil
	}
	return fmt.Errorf("originals cannot be kept %q: say always, arc, mirror or never", string(k))
}

// documents says whether a file tells what was harvested.
func documents(r model.Role) bool {
	switch r {
	case model.RoleLog, model.RoleReport, model.RoleConfiguration, model.RoleDescription, model.RoleIndex:
		return true
	}
	return false
}
