package pack

import (
	"errors"
	"fmt"
	"strconv"

	"quire/metadata/mets"
	"quire/model"
	"quire/preserve/pages"
)

// linked reports whether the METS has the links between pages.
func (b *builder) linked() bool { return b.o.Profile == Linked }

// redirected adds a redirect, if links are resolved.
func (b *builder) redirected(r *model.Record) error {
	if b.web == nil {
		return nil
	}
	return b.web.graph.redirect(r)
}

// hyperlinks writes a div for each link of a page, with the position of its start tag in the page
// as served (docs/reference/310_package-format.md, 2.14).
func (b *builder) hyperlinks(w *mets.Writer, n int, c *content, row *pageRow) error {
	to, page := row.declared.Resolver(c.URI).Remember(&b.web.known), c.shownID(n)
	return b.web.links.each(row.links, func(number int64, l *webLink) error {
		div := linkDiv(to, l)
		div.XLinkLabel = linkLabel(place{n, c.Order}, number)
		w.StartDiv(div)
		w.Fptr(mets.Fptr{Area: &mets.Area{
			FileID: page, Begin: strconv.FormatInt(l.begin, 10), End: strconv.FormatInt(l.end, 10), BEType: "BYTE",
		}})
		w.EndDiv()
		return w.Err()
	})
}

// linkDiv describes a link: its text, and the URL of its target with the fragment. A link without a
// text has the URL as its label; a text that is not a URL is not changed.
func linkDiv(to *pages.Resolver, l *webLink) mets.Div {
	div := mets.Div{Type: string(linkKinds[l.kind])}
	target, ok := to.Resolve(l.href)
	if !ok || l.cut {
		div.Label = to.Text(l.href)
		return div
	}
	url := target.URL
	if target.Fragment != "" {
		url += "#" + target.Fragment
	}
	div.Label = string(to.Words(l.text))
	if div.Label == "" || !mets.IsContentID(url) {
		div.Label = url
		return div
	}
	div.ContentIDs = []string{url}
	return div
}

// pageLabel and linkLabel return the labels of a page or other object, and of a link, in the
// structLink.
func pageLabel(p place) string {
	return "P-c" + strconv.Itoa(p.container) + "-b" + strconv.FormatInt(p.order, 10)
}

func linkLabel(p place, number int64) string {
	return "L-c" + strconv.Itoa(p.container) + "-b" + strconv.FormatInt(p.order, 10) + "-" +
		strconv.FormatInt(number, 10)
}

// structLinks writes a smLink from each link with a target in the package.
func (b *builder) structLinks(w *mets.Writer) error {
	links := b.foundLinks()
	if !b.linked() || b.web.graph.count.inside == 0 { // METS does not allow a structLink without links
		return nil
	}
	w.StartStructLink("")
	for n := range b.eachHarvest() {
		if err := links.eachLink(n, func(l foundLink) error { return smLink(w, &l) }); err != nil {
			return err
		}
	}
	w.EndStructLink()
	return w.Err()
}

// structLinksOf writes the links of the pages of one harvest.
func (b *builder) structLinksOf(w *mets.Writer, harvest int, links *foundReader) error {
	if !b.linked() {
		return nil
	}
	open := false
	err := links.eachLink(harvest, func(l foundLink) error {
		if !open {
			open = true
			w.StartStructLink("")
		}
		return smLink(w, &l)
	})
	if open {
		w.EndStructLink()
	}
	return errors.Join(err, w.Err())
}

func smLink(w *mets.Writer, l *foundLink) error {
	link := mets.SmLink{From: linkLabel(l.from, l.number), To: pageLabel(l.to)}
	if l.through != "" {
		link.Title = "through redirects: " + l.through[2:]
	}
	w.SmLink(link)
	return w.Err()
}

// linkNotes states how many links there are, and how many have a target in the package.
func (b *builder) linkNotes() []string {
	if !b.linked() {
		return nil
	}
	n := b.web.graph.count
	all := []string{fmt.Sprintf("links: %d on pages, of which %d lead to what is in the package, %d of these through "+
		"redirects", n.links, n.inside, n.through)}
	if n.leftOut > 0 {
		all = append(all,
			fmt.Sprintf("links left out: %d, of pages with more than %d; the description of each such page says how "+
				"many", n.leftOut, pages.MaxLinks))
	}
	return all
}
