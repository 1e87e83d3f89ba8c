package browsertrix

import (
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"quire/format/wacz"
	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
	"quire/source/internal/facts"
	"quire/source/records"
	"quire/source/wget"
)

// Harvest is one package, or one crawl.
type Harvest struct {
	about model.Harvest
	tree  *archivefs.Tree
	root  string
	files []string // paths within the Tree
	check *wacz.Checked

	crawls []source.Harvest // of another crawler, if its containers were packaged
}

var _ source.Harvest = (*Harvest)(nil)

// About returns the known facts of the run.
func (h *Harvest) About() *model.Harvest { return &h.about }

// Checked returns the result of checking hashes and signature when the harvest was read. It is nil
// for a folder without a datapackage.json.
func (h *Harvest) Checked() *wacz.Checked { return h.check }

// maxVerified is the package size in bytes up to which reading a package also verifies its hashes.
const maxVerified = 1 << 30

// Verify checks hashes and signature again. Use it with trusted roots, or for a package above the
// size limit.
func (h *Harvest) Verify(ctx context.Context, o wacz.Options) (*wacz.Checked, error) {
	return wacz.Check(ctx, h.content(), o)
}

// content returns the files for the checks.
func (h *Harvest) content() wacz.Files {
	f := wacz.Files{Open: func(p string) (io.ReadCloser, error) { return h.tree.Open(h.path(p)) }}
	for _, p := range h.files {
		f.List = append(f.List, wacz.Entry{Path: within(h.root, p), Size: h.tree.Find(p).Size})
	}
	return f
}

// path returns the Tree path of a path in the package.
func (h *Harvest) path(p string) string { return path.Join(h.root, p) }

// reading holds the known facts while the files are read.
type reading struct {
	*Harvest
	facts    *facts.Facts
	counts   map[string]int // findings, by code
	packaged string         // software that made the package
	log      jobLog
	pages    pageCount
	told     bool // seeds are known from a configuration or a log
}

// read reads all sources in turn, starting with those for the crawler and the time.
func read(ctx context.Context, t *archivefs.Tree, root string, files []string) (*Harvest, error) {
	h := &Harvest{tree: t, root: root, files: files}
	r := &reading{Harvest: h, facts: facts.New(&h.about), counts: map[string]int{}}
	if err := r.adopt(ctx); err != nil {
		return nil, err
	}
	r.list()
	for _, step := range []func(context.Context) error{r.readCollection, r.description, r.logs, r.configurations, r.records,
		r.listedPages, r.verify} {
		if err := errors.Join(ctx.Err(), step(ctx)); err != nil {
			return nil, err
		}
	}
	r.sum()
	return h, nil
}

// adopt takes the facts of Wget's reader for packaged containers: their log is inside them.
func (r *reading) adopt(ctx context.Context) error {
	mine := map[string]bool{}
	for _, p := range r.files {
		mine[p], _ = records.NamedContainer(p)
	}
	claims, err := wget.Reader{}.Find(ctx, r.tree.Only(func(p string) bool { return mine[p] }))
	if err != nil {
		return err
	}
	for _, c := range claims {
		crawl, err := c.Read(ctx)
		if err != nil {
			return err
		}
		r.facts.Adopt(crawl.About())
		r.crawls = append(r.crawls, crawl)
	}
	return nil
}

// list lists the files with their roles, and marks those with login sessions.
func (r *reading) list() {
	for _, p := range r.files {
		role := roleOf(within(r.root, p))
		r.facts.AddFile(model.SourceFile{Path: p, Size: r.tree.Find(p).Size, Role: role})
		name := strings.ToLower(path.Base(p))
		switch {
		case strings.HasPrefix(within(r.root, p), "profile/"), strings.HasPrefix(name, "profile.tar"):
			r.facts.Restrict(p, 0, "is of a browser profile, which holds cookies and logins")
		case name == "cookies.txt" || name == "cookies.json":
			r.facts.Restrict(p, 0, "holds cookies, by its name")
		}
		if f := r.tree.Find(p); f.Compressed && role == model.RoleContainer {
			r.find(findCompressed, model.Info, p, 0,
				"the zip compresses it a second time, so records cannot be read in place")
		}
	}
}

// find adds a finding, up to a limit for each code.
func (r *reading) find(code string, severity model.Severity, p string, offset int64, format string, args ...any) {
	switch r.counts[code]++; {
	case r.counts[code] <= maxFindings:
		r.facts.Find(code, severity, p, offset, format, args...)
	case r.counts[code] == maxFindings+1:
		r.facts.Find(findMore, model.Info, p, offset, "there are more findings %s than are listed", code)
	}
}

// in returns the files in a folder of the package, and below, with the given name endings, sorted
// by path.
func (h *Harvest) in(folder string, endings ...string) []string {
	var all []string
	for _, p := range h.files {
		rest := within(h.root, p)
		if folder != "" && !strings.HasPrefix(rest, folder+"/") || folder == "" && strings.Contains(rest, "/") {
			continue
		}
		if slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(rest, e) }) {
			all = append(all, p)
		}
	}
	return all
}

// with opens a file and reads it.
func (h *Harvest) with(p string, read func(c archivefs.Content) error) error {
	c, err := h.tree.Open(p)
	if err != nil {
		return err
	}
	return errors.Join(read(c), c.Close())
}

// sum derives facts from several sources together.
func (r *reading) sum() {
	a := &r.about
	r.times()
	a.System = model.WACZ
	if len(r.crawls) > 0 && strings.HasPrefix(a.Software, "Wget/") {
		a.System = model.Wget
	}
	if strings.Contains(a.Software, "Browsertrix") || strings.Contains(r.packaged, "Browsertrix") || r.log.lines > 0 {
		a.System = model.Browsertrix
	}
	if a.ID == "" {
		a.ID = strings.TrimSuffix(r.tree.NameOf(r.root), ".wacz")
	}
	logged := r.log.lines > 0
	switch {
	case r.told && logged && len(r.containers()) > 0, len(r.crawls) > 0 && a.Documentation == model.Documented:
		a.Documentation = model.Documented
	case r.told || logged || r.pages.count > 0 || r.check != nil && r.check.Package != nil:
		a.Documentation = model.PartlyDocumented
	default:
		a.Documentation = model.Undocumented
	}
}

// times takes begin and end from the logs, else from the pages, else from the containers.
func (r *reading) times() {
	a := &r.about
	r.facts.TellTime(&a.Start, "start", r.log.first, "first line of the logs")
	r.facts.TellTime(&a.Start, "start", r.pages.first, "earliest of the pages")
	r.facts.TellTime(&a.Start, "start", r.pages.begun, "WARC-Date of the earliest first record of a container")
	r.facts.TellTime(&a.End, "end", r.log.last, "last line of the logs")
	r.facts.TellTime(&a.End, "end", r.pages.last, "latest of the pages")
	r.facts.Set(&a.EndReason, "end reason", r.log.ended, "the logs")
	if r.log.lines > 0 && r.log.ended == "" && r.log.software != "" {
		r.find(findUnfinished, model.Warning, r.log.path, 0,
			"no line of the logs states how the crawl ended: it was killed, or a log is missing")
	}
}
