package pack

import (
	"errors"
	"iter"

	"quire/metadata/mets"
	"quire/preserve/aip"
)

// writePagesDocuments writes a document with the pages of each harvest, and with their links. refs
// are the containers by harvest.
func (b *builder) writePagesDocuments(refs map[int][]ref) error {
	links := b.foundLinks()
	for n := range b.eachHarvest() {
		if err := b.writePagesDocument(n, refs[n], links); err != nil {
			return err
		}
	}
	return nil
}

// eachHarvest returns the numbers of the harvests in the order of the structMap; 0, for pages
// outside any harvest, is last.
func (b *builder) eachHarvest() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range b.facts.harvests {
			if !yield(i + 1) {
				return
			}
		}
		yield(0)
	}
}

// writePagesDocument writes the document of one harvest, if it has pages or other objects.
func (b *builder) writePagesDocument(harvest int, refs []ref, links *foundReader) error {
	some := false
	for i := range refs {
		err := b.eachObject(&refs[i], func(*content) error { some = true; return errEnough })
		if err != nil && !errors.Is(err, errEnough) {
			return err
		}
	}
	if !some {
		return nil
	}
	d := &aip.MadeFile{ID: aip.PagesMETSFileID(harvest), Path: aip.PagesMETSOf(harvest)}
	reasons := make([]string, len(refs))
	for i := range refs {
		reasons[i] = refs[i].restricted
	}
	d.Restrictions = b.restrictionsOf(reasons...)
	b.docs.harvests[harvest] = d
	label := b.result.Title
	if harvest > 0 {
		label = b.facts.harvests[harvest-1].label()
	}
	w := &pagesWriter{b: b, harvest: harvest, refs: refs, links: links, dest: d.Path}
	return b.writeDocument(d, mets.Root{Label: label, Profile: aip.ProfilePagesMETS}, w.write)
}

// eachObject visits the web pages and other objects of a website in a container.
func (b *builder) eachObject(r *ref, visit func(*content) error) error {
	return b.contents.each(r.rows, func(c *content) error {
		if !r.layout.holds(c) || !c.page() && !c.associated() {
			return nil
		}
		return visit(c)
	})
}

// pagesWriter writes the document of one harvest's pages.
type pagesWriter struct {
	b       *builder
	harvest int
	refs    []ref
	links   *foundReader
	dest    string
}

func (p *pagesWriter) write(w *mets.Writer) error {
	for i := range p.refs {
		if err := p.b.pageDescriptionsOf(w, &p.refs[i]); err != nil {
			return err
		}
	}
	p.rights(w)
	if err := p.files(w); err != nil {
		return err
	}
	w.StartStructMap(mets.StructMap{Type: "logical"})
	w.StartDiv(mets.Div{Type: "website", Label: p.b.result.Title})
	if p.harvest > 0 {
		w.StartDiv(mets.Div{Type: "harvest", Label: p.b.facts.harvests[p.harvest-1].label()})
	}
	for i := range p.refs {
		if err := p.b.pages(w, p.harvest, &p.refs[i], p.links); err != nil {
			return err
		}
	}
	if p.harvest > 0 {
		w.EndDiv()
	}
	if err := p.elsewhere(w); err != nil {
		return err
	}
	w.EndDiv()
	w.EndStructMap()
	return p.b.structLinksOf(w, p.harvest, p.links)
}

// elsewhere writes a div for each page of another harvest to which a link leads: labels are valid
// within one document.
func (p *pagesWriter) elsewhere(w *mets.Writer) error {
	if !p.b.linked() {
		return nil
	}
	return p.links.eachElsewhere(p.harvest, func(to place) error {
		id := pageLabel(to)
		href := mets.Href(aip.Relative(p.dest, aip.PagesMETSOf(p.b.harvestOf[to.container]))) + "#" + id
		w.StartDiv(mets.Div{Type: "page of another harvest", XLinkLabel: id})
		w.Mptr(mets.Mptr{Location: mets.Location{LocType: "URL", Href: href}})
		w.EndDiv()
		return w.Err()
	})
}

// rights repeats the statements about certain URLs: a reference cannot lead to another document.
func (p *pagesWriter) rights(w *mets.Writer) {
	open := false
	for i := range p.b.rights {
		s := &p.b.rights[i]
		if !ofURLs(s) || s.Scope.Harvest != 0 && s.Scope.Harvest != p.harvest {
			continue
		}
		if !open {
			w.StartAmdSec(aip.PackageAmdID)
			open = true
		}
		p.b.rightsSection(w, s.ID, s.Premis(p.b.identify(s.ID), nil))
	}
	if open {
		w.EndAmdSec()
	}
}

// files writes the bytestreams of the pages. Their places are in the documents of the containers.
func (p *pagesWriter) files(w *mets.Writer) error {
	w.StartFileSec("")
	w.StartFileGrp(mets.FileGrp{Use: aip.UseContainers})
	for i := range p.refs {
		r := &p.refs[i]
		err := p.b.eachObject(r, func(c *content) error {
			w.File(p.file(r, c))
			return w.Err()
		})
		if err != nil {
			return err
		}
	}
	w.EndFileGrp()
	w.EndFileSec()
	return w.Err()
}

func (p *pagesWriter) file(r *ref, c *content) mets.File {
	id := c.shownID(r.n)
	to := aip.METSName
	if !p.b.inPackage(c) {
		to = p.b.docs.containers[r.n].Path
	}
	return mets.File{ID: id, OwnerID: c.URI, FileCore: c.shownCore(r.recordType), Locations: []mets.FLocat{{
		Location: mets.Location{LocType: "URL", Href: mets.Href(aip.Relative(p.dest, to)) + "#" + id}}}}
}
