package pack

import (
	"fmt"
	"strconv"

	"quire/metadata/mets"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/pages"
)

// linked reports whether the METS has the links between pages.
func (b *builder) linked() bool { return b.web != nil && b.web.graph != nil }

// redirected adds a redirect, if links are resolved.
func (b *builder) redirected(r *model.Record) error {
	if !b.linked() {
		return nil
	}
	return b.web.graph.redirect(r)
}

// hyperlinks writes a div for each link of a page, with the position of its start tag in the page
// as served (docs/reference/310_package-format.md, 2.14).
func (b *builder) hyperlinks(w *mets.Writer, n int, c *content, row *pageRow) error {
	to, page := row.declared.Resolver(c.URI), c.shownID(n)
	return b.web.eachLink(row.links, func(number int64, l *webLink) error {
		w.StartDiv(mets.Div{Type: string(l.kind), Label: shownLink(to, l),
			XLinkLabel: linkLabel(place{n, c.Order}, number)})
		w.Fptr(mets.Fptr{Area: &mets.Area{
			FileID: page, Begin: strconv.FormatInt(l.begin, 10), End: strconv.FormatInt(l.end, 10), BEType: "BYTE",
		}})
		w.EndDiv()
		return w.Err()
	})
}

// shownLink returns the URL of a link's target, with its fragment; an invalid URL is not changed.
func shownLink(to *pages.Resolver, l *webLink) string {
	target, ok := to.Resolve([]byte(l.href))
	switch {
	case !ok || l.cut:
		return to.Text([]byte(l.href))
	case target.Fragment != "":
		return target.URL + "#" + target.Fragment
	}
	return target.URL
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

// physical writes the structMap of the compressed object: the package, its containers, and the
// member of each record, or the record if it has no separate member.
func (b *builder) physical(w *mets.Writer) error {
	if !b.linked() {
		return nil
	}
	w.StartStructMap(mets.StructMap{Type: "physical"})
	w.StartDiv(mets.Div{Type: "package", Label: b.result.ID, AdmID: []string{aip.PackageObjID}})
	open := containers
	err := b.spool.Each(func(p packed) error {
		if p.Group == containers {
			return b.physicalContainer(w, &p)
		}
		if p.Group != open {
			if open != containers {
				w.EndDiv()
			}
			open = p.Group
			w.StartDiv(mets.Div{Type: divOf[open]})
		}
		w.Fptr(mets.Fptr{FileID: fileID(p.Group, p.N)})
		return w.Err()
	})
	if err != nil {
		return err
	}
	if open != containers {
		w.EndDiv()
	}
	w.EndDiv()
	w.EndStructMap()
	return w.Err()
}

func (b *builder) physicalContainer(w *mets.Writer, p *packed) error {
	w.StartDiv(mets.Div{Type: divOf[containers], Label: p.Name})
	w.Fptr(mets.Fptr{FileID: fileID(p.Group, p.N)})
	indexDiv(w, p.N)
	if p.Container != nil {
		l := layoutOf(p.Container)
		err := b.contents.each(p.Contents.Rows, func(c *content) error {
			if !l.holds(c) {
				return nil
			}
			div, id := mets.Div{Type: "record", Order: xmlstream.IntOf(c.Order)}, aip.RecordFileID(p.N, c.Order)
			if l.shape == apart {
				div.Type, id = "member", aip.MemberFileID(p.N, c.Order)
			}
			w.StartDiv(div)
			w.Fptr(mets.Fptr{FileID: id})
			w.EndDiv()
			return w.Err()
		})
		if err != nil {
			return err
		}
	}
	w.EndDiv()
	return w.Err()
}

// structLinks writes a smLink from each link with a target in the package.
func (b *builder) structLinks(w *mets.Writer) error {
	if !b.linked() || b.web.graph.count.inside == 0 { // METS does not allow a structLink without links
		return nil
	}
	w.StartStructLink("")
	err := b.web.graph.eachFound(func(l foundLink) error {
		link := mets.SmLink{From: linkLabel(l.from, l.number), To: pageLabel(l.to)}
		if l.through != "" {
			link.Title = "through redirects: " + l.through[2:]
		}
		w.SmLink(link)
		return w.Err()
	})
	if err != nil {
		return err
	}
	w.EndStructLink()
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
