package ead

import (
	"slices"

	"quire/metadata/xmlstream"
)

// did writes the identification of the unit.
func (w writer) did(u *Unit) {
	w.Start("ead:did")
	for _, t := range u.Titles {
		w.text("ead:unittitle", t)
	}
	w.ElementOpt("ead:unitid", u.ID)
	for _, d := range u.Dates {
		w.date(d)
	}
	for _, n := range u.Originated {
		w.Start("ead:origination")
		w.point(w.nameElement(n.Kind), n.Text, n.Role)
		w.End("ead:origination")
	}
	for _, k := range u.Keepers {
		w.Start("ead:repository")
		w.point("corpname", k, "")
		w.End("ead:repository")
	}
	for _, e := range u.Extents {
		w.extent(e)
	}
	if len(u.Languages) > 0 {
		w.Start("ead:langmaterial")
		for _, l := range u.Languages {
			w.Start("ead:language")
			w.lang(l.Lang)
			w.AttrOpt("langcode", l.Code)
			w.Text(l.Text.Text)
			w.End("ead:language")
		}
		w.End("ead:langmaterial")
	}
	for _, a := range u.Addresses {
		w.address(a)
	}
	w.End("ead:did")
}

// nameElement returns the element of a name of that kind.
func (w writer) nameElement(kind string) string {
	if kind == "" {
		return "name"
	}
	if !slices.Contains(nameKinds, kind) {
		w.failf("%.40q is not a kind of name", kind)
	}
	return kind
}

func (w writer) text(name string, t Text) {
	w.Start(name)
	w.lang(t.Lang)
	w.Text(t.Text)
	w.End(name)
}

func (w writer) date(d Date) {
	if d.Normal != "" && !IsNormal(d.Normal) {
		w.failf("%.40q is not a date: want year, month or day, or two with / between", d.Normal)
	}
	w.Start("ead:unitdate")
	w.lang(d.Lang)
	w.AttrOpt("datechar", d.Char)
	w.AttrOpt("normal", d.Normal)
	w.Text(d.Text.Text)
	w.End("ead:unitdate")
}

// point writes a name or a term. EAD3 requires parts within it.
func (w writer) point(kind string, t Text, role string) {
	w.Start("ead:" + kind)
	w.lang(t.Lang)
	w.AttrOpt(w.role(), role)
	if w.v == EAD3 {
		w.Element("ead:part", t.Text)
	} else {
		w.Text(t.Text)
	}
	w.End("ead:" + kind)
}

func (w writer) role() string {
	if w.v == EAD3 {
		return "relator"
	}
	return "role"
}

// extent writes a physdesc. In EAD 2002 it contains an extent.
func (w writer) extent(t Text) {
	w.Start("ead:physdesc")
	w.lang(t.Lang)
	if w.v == EAD3 {
		w.Text(t.Text)
	} else {
		w.Element("ead:extent", t.Text)
	}
	w.End("ead:physdesc")
}

func (w writer) address(a Address) {
	if a.Href == "" || !xmlstream.IsURI(a.Href) {
		w.failf("the schema requires a URI, but the address %.80q is none; put it in a note", a.Href)
	}
	w.Start("ead:dao")
	if w.v == EAD3 {
		w.Attr("daotype", "borndigital")
		w.Attr("href", a.Href)
		w.AttrOpt("linktitle", a.Title)
	} else {
		w.Attr("xlink:type", "simple")
		w.Attr("xlink:href", a.Href)
		w.AttrOpt("xlink:title", a.Title)
	}
	w.End("ead:dao")
}
