package ead

import (
	"slices"
	"strings"
	"time"

	"quire/metadata/xmlstream"
)

// Read reads the current ead element, of either version. Elements without a field go to the
// reader's OnUnknown.
func Read(x *xmlstream.Reader) (Document, Version, error) {
	e := x.Element()
	r := reader{x, Version(e.Space)}
	var d Document
	if e.Local != "ead" || r.v != EAD3 && r.v != EAD2002 {
		return d, "", r.Errorf("want ead of EAD3 or EAD 2002, found <%s> of namespace %q", e.Local, e.Space)
	}
	err := r.Whole(func() error {
		return r.each(func(e xmlstream.Element) error {
			switch e.Local {
			case "control", "eadheader":
				return r.header(&d)
			case "archdesc":
				return r.unit(&d.Unit, e)
			}
			return r.Unknown()
		})
	})
	return d, r.v, err
}

type reader struct {
	*xmlstream.Reader
	v Version
}

func (r reader) each(visit func(xmlstream.Element) error) error { return r.EachIn(string(r.v), visit) }

// header reads the parts of the header that Document holds, at any place in it.
func (r reader) header(d *Document) error {
	return r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "recordid", "eadid":
			return r.TextTo(&d.ID)
		case "titleproper":
			return r.TextTo(&d.Title)
		case "agencyname", "publisher":
			return r.TextTo(&d.Agency)
		case "agent":
			return r.TextTo(&d.Software)
		case "eventdatetime":
			return r.created(d)
		case "filedesc", "titlestmt", "publicationstmt", "maintenanceagency", "maintenancehistory", "maintenanceevent",
			"profiledesc":
			return r.header(d)
		case "maintenancestatus", "eventtype", "agenttype":
			return r.Skip()
		}
		return r.Unknown()
	})
}

func (r reader) created(d *Document) error {
	text, err := r.Text()
	if err != nil {
		return err
	}
	// dates that other tools write in words stay unread
	for _, layout := range []string{time.RFC3339, "2006-01-02", "2006-01", "2006"} {
		if d.Created, err = time.Parse(layout, text); err == nil {
			d.Created = d.Created.UTC()
			break
		}
	}
	return nil
}

// unit reads an archdesc or a component.
func (r reader) unit(u *Unit, e xmlstream.Element) error {
	if u.Level = e.Attr("level"); u.Level == "otherlevel" {
		u.Level = e.Attr("otherlevel")
	}
	return r.each(func(e xmlstream.Element) error {
		switch {
		case e.Local == "did":
			return r.did(u)
		case e.Local == "controlaccess":
			return r.access(u)
		case e.Local == "dsc":
			return r.parts(u)
		case isComponent(e.Local):
			return r.part(u, e)
		case slices.Contains(NoteKinds, e.Local):
			return r.note(u, e)
		}
		return r.Unknown()
	})
}

// isComponent reports whether an element is a component, numbered or not: c, c01 to c12.
func isComponent(name string) bool {
	return name == "c" || len(name) == 3 && name[0] == 'c' && strings.Trim(name[1:], "0123456789") == ""
}

func (r reader) parts(u *Unit) error {
	return r.each(func(e xmlstream.Element) error {
		if isComponent(e.Local) {
			return r.part(u, e)
		}
		return r.Unknown()
	})
}

func (r reader) part(u *Unit, e xmlstream.Element) error {
	var part Unit
	err := r.unit(&part, e)
	u.Parts = append(u.Parts, part)
	return err
}

// note reads a note. Each of several paragraphs becomes a note.
func (r reader) note(u *Unit, e xmlstream.Element) error {
	n := Note{Kind: e.Local}
	lang := e.Attr("lang")
	return r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "head":
			return r.TextTo(&n.Head)
		case "p":
			n.Text = Text{Lang: lang}
			err := r.TextTo(&n.Text.Text)
			u.Notes = append(u.Notes, n)
			return err
		}
		return r.Unknown()
	})
}

func (r reader) access(u *Unit) error {
	return r.each(func(e xmlstream.Element) error {
		if !slices.Contains(TermKinds, e.Local) {
			return r.Unknown()
		}
		text, err := r.point(e)
		u.Access = append(u.Access, Term{e.Local, text, e.Attr(writer{v: r.v}.role())})
		return err
	})
}
