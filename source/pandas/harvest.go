package pandas

import (
	"context"
	"iter"
	"path"
	"strings"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
	"quire/source/httrack"
	"quire/source/internal/facts"
)

// instance is one gather of a title.
type instance struct {
	about    model.Harvest
	mirror   *httrack.Harvest // nil if the instance has no files
	base     *tarball         // the one with the mirror; nil for an open folder
	root     string           // folder of the mirror, in the tarball or the source
	archives map[string]*archivefs.Tree
	urls     *urlMap // nil without a url.map
	forced   forced
}

var (
	_ source.Archived = (*instance)(nil)
	_ source.Mirror   = mirrored{}
	_ source.Styled   = mirrored{}
	_ source.Footed   = mirrored{}
)

// About returns the known facts of the run.
func (h *instance) About() *model.Harvest { return &h.about }

// Archive returns a tarball of the instance.
func (h *instance) Archive(p string) *archivefs.Tree { return h.archives[p] }

// Fetches yields the outcome of each URL, from HTTrack's logs.
func (h *instance) Fetches(ctx context.Context, report func(model.Finding)) iter.Seq2[model.Fetch, error] {
	if h.mirror == nil {
		return func(func(model.Fetch, error) bool) {}
	}
	return h.mirror.Fetches(ctx, h.reporter(report))
}

// reporter converts the paths in findings to paths within the source.
func (h *instance) reporter(report func(model.Finding)) func(model.Finding) {
	if report == nil || h.base == nil {
		return report
	}
	return func(f model.Finding) {
		f.Path = h.place(f.Path)
		report(f)
	}
}

// place returns the source path of a file of the mirror.
func (h *instance) place(p string) string {
	if p == "" || h.base == nil {
		return p
	}
	return h.base.inside(p)
}

// read reads an instance: first the database, then the mirror in its best state, then the files
// beside the mirror.
func read(ctx context.Context, t *archivefs.Tree, u *unit, db *database) (source.Harvest, error) {
	h := &instance{about: model.Harvest{System: model.Pandas, ID: u.String(), Documentation: model.Undocumented},
		archives: map[string]*archivefs.Tree{}, forced: forced{}}
	f := facts.New(&h.about)
	f.Note("persistent identifier", u.pi, u.why[0])
	f.Note("instance date", u.date+" on the server's clock", u.why[0])
	records, err := db.of(ctx, f, u.key)
	if err != nil {
		return nil, err
	}
	for _, r := range records {
		r.addFacts(f)
	}
	for _, k := range []kind{preserve, access, mime} {
		if b := u.tar[k]; b != nil {
			if err := b.open(ctx, f, u.key); err != nil {
				return nil, err
			}
			if b.inner != nil && !b.whole {
				h.archives[b.path] = b.inner
			}
		}
	}
	if err := h.read(ctx, t, u, f); err != nil {
		return nil, err
	}
	if err := h.checkFiles(ctx, t, u, f, db); err != nil {
		return nil, err
	}
	h.times(f, u.key, records)
	for _, r := range records {
		r.gather(f)
	}
	if h.mirror == nil {
		return h, nil
	}
	return mirrored{h}, nil
}

// read reads the mirror. The preservation tarball was made at the end of the gather, before any
// change; the access tarball, and a folder, contain later changes.
func (h *instance) read(ctx context.Context, t *archivefs.Tree, u *unit, f *facts.Facts) error {
	where, files := t, u.files
	switch {
	case u.folder:
		h.root = u.root
	case opened(u.tar[preserve]) != nil:
		h.base = u.tar[preserve]
	case opened(u.tar[access]) != nil:
		h.base = u.tar[access]
	default:
		return nil
	}
	if h.base != nil {
		where, h.root, files = h.base.inner, h.base.root, h.base.files()
		if h.base.whole {
			h.root, files = u.root, u.files
		}
	}
	var err error
	if h.mirror, err = httrack.Read(ctx, where, h.root, files); err != nil {
		return err
	}
	f.Adopt(h.moved(h.mirror.About()))
	return h.maps(u, t, f)
}

func opened(b *tarball) *archivefs.Tree {
	if b == nil {
		return nil
	}
	return b.inner
}

// moved returns the results of HTTrack's reader with the paths in the source.
func (h *instance) moved(about *model.Harvest) *model.Harvest {
	if h.base == nil || h.base.whole {
		return about
	}
	m := *about
	m.Files, m.Findings, m.Evidence = nil, nil, nil
	for _, file := range about.Files {
		file.Path, file.Archive = h.place(file.Path), h.base.in()
		m.Files = append(m.Files, file)
	}
	for _, x := range about.Findings {
		x.Path = h.place(x.Path)
		m.Findings = append(m.Findings, x)
	}
	for _, e := range about.Evidence {
		e.Source += ", in " + h.base.path
		m.Evidence = append(m.Evidence, e)
	}
	return &m
}

// maps reads url.map and the media types. They are in different places, because PANDAS made them
// after the preservation tarball.
func (h *instance) maps(u *unit, t *archivefs.Tree, f *facts.Facts) error {
	type place struct {
		t    *archivefs.Tree
		root string
		name func(string) string
	}
	places := []place{}
	if u.folder {
		places = append(places, place{t, u.root, func(p string) string { return p }})
	}
	for _, k := range []kind{preserve, access, mime} {
		if b := u.tar[k]; opened(b) != nil {
			places = append(places, place{b.inner, b.root, b.inside})
		}
	}
	for _, p := range places {
		for _, file := range p.t.Files() {
			rel, below := strings.CutPrefix(file.Path, p.root+"/")
			if p.root == "." {
				rel, below = file.Path, true
			}
			if !below || rel != "url.map" && path.Base(rel) != ".panaccess-mime.types" || rel == "url.map" &&
				h.urls != nil {
				continue
			}
			name := p.name(file.Path)
			c, err := p.t.Open(file.Path)
			if archivefs.Damaged(err) {
				f.Find(CodeMap, model.Warning, name, 0, "cannot be read: %v", err)
				continue
			}
			if err != nil {
				return err
			}
			if rel == "url.map" {
				h.urls, err = readURLMap(c, name, func(code string, severity model.Severity, at int64, message string) {
					f.Find(code, severity, name, at, "%s", message)
				})
			} else {
				err = h.forced.read(c, path.Dir(rel), name)
			}
			if closed := c.Close(); err == nil {
				err = closed
			}
			if err != nil {
				return err
			}
		}
	}
	h.checkMap(u, f)
	return nil
}

// checkMap checks url.map against the instance as a whole.
func (h *instance) checkMap(u *unit, f *facts.Facts) {
	m := h.urls
	if m == nil {
		return
	}
	if m.key != u.key && m.lines > 0 && m.key != (key{}) {
		f.Find(CodeMap, model.Warning, m.name, 0, "belongs to instance %s, but this is %s", m.key, u.key)
	}
	if m.first != "" {
		f.Note("entry page", "/pan/"+m.key.String()+"/"+m.first, m.name+", line 1")
	}
	there := map[string]bool{}
	for _, file := range h.mirror.Mirror.Files {
		there[h.within(file.Path)] = true
	}
	gone := 0
	for file := range m.byFile {
		if !there[file] {
			gone++
		}
	}
	if gone > 0 {
		f.Find(CodeMap, model.Info, m.name, 0,
			"names %d files that are not in the mirror: they were deleted, or never stored", gone)
	}
}

// within returns the instance path of a file of the mirror.
func (h *instance) within(p string) string {
	if h.root == "." {
		return p
	}
	return strings.TrimPrefix(p, h.root+"/")
}
