package wct

import (
	"context"
	"iter"
	"path"
	"slices"
	"strings"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
	"quire/source/heritrix"
	"quire/source/internal/dumps"
	"quire/source/internal/facts"
)

// harvest is a target instance.
type harvest struct {
	about model.Harvest
	crawl source.Harvest // the crawler's files; nil if missing
}

var _ source.Harvest = (*harvest)(nil)

// About returns the known facts of the run.
func (h *harvest) About() *model.Harvest { return &h.about }

// Fetches yields the outcome of each URL, from the crawler's logs.
func (h *harvest) Fetches(ctx context.Context, report func(model.Finding)) iter.Seq2[model.Fetch, error] {
	if h.crawl == nil {
		return func(func(model.Fetch, error) bool) {}
	}
	return h.crawl.Fetches(ctx, report)
}

// read reads a target instance. First come its owner and purpose, from the METS and then from the
// database. The crawl comes from the crawler's own files, then from the METS and the database.
func read(ctx context.Context, t *archivefs.Tree, in *instance, db *database) (source.Harvest, error) {
	h := &harvest{about: model.Harvest{System: model.WebCurator, ID: in.oid(), Documentation: model.PartlyDocumented}}
	f := facts.New(&h.about)
	records, err := db.of(ctx, in)
	if err != nil {
		return nil, err
	}
	if in.mets != nil && in.mets.root != nil {
		in.mets.addFacts(f)
	}
	for _, d := range records {
		d.addFacts(f)
	}
	if files := slices.Concat(in.crawl, in.more); len(files) > 0 {
		slices.Sort(files)
		if h.crawl, err = heritrix.Read(ctx, t, in.root, slices.Compact(files)); err != nil {
			return nil, err
		}
		f.Adopt(h.crawl.About())
	}
	listFiles(f, t, in, db)
	if in.mets != nil {
		in.mets.check(f, t, in.root)
	}
	for _, d := range records {
		d.crawl(f)
	}
	results(f, in)
	sameDescription(&h.about.Description)
	return h, nil
}

// addFacts adds the facts from the METS, except the crawl.
func (d *document) addFacts(f *facts.Facts) {
	f.Note("target instance", d.oid, d.at("ID of the dmdSec"))
	f.Note("namespace", d.space, d.at("wct:wct"))
	d.describe(f)
	d.derive(f)
	d.permit(f)
	hdr := child(d.root, "metsHdr")
	if hdr == nil {
		return
	}
	f.Note("METS written", hdr.Attr("CREATEDATE"), d.at("metsHdr, on the server's clock"))
	for _, a := range hdr.Children {
		if name := text(a, "name"); name != "" {
			f.Note("METS agent", a.Attr("ROLE")+": "+name, d.at("metsHdr"))
		}
	}
}

// check adds the crawl and the files from the METS, and marks its confidential parts.
func (d *document) check(f *facts.Facts, t *archivefs.Tree, root string) {
	f.About.Findings = append(f.About.Findings, d.findings...)
	if d.root != nil {
		d.crawl(f)
		compareFiles(f, t, d, root, func(p string) bool { return p == d.path || dumps.IsDump(p) })
	}
	d.restrict(f)
}

// listFiles lists files unknown to the crawler's reader: the METS, files of quality review, the
// dumps.
func listFiles(f *facts.Facts, t *archivefs.Tree, in *instance, db *database) {
	for i := range f.About.Files {
		if file := &f.About.Files[i]; file.Role == "" || file.Role == model.RoleOther {
			file.Role = roleOf(file.Path)
		}
	}
	if in.mets != nil {
		f.AddFile(model.SourceFile{Path: in.mets.path, Size: t.Find(in.mets.path).Size, Role: model.RoleDescription})
	}
	for _, p := range db.Within {
		f.AddFile(model.SourceFile{Path: p, Size: t.Find(p).Size, Role: model.RoleDescription})
	}
	db.Restrict(f)
}

// results reports several harvest results side by side. Result 1 is the original harvest; the
// others were made from it in quality review, and one was endorsed. Most of their content is the
// same.
func results(f *facts.Facts, in *instance) {
	numbers := map[string]bool{}
	var order []string
	for _, file := range f.About.Files {
		n := path.Base(path.Dir(file.Path))
		if file.Role == model.RoleContainer && result.MatchString(n) && path.Dir(path.Dir(file.Path)) == in.root &&
			!numbers[n] {
			numbers[n] = true
			order = append(order, n)
		}
	}
	known := len(f.About.Description.Versions) > 0
	for _, n := range order {
		f.Note("harvest result", n, "the folder "+path.Join(in.root, n))
		if !known {
			f.About.Description.Versions = append(f.About.Description.Versions,
				model.Version{Number: n, Source: "the folder " + path.Join(in.root, n)})
		}
	}
	if len(order) > 1 {
		f.Find(CodeVersions, model.Warning, in.root, 0,
			"holds the harvest results %s: 1 is the original harvest, the others were made from it in "+
				"quality review, so much content is repeated; only one was endorsed, but the folders do "+
				"not show which",
			strings.Join(order, ", "))
	}
}
