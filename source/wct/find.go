package wct

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
	"quire/source/heritrix"
	"quire/source/internal/dumps"
)

// Reader finds and reads target instances of the Web Curator Tool.
type Reader struct {
	// Dumps are files on this machine: dumps of the database. Dumps in the source are found
	// automatically.
	Dumps []string
}

var _ source.Reader = Reader{}

// Name returns "web-curator-tool".
func (Reader) Name() string { return string(model.WebCurator) }

// Find claims a METS of the Web Curator Tool together with its files. It also claims folders with
// the layout of the digital asset store. A METS without its containers is a separate harvest: it
// documents the former content.
func (r Reader) Find(ctx context.Context, t *archivefs.Tree) ([]source.Claim, error) {
	s := survey{tree: t, instances: map[string]*instance{}}
	for _, step := range []func(context.Context) error{s.crawls, s.stores, s.documents} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	s.match()
	s.gather()
	db, err := s.dumps(r.Dumps)
	if err != nil {
		return nil, err
	}
	var claims []source.Claim
	for _, in := range s.all() {
		claims = append(claims, source.Claim{Reader: r.Name(), Root: in.root, Why: in.why, Files: in.files(db.Within),
			Read: func(ctx context.Context) (source.Harvest, error) { return read(ctx, t, in, db) }})
	}
	return claims, nil
}

// instance is a target instance: a folder with the crawler's files, a METS, or both.
type instance struct {
	root  string
	named string // its number, from the folder or the crawler's manifest; "" if unknown
	store bool   // all files below the folder belong to it
	crawl []string
	more  []string // WCT's own files
	mets  *document
	why   []string
}

func (in *instance) oid() string {
	if in.mets != nil && in.mets.oid != "" {
		return in.mets.oid
	}
	return in.named
}

// files returns all its files; the dumps belong to all harvests.
func (in *instance) files(dumps []string) []string {
	all := slices.Concat(in.crawl, in.more)
	if in.mets != nil {
		all = append(all, in.mets.path)
	}
	all = append(all, dumps...)
	slices.Sort(all)
	return slices.Compact(all)
}

// survey has the instances found in a Tree.
type survey struct {
	tree      *archivefs.Tree
	instances map[string]*instance // by root
	mets      []*document
	alone     []*instance
}

// all returns the harvests: those with folders, and those with only the METS.
func (s *survey) all() []*instance {
	var all []*instance
	for _, root := range slices.Sorted(maps.Keys(s.instances)) {
		if in := s.instances[root]; in.why != nil {
			all = append(all, in)
		}
	}
	return append(all, s.alone...)
}

// at returns the instance of a folder, and creates it if missing.
func (s *survey) at(root string) *instance {
	if s.instances[root] == nil {
		s.instances[root] = &instance{root: root}
	}
	return s.instances[root]
}

func (in *instance) because(why string) {
	if len(in.why) < maxReasons {
		in.why = append(in.why, why)
	}
}

const maxReasons = 20

// crawls finds the crawls with the crawler's reader. A crawl alone is not a target instance.
func (s *survey) crawls(ctx context.Context) error {
	claims, err := heritrix.Reader{}.Find(ctx, s.tree)
	if err != nil {
		return err
	}
	for _, c := range claims {
		in := s.at(c.Root)
		in.crawl = c.Files
		if err := s.manifest(in); err != nil {
			return err
		}
	}
	return nil
}

// documents reads each METS.
func (s *survey) documents(ctx context.Context) error {
	for _, f := range s.tree.Files() {
		is, err := isMETS(s.tree, f.Path)
		if err != nil {
			return err
		}
		if !is {
			continue
		}
		d, err := readMETS(ctx, s.tree, f.Path)
		if err != nil {
			return err
		}
		s.mets = append(s.mets, d)
	}
	return nil
}

// match assigns each METS its folder: one with its number, one with a container that it lists, or
// its own folder if it is the only METS there. Other METS files remain without a folder.
func (s *survey) match() {
	for _, d := range s.mets {
		in, why := s.about(d)
		if in == nil || in.mets != nil {
			root := path.Dir(d.path)
			s.alone = append(s.alone, &instance{root: root, mets: d,
				why: []string{d.path + " is a METS of the Web Curator Tool; its listed files are missing here"}})
			continue
		}
		in.mets = d
		in.because(d.path + " is a METS of the Web Curator Tool, " + why)
	}
}

// about finds the folder.
func (s *survey) about(d *document) (*instance, string) {
	roots := slices.Sorted(maps.Keys(s.instances))
	for _, root := range roots {
		if in := s.instances[root]; in.named != "" && in.named == d.oid {
			return in, "and the folder is of its target instance " + d.oid
		}
	}
	containers := d.containers()
	for _, root := range roots {
		for _, p := range s.instances[root].crawl {
			if containers[path.Base(p)] {
				return s.instances[root], "and lists " + p
			}
		}
	}
	here := 0
	for _, other := range s.mets {
		if path.Dir(other.path) == path.Dir(d.path) {
			here++
		}
	}
	in := s.instances[path.Dir(d.path)]
	if in != nil && here == 1 && (in.named == "" || d.oid == "") {
		return in, "and lies with the files"
	}
	return nil, ""
}

// containers returns the base names of the containers that it lists.
func (d *document) containers() map[string]bool {
	all := map[string]bool{}
	for _, f := range d.files {
		if base := path.Base(place(f.Name)); isContainer(base) {
			all[base] = true
		}
	}
	return all
}

// gather adds further files to each instance, beyond the files that the crawler's reader found.
func (s *survey) gather() {
	listed := map[*instance]map[string]bool{}
	for _, in := range s.instances {
		listed[in] = map[string]bool{}
		if in.mets == nil {
			continue
		}
		for _, f := range in.mets.files {
			listed[in][path.Base(place(f.Name))] = true
		}
	}
	mets := map[string]bool{}
	for _, d := range s.mets {
		mets[d.path] = true
	}
	for _, in := range s.instances { // the crawler's reader takes all files in its folder
		in.crawl = slices.DeleteFunc(slices.Clone(in.crawl), func(p string) bool { return mets[p] || dumps.IsDump(p) })
	}
	for _, f := range s.tree.Files() {
		in := s.owner(f.Path)
		if in == nil || in.why == nil || mets[f.Path] || dumps.IsDump(f.Path) {
			continue
		}
		near := path.Dir(f.Path) == in.root || in.mets != nil && path.Dir(f.Path) == path.Dir(in.mets.path)
		switch base := path.Base(f.Path); {
		case in.store, listed[in][base], near &&
			(ownName(base) || isContainer(base) || strings.HasSuffix(base, ".cdx")):
			in.more = append(in.more, f.Path)
		}
	}
}

// owner returns the instance in the nearest folder above a file.
func (s *survey) owner(p string) *instance {
	for dir := path.Dir(p); ; dir = path.Dir(dir) {
		if in := s.instances[dir]; in != nil {
			return in
		}
		if dir == "." {
			return nil
		}
	}
}
