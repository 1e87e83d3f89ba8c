package pack

import (
	"slices"

	"quire/format/warc"
	"quire/metadata/mets"
	"quire/metadata/xmlstream"
	"quire/preserve/aip"
)

// pages writes a div for each web page and each other object in a container into the div of its
// harvest (docs/reference/310_package-format.md, 2.10). Rights for certain URLs are linked only
// from those.
func (b *builder) pages(w *mets.Writer, harvest int, r *ref, links *foundReader) error {
	declared, err := b.web.reader(r.pages)
	if err != nil {
		return err
	}
	return b.eachObject(r, func(c *content) error {
		div := mets.Div{Type: aip.AssociatedObject, Label: c.URI, OrderLabel: xmlstream.FormatTime(c.Date),
			AdmID: b.rightsOfURL(c.URI, harvest)}
		if b.o.METS == Single {
			div.DmdID = b.described.ofRecord(r.n, c.Order)
		}
		row, err := declared.of(c)
		if err != nil {
			return err
		}
		if !c.page() {
			row = nil
		} else if inline, err := links.inlineOnly(harvest, place{r.n, c.Order}); err != nil {
			return err
		} else if !inline || b.front.isSeedURL(c.URI) {
			div.Type = aip.WebPage
		}
		p := pageDiv{div: div, content: c, row: row, at: place{r.n, c.Order}, harvest: harvest}
		return b.writePage(w, &p, links)
	})
}

// describedPages writes the pages that a sheet describes, each with a pointer to the page in its
// document: a reference cannot lead to another document.
func (b *builder) describedPages(w *mets.Writer, harvest int, refs []ref) error {
	d := b.docs.harvests[harvest]
	if d == nil || b.described == nil || len(b.described.places) == 0 {
		return nil
	}
	for i := range refs {
		r := &refs[i]
		if r.group != containers || !b.described.hasPages(r.n) {
			continue
		}
		err := b.eachObject(r, func(c *content) error {
			ids := b.described.ofRecord(r.n, c.Order)
			if len(ids) == 0 {
				return nil
			}
			w.StartDiv(mets.Div{Type: aip.WebPage, Label: c.URI, OrderLabel: xmlstream.FormatTime(c.Date), DmdID: ids})
			w.Mptr(mets.Mptr{Location: mets.Location{LocType: "URL",
				Href: mets.Href(d.Path) + "#" + pageLabel(place{r.n, c.Order})}})
			w.EndDiv()
			return w.Err()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// pageDiv is a page or another object.
type pageDiv struct {
	div     mets.Div
	content *content
	row     *pageRow // the declarations of the page; nil if it is no page, or was not read
	at      place
	harvest int
}

// writePage writes one div: the files, the metadata that the page declares, and its links, if the
// profile includes them.
func (b *builder) writePage(w *mets.Writer, p *pageDiv, links *foundReader) error {
	div := p.div
	if p.row != nil && p.row.declared.HasMetadata() {
		// after the curators' descriptions
		div.DmdID = slices.Concat(div.DmdID, []string{aip.PageDmdID(p.at.container, p.at.order)})
	}
	if label := pageLabel(p.at); b.linked() {
		div.ID, div.XLinkLabel = label, label
	} else if b.o.METS != Single {
		div.ID = label
	}
	w.StartDiv(div)
	f, err := b.pageFiles(p, links)
	if err != nil {
		return err
	}
	if p.content.Type == warc.TypeRevisit {
		if err := b.repeated(w, p, links, &f); err != nil {
			return err
		}
	}
	w.Fptr(f)
	if p.row != nil && b.linked() {
		if err := b.hyperlinks(w, p.at.container, p.content, p.row); err != nil {
			return err
		}
	}
	w.EndDiv()
	return w.Err()
}

// pageFiles points to the file of a page and, beside it, to the files that the page loads
// (docs/reference/310_package-format.md, 2.10). Files of other harvests are in other documents.
func (b *builder) pageFiles(p *pageDiv, links *foundReader) (mets.Fptr, error) {
	id := p.content.shownID(p.at.container)
	par := []mets.Area{{FileID: id}}
	err := links.eachEmbedded(p.harvest, p.at, func(f embeddedFile) error {
		if b.o.METS == Single || b.harvestOf[f.at.container] == p.harvest {
			par = append(par, mets.Area{FileID: shownFileID(f.at, f.form)})
		}
		return nil
	})
	if len(par) == 1 {
		return mets.Fptr{FileID: id}, err
	}
	return mets.Fptr{Par: par}, err
}

// repeated says where the content of a revisit record is: the file is that of the capture that it
// repeats, or the record itself, with a pointer to the document or the package that has the content.
func (b *builder) repeated(w *mets.Writer, p *pageDiv, links *foundReader, f *mets.Fptr) error {
	original, form, err := links.original(p.harvest, p.at)
	if err != nil {
		return err
	}
	switch {
	case original != (place{}) && (b.o.METS == Single || b.harvestOf[original.container] == p.harvest):
		id := shownFileID(original, form)
		if f.FileID != "" {
			f.FileID = id
		} else {
			f.Par[0].FileID = id
		}
	case original != (place{}):
		document := aip.PagesMETSOf(b.harvestOf[original.container])
		w.Mptr(mets.Mptr{Location: mets.Location{LocType: "URL",
			Href: mets.Href(aip.Relative(aip.PagesMETSOf(p.harvest),
				document)) + "#" + pageLabel(original)}})
	case p.content.HeldBy != "":
		w.Mptr(mets.Mptr{Location: mets.Location{LocType: "OTHER", OtherLocType: "package",
			Href: mets.Href(p.content.HeldBy) + "#" + mets.Href(p.content.HeldAt), Title: p.content.RefersTo}})
	}
	return w.Err()
}
