package browsertrix

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"path"
	"strings"

	"quire/format/fault"
	"quire/format/wacz"
	"quire/internal/archivefs"
	"quire/model"
)

// description reads datapackage.json and, from packages before WACZ, webarchive.yaml or
// collection.yaml.
func (r *reading) description(context.Context) error {
	for _, p := range r.oldDescriptions() {
		if err := r.oldDescription(p); err != nil {
			return err
		}
	}
	p := r.path(wacz.PackageName)
	if r.tree.Find(p) == nil {
		return nil
	}
	var pack *wacz.Package
	err := r.with(p, func(c archivefs.Content) (err error) {
		pack, err = wacz.ReadPackage(c)
		return err
	})
	if pack == nil {
		return ignoreContent(err) // verify reports its faults
	}
	r.describe(pack, p)
	return nil
}

// ignoreContent returns disk errors, and drops errors in the content.
func ignoreContent(err error) error {
	if isMachine(err) {
		return err
	}
	return nil
}

func (r *reading) describe(pack *wacz.Package, p string) {
	a := &r.about
	field := func(name string) string { return name + " in " + p }
	r.facts.Set(&a.Title, "title", pack.Title, field("title"))
	r.facts.Set(&a.Note, "note", pack.Description, field("description"))
	r.facts.Set(&a.Organization, "organization", pack.Organization, field("organization"))
	r.facts.Set(&a.Operator, "operator", pack.Creator, field("contributors"))
	r.facts.Note("packaged by", pack.Software, field("software"))
	r.facts.Note("package version", pack.Version, field("wacz_version"))
	r.packaged = pack.Software
	r.facts.Set(&a.ID, "id", pack.ID, field("id"))
	for _, t := range []struct{ name, value string }{{"created", pack.Created}, {"modified", pack.Modified}} {
		if at, err := wacz.ParseTime(t.value); err == nil {
			r.facts.Note("package "+t.name, at.Format("2006-01-02T15:04:05.999Z07:00"), field(t.name))
		}
	}
	if pack.HomeURL != "" {
		r.pages.home, r.pages.homeFrom = pack.HomeURL, field("the page to show first")
	}
	for i := range pack.Pages {
		r.pages.take(&pack.Pages[i])
	}
	for _, q := range pack.Requires {
		a.Foreign = append(a.Foreign, model.ForeignFile{Name: q.Name, Job: q.CrawlID})
		note := q.Name
		if q.Hash.Hex != "" {
			note += ", " + q.Hash.String()
		}
		r.facts.Note("requires", note, field("relation.requires"))
	}
	if n := len(pack.Requires); n > 0 {
		r.find(findRequires, model.Warning, p, 0,
			"it depends on %d other packages for payloads that were not stored again", n)
	}
}

// oldDescriptions returns the files that described a collection before WACZ.
func (h *Harvest) oldDescriptions() []string {
	var all []string
	for _, name := range []string{"webarchive.yaml", "collection.yaml"} {
		if p := h.path(name); h.tree.Find(p) != nil {
			all = append(all, p)
		}
	}
	return all
}

// oldDescription reads one of these files.
func (r *reading) oldDescription(p string) error {
	n, err := r.yaml(p)
	if err != nil || n == nil {
		return err
	}
	r.facts.Set(&r.about.Title, "title", n.text("title"), "title in "+p)
	r.facts.Set(&r.about.Note, "note", n.text("description"), "description in "+p)
	for page := range oldPages(n) {
		r.pages.take(&page)
	}
	return nil
}

// oldPages yields the pages that a webarchive.yaml or collection.yaml lists.
func oldPages(n *node) iter.Seq[wacz.Page] {
	return func(yield func(wacz.Page) bool) {
		for _, page := range n.get("pages").list() {
			one := wacz.Page{URL: page.text("url"), Title: page.text("title"), Size: -1, Depth: -1, LoadState: -1}
			for _, name := range []string{"ts", "timestamp", "date"} {
				if at, err := wacz.ParseTime(page.text(name)); err == nil {
					one.Time = at
				}
			}
			if page.Node != nil {
				one.Line = int64(page.Line)
			}
			if one.URL != "" && !yield(one) {
				return
			}
		}
	}
}

// verify compares the description of the package with its files.
func (r *reading) verify(ctx context.Context) error {
	if r.tree.Find(r.path(wacz.PackageName)) == nil {
		if !r.isCrawl() && len(r.containers()) > 0 {
			r.find(string(wacz.FaultNoPackage), model.Warning, r.path(wacz.PackageName), 0,
				"there is no %s, so the expected content is unknown", wacz.PackageName)
		}
		return nil
	}
	files := r.content()
	var total int64
	for _, e := range files.List {
		total += e.Size
	}
	o := wacz.Options{SkipContent: total > maxVerified, Report: func(f fault.Fault) {
		r.find(string(f.Code), severityOf(f.Code), r.path(wacz.PackageName), f.Offset, "%s", f.Detail)
	}}
	check, err := wacz.Check(ctx, files, o)
	if err != nil {
		return err
	}
	r.check = check
	signed := check.Digest != nil && check.Digest.Signed != nil
	for _, s := range check.Steps {
		r.facts.Note("check: "+string(s.Name), string(s.Verdict)+": "+s.Evidence,
			"wacz-auth 0.1.0, and the files of the package")
		switch {
		case s.Verdict == wacz.Fail && signed && s.Name != wacz.StepResources && s.Name != wacz.StepDigest:
			r.find(findSignature, model.Error, r.path(wacz.DigestName), 0, "%s: %s", s.Name, s.Evidence)
		case s.Verdict == wacz.NotChecked && s.Name == wacz.StepTrust:
			r.find(findUntrusted, model.Info, r.path(wacz.DigestName), 0, "%s", s.Evidence)
		}
	}
	if signed {
		r.signer(check.Digest.Signed, check)
	}
	return nil
}

// signer reports the signer and the result of each step.
func (r *reading) signer(s *wacz.Signed, check *wacz.Checked) {
	who := "a key that nothing says whose it is"
	if !s.Anonymous() {
		who = s.Domain
	}
	var verdicts []string
	for _, step := range check.Steps {
		verdicts = append(verdicts, string(step.Name)+": "+string(step.Verdict))
	}
	r.find(findSigned, model.Info, r.path(wacz.DigestName), 0, "it is signed by %s: %s", who,
		strings.Join(verdicts, ", "))
	r.facts.Note("signed by", who, r.path(wacz.DigestName))
	r.facts.Note("signed", s.Created, "created in "+r.path(wacz.DigestName))
	r.facts.Note("signing software", s.Software, "software in "+r.path(wacz.DigestName))
}

// isCrawl reports whether this is the folder of a crawl, which has no datapackage.json.
func (r *reading) isCrawl() bool {
	return len(r.in("crawls", ".yaml"))+len(r.in("warc-cdx", ".cdxj", ".cdx"))+len(r.in("crawlIds", ".txt")) > 0
}

// readCollection reads the collection package that contains this package, if any. It reads the name
// of the collection, and whether the collection lists this package.
func (r *reading) readCollection(context.Context) error {
	outer, p := r.tree.Around()
	if outer == nil || r.root != "." {
		return nil
	}
	manifest := path.Join(path.Dir(p), wacz.PackageName)
	pack, err := collection(outer, manifest)
	if err != nil && !isMachine(err) {
		return nil // missing, or unreadable, which its own reader reports
	}
	if pack == nil {
		return err
	}
	r.facts.Set(&r.about.Collection, "collection", pack.Title, "title in "+manifest+" around it")
	r.facts.Set(&r.about.Organization, "organization", pack.Organization, "organization in "+manifest+" around it")
	for _, listed := range pack.Resources {
		if path.Join(path.Dir(p), listed.Path) == p {
			r.facts.Note("listed in its collection", listed.Hash.String(), manifest)
			return nil
		}
	}
	r.find(string(wacz.FaultUnlisted), model.Warning, p, 0, "%s around it does not list this package", manifest)
	return nil
}

// isMachine reports whether an error comes from the disk.
func isMachine(err error) bool {
	return err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) &&
		errors.As(err, new(*fs.PathError)) && !errors.Is(err, fs.ErrNotExist)
}
