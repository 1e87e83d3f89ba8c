package bare

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
	"quire/source/records"
)

// Reader finds and reads containers without documentation.
type Reader struct{}

var _ source.Reader = Reader{}

// Name returns "bare-containers".
func (Reader) Name() string { return string(model.Bare) }

// Find claims each group of containers as a harvest. A group has containers of one folder with a
// common prefix, by the naming habits of crawlers, and of one run, as far as their numbers show.
// The other containers of a folder form one group. An index or checksum list belongs to the
// container that it is named after; one for a whole folder belongs to each harvest in it.
func (r Reader) Find(ctx context.Context, t *archivefs.Tree) ([]source.Claim, error) {
	groups, err := gather(ctx, t)
	if err != nil {
		return nil, err
	}
	addCompanions(t, groups)
	var claims []source.Claim
	for _, g := range groups {
		claims = append(claims, source.Claim{Reader: r.Name(), Root: g.folder, Why: []string{g.why()}, Files: g.files(),
			Read: func(ctx context.Context) (source.Harvest, error) { return read(ctx, t, g) }})
	}
	return claims, nil
}

// container is one container with the facts from its name. The name is the file name or, if that
// follows no known pattern, the original name in the first record.
type container struct {
	path    string
	name    name
	renamed bool // name is not the file name
}

// group has the containers of one harvest, and the files beside the containers.
type group struct {
	folder     string
	prefix     string // "" if the names follow no known pattern
	maker      string // software that wrote the containers, if their names follow no pattern
	run        int    // from 1, if one prefix has several runs; else 0
	nth        int    // from 2, for groups of one folder without a name pattern
	containers []container
	companions []model.SourceFile
}

func (g *group) files() []string {
	var all []string
	for _, c := range g.containers {
		all = append(all, c.path)
	}
	for _, c := range g.companions {
		all = append(all, c.Path)
	}
	slices.Sort(all)
	return all
}

// why returns the reason for treating these containers as a harvest.
func (g *group) why() string {
	switch n := len(g.containers); {
	case n == 1:
		return g.containers[0].path + " is a container without a log or configuration"
	case g.prefix == "":
		why := fmt.Sprintf("%d containers are in one folder, and neither their names nor a log shows "+
			"which of them belong together", n)
		if g.maker != "" {
			why += "; " + g.maker + " wrote them all"
		}
		return why
	case g.run > 0:
		return fmt.Sprintf("%d containers with names that begin with %q, of run %d: their numbers restart", n, g.prefix,
			g.run)
	default:
		return fmt.Sprintf("%d containers with names that begin with %q: %s", n, g.prefix, g.containers[0].name.Habit)
	}
}

// gather groups the containers of a Tree, in the order of their folders and names.
func gather(ctx context.Context, t *archivefs.Tree) ([]*group, error) {
	type key struct{ folder, prefix, maker string }
	byKey := map[key]*group{}
	var groups []*group
	for _, f := range t.Files() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		is, err := isContainer(t, f.Path)
		if err != nil {
			return nil, err
		}
		if !is {
			continue
		}
		c := container{path: f.Path, name: parseName(f.Path)}
		k := key{path.Dir(f.Path), c.name.Prefix, ""}
		if k.prefix == "" {
			if k.maker, err = c.askRecord(t); err != nil {
				return nil, err
			}
			k.prefix = c.name.Prefix
		}
		if byKey[k] == nil {
			byKey[k] = &group{folder: k.folder, prefix: k.prefix, maker: k.maker}
			groups = append(groups, byKey[k])
		}
		byKey[k].containers = append(byKey[k].containers, c)
	}
	return number(groups), nil
}

// number splits groups with several runs, and numbers the groups of one folder that have no name of
// their own.
func number(groups []*group) []*group {
	unnamed := map[string]int{}
	var all []*group
	for _, g := range groups {
		if g.prefix != "" {
			all = append(all, g.runs()...)
			continue
		}
		if len(g.containers) > 1 {
			if unnamed[g.folder]++; unnamed[g.folder] > 1 {
				g.nth = unnamed[g.folder]
			}
		}
		all = append(all, g)
	}
	return all
}

// askRecord reads the original name of a container from its first record. If that name follows no
// pattern either, it also returns the software.
func (c *container) askRecord(t *archivefs.Tree) (maker string, err error) {
	r, err := readFirst(t, c.path)
	if err != nil {
		return "", err
	}
	if n := parseName(r.written); n.Prefix != "" {
		c.name, c.renamed = n, true
		return "", nil
	}
	for _, f := range r.fields {
		if strings.EqualFold(f.Name, "software") {
			return f.Value, nil
		}
	}
	return "", nil
}

// isContainer trusts a container's file name; other names need a container's first bytes.
func isContainer(t *archivefs.Tree, p string) (bool, error) {
	if is, _ := records.NamedContainer(p); is {
		return true, nil
	}
	b, err := t.Head(p, 16)
	if err == nil && mayBegin(b) {
		b, err = t.Head(p, records.Window)
	}
	var machine *fs.PathError
	if errors.As(err, &machine) {
		return false, err
	}
	// by its content, a damaged file in an archive is not a container
	return err == nil && records.Begins(b) != records.None, nil
}

// mayBegin excludes most files that are not containers, by their first bytes.
func mayBegin(b []byte) bool {
	b = bytes.TrimLeft(b, "\r\n")
	for _, magic := range []string{"WARC/", "filedesc:", "\x1f\x8b", "\x28\xb5\x2f\xfd"} {
		if bytes.HasPrefix(b, []byte(magic)) {
			return true
		}
	}
	// a skippable Zstandard frame: a dictionary
	return len(b) > 3 && b[0]&0xf0 == 0x50 && string(b[1:4]) == "\x2a\x4d\x18"
}

// runs splits a group where the numbers of its containers restart: the crawler was started again
// under the same name.
func (g *group) runs() []*group {
	slices.SortStableFunc(g.containers, func(a, b container) int {
		return cmp.Or(a.name.Time.Compare(b.name.Time), strings.Compare(a.name.Serial, b.name.Serial),
			strings.Compare(a.path, b.path))
	})
	type place struct{ host, serial string }
	runs := []*group{{folder: g.folder, prefix: g.prefix}}
	seen := map[place]string{} // the stem with this number
	for _, c := range g.containers {
		n := place{c.name.Host, c.name.Serial}
		if other, again := seen[n]; again && other != c.name.Stem && n.serial != "" && !c.name.Time.IsZero() {
			runs = append(runs, &group{folder: g.folder, prefix: g.prefix})
			clear(seen)
		}
		seen[n] = c.name.Stem // the same name twice is one container, compressed and uncompressed
		last := runs[len(runs)-1]
		last.containers = append(last.containers, c)
	}
	if len(runs) > 1 {
		for i, r := range runs {
			r.run = i + 1
		}
	}
	return runs
}

// addCompanions adds to each group the indexes and checksums of its containers. These files are
// beside the containers, or elsewhere under the names of the containers.
func addCompanions(t *archivefs.Tree, groups []*group) {
	byStem, byPlace, byFolder := map[string]*group{}, map[string]*group{}, map[string][]*group{}
	for _, g := range groups {
		byFolder[g.folder] = append(byFolder[g.folder], g)
		for _, c := range g.containers {
			stem := records.Stem(c.path)
			byPlace[path.Join(g.folder, stem)] = g
			byStem[stem] = g
		}
	}
	for _, f := range t.Files() {
		stem, kind := companion(path.Base(f.Path))
		if is, _ := records.NamedContainer(f.Path); kind == kindNone || is {
			continue
		}
		folder := path.Dir(f.Path)
		owners := byFolder[folder]
		switch {
		case stem == "":
		case byPlace[path.Join(folder, stem)] != nil:
			owners = []*group{byPlace[path.Join(folder, stem)]}
		case byStem[stem] != nil:
			owners = []*group{byStem[stem]}
		case t.Find(strings.TrimSuffix(f.Path, path.Ext(f.Path))) != nil: // a checksum of another file
			continue
		}
		role := model.RoleIndex
		if kind == kindChecksums {
			role = model.RoleDescription
		}
		for _, g := range owners {
			g.companions = append(g.companions, model.SourceFile{Path: f.Path, Size: f.Size, Role: role})
		}
	}
}
