package mets

import (
	"quire/metadata/xmlstream"
)

func (m *reader) structMap(e xmlstream.Element) error {
	if m.h.StructMap != nil {
		s := StructMap{ID: e.Attr("ID"), Type: e.Attr("TYPE"), Label: e.Attr("LABEL")}
		if err := m.h.StructMap(s); err != nil {
			return err
		}
	}
	return m.children(kStructMap, func(c xmlstream.Element) error { return m.div(c, 0) })
}

func (m *reader) div(e xmlstream.Element, depth int) error {
	if m.h.Div != nil {
		if err := m.h.Div(readDiv(e), depth); err != nil {
			return err
		}
	}
	err := m.children(kDiv, func(c xmlstream.Element) error {
		switch c.Local {
		case "mptr":
			return m.mptr(c)
		case "fptr":
			return m.fptr(c)
		}
		return m.div(c, depth+1)
	})
	if err != nil || m.h.EndDiv == nil {
		return err
	}
	return m.h.EndDiv()
}

func readDiv(e xmlstream.Element) (d Div) {
	for i := range e.Attrs {
		a := &e.Attrs[i]
		if a.Space == XLinkNamespace && a.Local == "label" {
			d.XLinkLabel = a.Value
		}
		if a.Space != "" {
			continue
		}
		switch a.Local {
		case "ID":
			d.ID = a.Value
		case "ORDER":
			d.Order, _ = xmlstream.ParseInt(a.Value) // check has reported any error
		case "ORDERLABEL":
			d.OrderLabel = a.Value
		case "LABEL":
			d.Label = a.Value
		case "DMDID":
			d.DmdID = fields(a.Value)
		case "ADMID":
			d.AdmID = fields(a.Value)
		case "TYPE":
			d.Type = a.Value
		case "CONTENTIDS":
			d.ContentIDs = fields(a.Value)
		}
	}
	return d
}

func (m *reader) mptr(e xmlstream.Element) error {
	if m.h.Mptr != nil {
		p := Mptr{ID: e.Attr("ID"), Location: readLocation(e), ContentIDs: fields(e.Attr("CONTENTIDS"))}
		if err := m.h.Mptr(p); err != nil {
			return err
		}
	}
	return m.empty("mptr")
}

func (m *reader) fptr(e xmlstream.Element) error {
	p := Fptr{ID: e.Attr("ID"), FileID: e.Attr("FILEID"), ContentIDs: fields(e.Attr("CONTENTIDS"))}
	parts := 0
	err := m.leaf("fptr", func(c xmlstream.Element) error {
		if parts++; parts > 1 {
			return m.problem("fptr can contain only one of area, par and seq")
		}
		switch c.Local {
		case "area":
			m.area = readArea(c)
			p.Area = &m.area
			return m.empty("area")
		case "par":
			return m.par(&p)
		case "seq":
			return m.other(c)
		}
		return m.unexpected(c, "fptr")
	})
	if err != nil || m.h.Fptr == nil {
		return err
	}
	return m.h.Fptr(p)
}

// maxPar bounds the areas of one par kept in memory.
const maxPar = 100_000

// par reads files that are presented together. A seq within it is passed to Other.
func (m *reader) par(p *Fptr) error {
	some := false
	err := m.leaf("par", func(c xmlstream.Element) error {
		some = true
		switch c.Local {
		case "area":
			if len(p.Par) == maxPar {
				return m.r.Errorf("more than %d areas in a par, the limit", maxPar)
			}
			p.Par = append(p.Par, readArea(c))
			return m.empty("area")
		case "seq":
			return m.other(c)
		}
		return m.unexpected(c, "par")
	})
	if err == nil && !some {
		err = m.problem("par is empty")
	}
	return err
}

func readArea(e xmlstream.Element) (out Area) {
	for i := range e.Attrs {
		a := &e.Attrs[i]
		if a.Space != "" {
			continue
		}
		switch a.Local {
		case "ID":
			out.ID = a.Value
		case "FILEID":
			out.FileID = a.Value
		case "SHAPE":
			out.Shape = a.Value
		case "COORDS":
			out.Coords = a.Value
		case "BEGIN":
			out.Begin = a.Value
		case "END":
			out.End = a.Value
		case "BETYPE":
			out.BEType = a.Value
		case "EXTENT":
			out.Extent = a.Value
		case "EXTTYPE":
			out.ExtType = a.Value
		case "ADMID":
			out.AdmID = fields(a.Value)
		}
	}
	return out
}

func (m *reader) smLink(e xmlstream.Element) error {
	if e.Local != "smLink" {
		return m.other(e)
	}
	l := readSmLink(e)
	if l.From == "" || l.To == "" {
		if err := m.problem("smLink needs xlink:from and xlink:to"); err != nil {
			return err
		}
	}
	if m.h.SmLink != nil {
		if err := m.h.SmLink(l); err != nil {
			return err
		}
	}
	return m.empty("smLink")
}

func readSmLink(e xmlstream.Element) (l SmLink) {
	for i := range e.Attrs {
		switch a := &e.Attrs[i]; {
		case a.Space == "" && a.Local == "ID":
			l.ID = a.Value
		case a.Space != XLinkNamespace:
		case a.Local == "from":
			l.From = a.Value
		case a.Local == "to":
			l.To = a.Value
		case a.Local == "arcrole":
			l.ArcRole = a.Value
		case a.Local == "title":
			l.Title = a.Value
		}
	}
	return l
}
