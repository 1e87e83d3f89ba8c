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
	to, l := row.declared.Resolver(c.URI).Remember(&b.web.known), b.linksTo(w)
	l.beginPage(place{n, c.Order}, c.shownID(n))
	return b.web.links.each(row.links, func(number int64, link *webLink) error { return l.write(to, number, link) })
}

// pageLabel returns the label of a page or other object in the structLink.
func pageLabel(p place) string { return string(appendPageLabel(nil, p)) }

// structLinks writes a smLink from each link with a target in the package.
func (b *builder) structLinks(w *mets.Writer) error {
	links := b.foundLinks()
	if !b.linked() || b.web.graph.count.inside == 0 { // METS does not allow a structLink without links
		return nil
	}
	w.StartStructLink("")
	ends := &linkEnds{w: w}
	for n := range b.eachHarvest() {
		if err := links.eachLink(n, ends.write); err != nil {
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
	open, ends := false, &linkEnds{w: w}
	err := links.eachLink(harvest, func(l foundLink) error {
		if !open {
			open = true
			w.StartStructLink("")
		}
		return ends.write(l)
	})
	if open {
		w.EndStructLink()
	}
	return errors.Join(err, w.Err())
}

// linkEnds writes the smLinks of a document.
type linkEnds struct {
	w            *mets.Writer
	form         *mets.Form // of links that lead to their target directly
	from         place      // the page of label
	shared       int        // length of the beginning of label that all links of the page share
	label, other []byte
}

var endHoles = []string{"hole-of-from", "hole-of-to"}

// write writes a link.
func (e *linkEnds) write(l foundLink) error {
	if e.label == nil {
		e.form = e.w.NewForm(endHoles, func(w *mets.Writer) {
			w.SmLink(mets.SmLink{From: endHoles[0], To: endHoles[1]})
		})
	}
	if e.label == nil || e.from != l.from {
		e.from, e.label = l.from, appendLinkLabel(e.label[:0], l.from)
		e.shared = len(e.label)
	}
	e.label = strconv.AppendInt(e.label[:e.shared], l.number, 10)
	e.other = appendPageLabel(e.other[:0], l.to)
	if l.through == "" && e.w.Fill(e.form, e.label, e.other) {
		return nil
	}
	link := mets.SmLink{From: string(e.label), To: string(e.other)}
	if l.through != "" {
		link.Title = "through redirects: " + l.through[2:]
	}
	e.w.SmLink(link)
	return e.w.Err()
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
