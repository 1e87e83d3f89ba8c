package ead

import (
	"strings"

	"quire/metadata/xmlstream"
)

func (r reader) did(u *Unit) error {
	return r.each(func(e xmlstream.Element) error {
		t := Text{Lang: e.Attr("lang")}
		var err error
		switch e.Local {
		case "unittitle":
			err = r.TextTo(&t.Text)
			u.Titles = append(u.Titles, t)
		case "unitid":
			err = r.TextTo(&u.ID)
		case "unitdate":
			err = r.TextTo(&t.Text)
			u.Dates = append(u.Dates, Date{t, e.Attr("normal"), e.Attr("datechar")})
		case "origination":
			err = r.names(func(kind string, t Text, role string) {
				if kind == "name" {
					kind = ""
				}
				u.Originated = append(u.Originated, Name{kind, t, role})
			})
		case "repository":
			err = r.names(func(_ string, t Text, _ string) { u.Keepers = append(u.Keepers, t) })
		case "physdesc":
			err = r.extents(u, t)
		case "langmaterial":
			err = r.languages(u)
		case "dao":
			u.Addresses = append(u.Addresses, r.address(e))
			err = r.Skip()
		default:
			err = r.Unknown()
		}
		return err
	})
}

// names reads the names of persons, families and organizations in an origination or repository
// element. Other elements are reported as unknown.
func (r reader) names(found func(kind string, t Text, role string)) error {
	return r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "name", "corpname", "persname", "famname":
			t, err := r.point(e)
			found(e.Local, t, e.Attr(writer{v: r.v}.role()))
			return err
		}
		return r.Unknown()
	})
}

// point reads a name or a term; it joins the parts of EAD3 as a catalogue displays them.
func (r reader) point(e xmlstream.Element) (Text, error) {
	t := Text{Lang: e.Attr("lang")}
	if r.v == EAD2002 {
		return t, r.TextTo(&t.Text)
	}
	var parts []string
	err := r.each(func(e xmlstream.Element) error {
		if e.Local != "part" {
			return r.Unknown()
		}
		part, err := r.Text()
		parts = append(parts, part)
		return err
	})
	t.Text = strings.Join(parts, " -- ")
	return t, err
}

func (r reader) extents(u *Unit, t Text) error {
	if r.v == EAD3 {
		err := r.TextTo(&t.Text)
		u.Extents = append(u.Extents, t)
		return err
	}
	return r.each(func(e xmlstream.Element) error {
		if e.Local != "extent" {
			return r.Unknown()
		}
		err := r.TextTo(&t.Text)
		u.Extents = append(u.Extents, t)
		return err
	})
}

func (r reader) languages(u *Unit) error {
	return r.each(func(e xmlstream.Element) error {
		if e.Local != "language" {
			return r.Unknown()
		}
		l := Language{Text: Text{Lang: e.Attr("lang")}, Code: e.Attr("langcode")}
		err := r.TextTo(&l.Text.Text)
		u.Languages = append(u.Languages, l)
		return err
	})
}

func (r reader) address(e xmlstream.Element) Address {
	if r.v == EAD3 {
		return Address{e.Attr("href"), e.Attr("linktitle")}
	}
	return Address{e.AttrNS(xlink, "href"), e.AttrNS(xlink, "title")}
}
