package mods

import (
	"slices"

	"quire/metadata/xmlstream"
)

func (r reader) origin(dst *[]Origin, e xmlstream.Element) error {
	o := Origin{EventType: e.Attr("eventType"), EventTypeURI: e.Attr("eventTypeURI"), Label: e.Attr("displayLabel")}
	err := r.each(func(e xmlstream.Element) error {
		if slices.Contains(dateKinds, e.Local) {
			return r.date(&o.Dates, e.Local, e)
		}
		switch e.Local {
		case "place":
			return r.each(func(e xmlstream.Element) error {
				if e.Local != "placeTerm" {
					return r.Unknown()
				}
				return r.term(&o.Places, e)
			})
		case "publisher":
			return r.text(&o.Publishers)
		case "edition":
			return r.TextTo(&o.Edition)
		case "issuance":
			return r.TextTo(&o.Issuance)
		case "frequency":
			return r.TextTo(&o.Frequency)
		}
		return r.Unknown()
	})
	*dst = append(*dst, o)
	return err
}

func (r reader) date(dst *[]Date, kind string, e xmlstream.Element) error {
	d := Date{Kind: kind, Encoding: e.Attr("encoding"), Point: e.Attr("point"), Qualifier: e.Attr("qualifier"),
		Key: e.Attr("keyDate") == "yes"}
	err := r.TextTo(&d.Text)
	*dst = append(*dst, d)
	return err
}

func (r reader) language(dst *[]Language) error {
	var l Language
	err := r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "languageTerm":
			return r.term(&l.Terms, e)
		case "scriptTerm":
			return r.term(&l.Scripts, e)
		}
		return r.Unknown()
	})
	*dst = append(*dst, l)
	return err
}

func (r reader) physical(dst *[]Physical) error {
	var p Physical
	err := r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "form":
			return r.term(&p.Forms, e)
		case "internetMediaType":
			return r.text(&p.MediaTypes)
		case "extent":
			return r.text(&p.Extents)
		case "digitalOrigin":
			return r.TextTo(&p.DigitalOrigin)
		case "note":
			return r.note(&p.Notes, e)
		}
		return r.Unknown()
	})
	*dst = append(*dst, p)
	return err
}

func (r reader) subject(dst *[]Subject, e xmlstream.Element) error {
	s := Subject{Authority: e.Attr("authority"), AuthorityURI: e.Attr("authorityURI"), ValueURI: e.Attr("valueURI")}
	err := r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "topic":
			return r.term(&s.Topics, e)
		case "geographic":
			return r.term(&s.Geographics, e)
		case "temporal":
			return r.term(&s.Temporals, e)
		case "genre":
			return r.term(&s.Genres, e)
		}
		return r.Unknown()
	})
	*dst = append(*dst, s)
	return err
}

// related reads a relatedItem, which may contain others; the reader bounds the depth.
func (r reader) related(dst *[]RelatedItem, e xmlstream.Element) error {
	item := RelatedItem{Type: e.Attr("type"), OtherType: e.Attr("otherType"), Label: e.Attr("displayLabel"),
		Href: e.AttrNS(xlink, "href")}
	err := r.content(&item.Content)
	*dst = append(*dst, item)
	return err
}

func (r reader) location(dst *[]Location) error {
	var l Location
	err := r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "physicalLocation":
			return r.term(&l.Physical, e)
		case "shelfLocator":
			return r.text(&l.ShelfLocators)
		case "url":
			u := URL{Label: e.Attr("displayLabel"), Usage: e.Attr("usage"), Access: e.Attr("access"),
				Note:         e.Attr("note"),
				LastAccessed: e.Attr("dateLastAccessed")}
			err := r.TextTo(&u.Text)
			l.URLs = append(l.URLs, u)
			return err
		}
		return r.Unknown()
	})
	*dst = append(*dst, l)
	return err
}

func (r reader) recordInfo(dst *[]RecordInfo) error {
	var info RecordInfo
	err := r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "recordContentSource":
			return r.term(&info.Sources, e)
		case "recordCreationDate":
			return r.date(&info.Created, "", e)
		case "recordChangeDate":
			return r.date(&info.Changed, "", e)
		case "recordIdentifier":
			id := RecordIdentifier{Source: e.Attr("source")}
			err := r.TextTo(&id.Text)
			info.Identifiers = append(info.Identifiers, id)
			return err
		case "languageOfCataloging":
			return r.language(&info.Languages)
		case "recordOrigin":
			return r.text(&info.Origins)
		case "descriptionStandard":
			return r.term(&info.Standards, e)
		case "recordInfoNote":
			return r.note(&info.Notes, e)
		}
		return r.Unknown()
	})
	*dst = append(*dst, info)
	return err
}
