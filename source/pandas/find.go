package pandas

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
	"quire/source/httrack"
)

// Reader finds and reads instances of PANDAS.
type Reader struct {
	// Dumps are files on this machine: dumps of the database. Dumps in the source are found
	// automatically.
	Dumps []string
}

var _ source.Reader = Reader{}

// Name returns "pandas".
func (Reader) Name() string { return string(model.Pandas) }

// unit is an instance in a source: tarballs, or a folder.
type unit struct {
	key
	root   string
	why    []string
	tar    map[kind]*tarball
	folder bool     // the mirror is an open folder, root
	files  []string // of the source: the tarballs and the files beside them, or the mirror
	warcs  []string // made by PANDAS from the files
	more   []string // duplicate tarballs
}

// Find claims three kinds of instances. The first has tarballs of one PI and date, with their lists
// and checksums. The second is a mirror of HTTrack in a folder PI/date, with the url.map of PANDAS,
// or with such an output folder in its arguments. The third has the WARCs that PANDAS made.
func (r Reader) Find(ctx context.Context, t *archivefs.Tree) ([]source.Claim, error) {
	s := survey{tree: t, tarred: map[key]*unit{}}
	s.tarballs()
	if err := s.folders(ctx); err != nil {
		return nil, err
	}
	all := slices.Concat(slices.Collect(maps.Values(s.tarred)), s.open)
	slices.SortFunc(all, func(a, b *unit) int {
		return cmp.Or(strings.Compare(a.root, b.root), strings.Compare(a.pi, b.pi), strings.Compare(a.date, b.date))
	})
	db, err := findDatabase(t, r.Dumps, all)
	if err != nil {
		return nil, err
	}
	var claims []source.Claim
	for _, u := range all {
		claims = append(claims, source.Claim{Reader: r.Name(), Root: u.root, Why: u.why, Files: u.all(db.Within),
			Read: func(ctx context.Context) (source.Harvest, error) { return read(ctx, t, u, db) }})
	}
	return claims, nil
}

// all returns the files of the source that belong to the instance; a dump belongs to all.
func (u *unit) all(dumps []string) []string {
	files := slices.Concat(u.files, u.warcs, u.more, dumps)
	slices.Sort(files)
	return slices.Compact(files)
}

// survey has the instances found in a Tree.
type survey struct {
	tree   *archivefs.Tree
	tarred map[key]*unit
	open   []*unit
}

func (s *survey) of(k key, dir string) *unit {
	u := s.tarred[k]
	if u == nil {
		u = &unit{key: k, root: dir, tar: map[kind]*tarball{}}
		s.tarred[k] = u
	}
	u.root = common(u.root, dir)
	return u
}

// common returns the common folder of two files: the masters are in separate folders, preserve,
// access and mime.
func common(a, b string) string {
	for a != "." && a != b && !strings.HasPrefix(b, a+"/") {
		a = path.Dir(a)
	}
	return a
}

// tarballs finds the tarballs and the files beside the tarballs, by their names.
func (s *survey) tarballs() {
	for _, f := range s.tree.Files() {
		base := path.Base(f.Path)
		if m := converts.FindStringSubmatch(base); m != nil && (key{m[1], m[2]}).valid() {
			u := s.of(key{m[1], m[2]}, path.Dir(f.Path))
			u.warcs = append(u.warcs, f.Path)
			u.because(f.Path + " is a WARC that PANDAS made from the files of " + u.String())
			continue
		}
		m := named.FindStringSubmatch(base)
		if m == nil || !(key{m[2], m[3]}).valid() {
			continue
		}
		u := s.of(key{m[2], m[3]}, path.Dir(f.Path))
		b := u.tar[kind(m[1])]
		if b == nil {
			b = &tarball{kind: kind(m[1]), beside: s.tree}
			u.tar[kind(m[1])] = b
		}
		place := map[string]*string{"lst": &b.list, "sz": &b.size, "md5": &b.sum}[m[4]]
		if isTar(m[4]) {
			place = &b.path
			u.because(f.Path + " is a tarball of instance " + u.String())
		}
		if *place != "" {
			u.more = append(u.more, f.Path)
			continue
		}
		*place = f.Path
		u.files = append(u.files, f.Path)
	}
	for k, u := range s.tarred {
		if u.why == nil {
			delete(s.tarred, k) // the list or checksum of a tarball, without the tarball
		}
	}
}

func (u *unit) because(why string) {
	if len(u.why) < 20 {
		u.why = append(u.why, why)
	}
}

// folders finds mirrors in open folders.
func (s *survey) folders(ctx context.Context) error {
	claims, err := httrack.Reader{}.Find(ctx, s.tree)
	if err != nil {
		return err
	}
	roots := map[string]bool{}
	for _, c := range claims {
		roots[c.Root] = true
		k, why, err := s.keyOf(c.Root)
		if err != nil {
			return err
		}
		if why != "" {
			s.take(&unit{key: k, root: c.Root, why: []string{why}, folder: true, files: c.Files})
		}
	}
	for _, f := range s.tree.Files() { // instances without a cache, or never gathered by HTTrack
		dir := path.Dir(f.Path)
		if path.Base(f.Path) != "url.map" || roots[dir] {
			continue
		}
		k, ok, err := s.inMap(f.Path)
		if err != nil {
			return err
		}
		if ok {
			s.take(&unit{key: k, root: dir, why: []string{f.Path + " maps the files of instance " + k.String()},
				folder: true, files: s.below(dir, roots)})
		}
	}
	return nil
}

// take adds an instance in a folder. If the source itself is the tarball of the instance, the list
// and checksum are beside the source.
func (s *survey) take(u *unit) {
	u.tar = map[kind]*tarball{}
	if m := named.FindStringSubmatch(filepath.Base(s.tree.Path())); m != nil && isTar(m[4]) &&
		s.tree.Kind() != archivefs.Folder && u.pi == m[2] && u.date == m[3] {
		u.folder = false
		u.tar[kind(m[1])] = wholeTarball(s.tree, kind(m[1]), strings.TrimSuffix(filepath.Base(s.tree.Path()), m[4]))
	}
	s.open = append(s.open, u)
}

// wholeTarball returns the tarball that is the source itself.
func wholeTarball(t *archivefs.Tree, k kind, stem string) *tarball {
	b := &tarball{kind: k, inner: t, whole: true}
	var parts []archivefs.Part
	dir := filepath.Dir(t.Path())
	for name, place := range map[string]*string{filepath.Base(t.Path()): &b.path, stem + "lst": &b.list,
		stem + "sz": &b.size, stem + "md5": &b.sum} {
		p := filepath.Join(dir, name)
		info, err := os.Stat(p)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		*place = name
		parts = append(parts, archivefs.Part{File: archivefs.File{Path: name, Size: info.Size(),
			Modified: info.ModTime()}, Open: func() (archivefs.Content, error) { return os.Open(p) }})
	}
	b.beside = archivefs.Of(dir, parts, nil)
	return b
}

// keyOf returns the instance of a mirror: from its folder, from url.map, or from HTTrack's output
// folder.
func (s *survey) keyOf(root string) (key, string, error) {
	if k, ok := ofPath(s.tree, root); ok {
		return k, root + " is a mirror of HTTrack in the folder of instance " + k.String(), nil
	}
	join := func(name string) string { return path.Join(root, name) }
	if s.tree.Find(join("url.map")) != nil {
		k, ok, err := s.inMap(join("url.map"))
		if err != nil || ok {
			return k, join("url.map") + " maps the files of instance " + k.String(), err
		}
	}
	for _, name := range []string{"hts-log.txt", "hts-cache/doit.log", "logs/info"} {
		if s.tree.Find(join(name)) == nil {
			continue
		}
		head, err := s.tree.Head(join(name), 16<<10)
		if err != nil && !archivefs.Damaged(err) {
			return key{}, "", err
		}
		for line := range strings.SplitSeq(string(head), "\n") {
			at := strings.Index(line, " -O ")
			if at < 0 || !strings.Contains(line, "pandas") && !strings.Contains(line, "pandora") {
				continue
			}
			if m := working.FindStringSubmatch(line[at:]); m != nil && (key{m[1], m[2]}).valid() {
				k := key{m[1], m[2]}
				return k, fmt.Sprintf("%s: HTTrack's arguments name the folder of instance %s as "+
					"output", join(name), k), nil
			}
		}
	}
	return key{}, "", nil
}

// inMap reads the instance from the first line of a url.map.
func (s *survey) inMap(p string) (key, bool, error) {
	head, err := s.tree.Head(p, 64<<10)
	if err != nil && !archivefs.Damaged(err) {
		return key{}, false, err
	}
	line, _, _ := strings.Cut(string(head), "\n")
	at := strings.LastIndex(line, "^^")
	if at < 0 {
		return key{}, false, nil
	}
	_, k, ok := within(strings.TrimRight(line[at+2:], "\r"))
	return k, ok && k.valid(), nil
}

// below returns the files below a folder that belong to no other mirror.
func (s *survey) below(dir string, roots map[string]bool) []string {
	var files []string
	for _, f := range s.tree.Files() {
		for d := path.Dir(f.Path); !roots[d]; d = path.Dir(d) {
			if d == dir {
				files = append(files, f.Path)
				break
			}
			if d == "." {
				break
			}
		}
	}
	return files
}
