package pack

import (
	"slices"

	"quire/metadata/mets"
	"quire/metadata/xmlstream"
	"quire/preserve/aip"
)

// pages writes a div for each web page and each other object in a container into the div of its
// harvest (docs/reference/310_package-format.md, 2.10). Rights for certain URLs are linked only
// from those.
func (b *builder) pages(w *mets.Writer, harvest int, r *ref) error {
	declared, err := b.web.reader(r.pages)
	if err != nil {
		return err
	}
	return b.eachObject(r, func(c *content) error {
		div := mets.Div{Type: "associated object", Label: c.URI, OrderLabel: xmlstream.FormatTime(c.Date),
			AdmID: b.rightsOfURL(c.URI, harvest)}
		if b.o.METS == Single {
			div.DmdID = b.described.ofRecord(r.n, c.Order)
		}
		row, err := declared.of(c)
		if err != nil {
			return err
		}
		if c.page() {
			div.Type = "web page"
		} else {
			row = nil
		}
		return b.pageDiv(w, r.n, c, div, row)
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
			w.StartDiv(mets.Div{Type: "web page", Label: c.URI, OrderLabel: xmlstream.FormatTime(c.Date), DmdID: ids})
			w.Mptr(mets.Mptr{Location: mets.Location{LocType: "URL",
				Href: mets.Href(d.dest) + "#" + pageLabel(place{r.n, c.Order})}})
			w.EndDiv()
			return w.Err()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// pageDiv writes one div, with the metadata that the page declares, if known, and its links, if the
// profile includes them.
func (b *builder) pageDiv(w *mets.Writer, n int, c *content, div mets.Div, row *pageRow) error {
	if row != nil && row.declared.HasMetadata() {
		div.DmdID = slices.Concat(div.DmdID, []string{aip.PageDmdID(n, c.Order)}) // after the curators' descriptions
	}
	if label := pageLabel(place{n, c.Order}); b.linked() {
		div.ID, div.XLinkLabel = label, label
	} else if b.o.METS != Single {
		div.ID = label
	}
	w.StartDiv(div)
	w.Fptr(mets.Fptr{FileID: c.shownID(n)})
	if row != nil && b.linked() {
		if err := b.hyperlinks(w, n, c, row); err != nil {
			return err
		}
	}
	w.EndDiv()
	return w.Err()
}
