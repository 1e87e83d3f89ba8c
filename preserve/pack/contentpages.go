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
	l := r.layout
	declared, err := b.web.reader(r.pages)
	if err != nil {
		return err
	}
	return b.contents.each(r.rows, func(c *content) error {
		if !l.holds(c) {
			return nil
		}
		div := mets.Div{Label: c.URI, OrderLabel: xmlstream.FormatTime(c.Date),
			DmdID: b.described.ofRecord(r.n, c.Order), AdmID: b.rightsOfURL(c.URI, harvest)}
		switch {
		case c.page():
			div.Type = "web page"
		case c.associated():
			div.Type = "associated object"
		default:
			return nil
		}
		row, err := declared.of(c)
		if err != nil {
			return err
		}
		if !c.page() {
			row = nil
		}
		return b.pageDiv(w, r.n, c, div, row)
	})
}

// pageDiv writes one div, with the metadata that the page declares, if known, and its links, if the
// profile includes them.
func (b *builder) pageDiv(w *mets.Writer, n int, c *content, div mets.Div, row *pageRow) error {
	if row != nil && row.declared.HasMetadata() {
		div.DmdID = slices.Concat(div.DmdID, []string{aip.PageDmdID(n, c.Order)}) // after the curators' descriptions
	}
	if b.linked() {
		div.XLinkLabel = pageLabel(place{n, c.Order})
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
