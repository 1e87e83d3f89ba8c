package mets

import (
	"strings"

	"quire/metadata/xmlstream"
)

// StartStructMap opens a structMap. It contains exactly one division, and METS requires at least
// one structMap.
func (w *Writer) StartStructMap(m StructMap) {
	if !w.begin(kMets, kStructMap) {
		return
	}
	w.id(m.ID, false)
	w.x.AttrOpt("TYPE", m.Type)
	w.x.AttrOpt("LABEL", m.Label)
}

// EndStructMap closes the structMap.
func (w *Writer) EndStructMap() { w.end(kStructMap) }

// StartDiv opens a division, in the structMap or in another division. In a division, pointers come
// before divisions.
func (w *Writer) StartDiv(d Div) {
	parent := kStructMap
	if len(w.open) > 0 && w.open[len(w.open)-1].kind == kDiv {
		parent = kDiv
	}
	if !w.begin(parent, kDiv) {
		return
	}
	w.id(d.ID, false)
	w.x.AttrIntOpt("ORDER", d.Order)
	w.x.AttrOpt("ORDERLABEL", d.OrderLabel)
	w.x.AttrOpt("LABEL", d.Label)
	w.x.AttrListOpt("DMDID", d.DmdID)
	w.x.AttrListOpt("ADMID", d.AdmID)
	w.x.AttrOpt("TYPE", d.Type)
	w.contentIDs(d.ContentIDs)
	w.x.AttrOpt("xlink:label", d.XLinkLabel)
}

// EndDiv closes the division.
func (w *Writer) EndDiv() { w.end(kDiv) }

// Mptr writes a pointer to another METS document into the open division.
func (w *Writer) Mptr(m Mptr) {
	if !w.admit(kDiv, "mptr") {
		return
	}
	w.x.Start("mets:mptr")
	w.id(m.ID, false)
	w.location(&m.Location)
	w.contentIDs(m.ContentIDs)
	w.x.End("mets:mptr")
}

// Fptr writes a pointer to a file, or a part of one, into the open division.
func (w *Writer) Fptr(f Fptr) {
	if !w.admit(kDiv, "fptr") {
		return
	}
	w.x.Start("mets:fptr")
	w.id(f.ID, false)
	w.idref("FILEID", f.FileID)
	w.contentIDs(f.ContentIDs)
	if f.Area != nil {
		w.area(f.Area)
	}
	if len(f.Par) > 0 {
		w.x.Start("mets:par")
		for i := range f.Par {
			w.area(&f.Par[i])
		}
		w.x.End("mets:par")
	}
	w.x.End("mets:fptr")
}

func (w *Writer) area(a *Area) {
	if a.FileID == "" {
		w.failf("area needs a FILEID")
		return
	}
	w.x.Start("mets:area")
	w.id(a.ID, false)
	w.idref("FILEID", a.FileID)
	w.oneOf("SHAPE", a.Shape, shapes, false)
	w.x.AttrOpt("COORDS", a.Coords)
	w.x.AttrOpt("BEGIN", a.Begin)
	w.x.AttrOpt("END", a.End)
	w.oneOf("BETYPE", a.BEType, beTypes, false)
	w.x.AttrOpt("EXTENT", a.Extent)
	w.oneOf("EXTTYPE", a.ExtType, extTypes, false)
	w.x.AttrListOpt("ADMID", a.AdmID)
	w.x.End("mets:area")
}

// IsContentID reports whether CONTENTIDS can have the text as one of its URIs.
func IsContentID[T string | []byte](u T) bool {
	return len(u) > 0 && !hasSpace(u) && xmlstream.IsURI(u)
}

// hasSpace is faster than strings.ContainsAny, for the millions of links of a crawl.
func hasSpace[T string | []byte](s T) bool {
	for i := range len(s) {
		if c := s[i]; c == ' ' || c == '\t' || c == '\r' || c == '\n' {
			return true
		}
	}
	return false
}

// contentIDs writes a list of URIs separated by spaces: a URI with a space in it would become two.
func (w *Writer) contentIDs(uris []string) {
	for _, u := range uris {
		if !IsContentID(u) {
			w.failf("CONTENTIDS: %q cannot be in a list of URIs; percent-encode it", u)
			return
		}
	}
	if len(uris) > 0 {
		w.x.Attr("CONTENTIDS", strings.Join(uris, " "))
	}
}

// StartStructLink opens the structLink: links between divisions.
func (w *Writer) StartStructLink(id string) {
	if w.begin(kMets, kStructLink) {
		w.id(id, false)
	}
}

// EndStructLink closes the structLink, which must contain a link.
func (w *Writer) EndStructLink() { w.end(kStructLink) }

// SmLink writes one link into the structLink.
func (w *Writer) SmLink(l SmLink) {
	if !w.admit(kStructLink, "smLink") {
		return
	}
	if l.From == "" || l.To == "" {
		w.failf("smLink needs both ends: from %q to %q", l.From, l.To)
		return
	}
	if !xmlstream.IsURI(l.ArcRole) {
		w.failf("smLink: the arcrole %q is not a URI", l.ArcRole)
		return
	}
	w.x.Start("mets:smLink")
	w.id(l.ID, false)
	w.x.AttrOpt("xlink:arcrole", l.ArcRole)
	w.x.AttrOpt("xlink:title", l.Title)
	w.x.Attr("xlink:to", l.To)
	w.x.Attr("xlink:from", l.From)
	w.x.End("mets:smLink")
}
