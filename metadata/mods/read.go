package mods

import "quire/metadata/xmlstream"

// Read reads the current mods element, of any version 3. Elements without a field go to the
// reader's OnUnknown.
func Read(x *xmlstream.Reader) (Record, error) {
	r := reader{x}
	e := r.Element()
	out := Record{ID: e.Attr("ID")}
	if !e.Is(Namespace, "mods") {
		return out, r.Errorf("want mods of MODS 3, found <%s> of namespace %q", e.Local, e.Space)
	}
	err := r.Whole(func() error { return r.content(&out.Content) })
	return out, err
}

// reader adds the elements of MODS to an XML reader.
type reader struct{ *xmlstream.Reader }

func (r reader) each(visit func(xmlstream.Element) error) error { return r.EachIn(Namespace, visit) }

func (r reader) content(c *Content) error {
	return r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "titleInfo":
			return r.title(&c.Titles, e)
		case "name":
			return r.name(&c.Names, e)
		case "typeOfResource":
			return r.term(&c.Types, e)
		case "genre":
			return r.term(&c.Genres, e)
		case "originInfo":
			return r.origin(&c.Origins, e)
		case "language":
			return r.language(&c.Languages)
		case "physicalDescription":
			return r.physical(&c.Physical)
		case "abstract":
			return r.note(&c.Abstracts, e)
		case "tableOfContents":
			return r.note(&c.TableOfContents, e)
		case "note":
			return r.note(&c.Notes, e)
		}
		return r.links(c, e)
	})
}

// links reads the parts of a description that refer to other things.
func (r reader) links(c *Content, e xmlstream.Element) error {
	switch e.Local {
	case "subject":
		return r.subject(&c.Subjects, e)
	case "relatedItem":
		return r.related(&c.Related, e)
	case "identifier":
		return r.identifier(&c.Identifiers, e)
	case "location":
		return r.location(&c.Locations)
	case "accessCondition":
		return r.note(&c.Access, e)
	case "recordInfo":
		return r.recordInfo(&c.RecordInfo)
	}
	return r.Unknown()
}

func (r reader) term(dst *[]Term, e xmlstream.Element) error {
	t := Term{Type: e.Attr("type"), Lang: e.Attr("lang"), Authority: e.Attr("authority"),
		AuthorityURI: e.Attr("authorityURI"), ValueURI: e.Attr("valueURI")}
	err := r.TextTo(&t.Text)
	*dst = append(*dst, t)
	return err
}

func (r reader) text(dst *[]string) error {
	s, err := r.Text()
	*dst = append(*dst, s)
	return err
}

func (r reader) note(dst *[]Note, e xmlstream.Element) error {
	n := Note{Type: e.Attr("type"), Label: e.Attr("displayLabel"), Lang: e.Attr("lang"), Href: e.AttrNS(xlink, "href")}
	err := r.TextTo(&n.Text)
	*dst = append(*dst, n)
	return err
}

func (r reader) title(dst *[]Title, e xmlstream.Element) error {
	t := Title{Type: e.Attr("type"), Label: e.Attr("displayLabel"), Lang: e.Attr("lang")}
	err := r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "nonSort":
			return r.TextTo(&t.NonSort)
		case "title":
			return r.TextTo(&t.Title)
		case "subTitle":
			return r.TextTo(&t.SubTitle)
		case "partNumber":
			return r.TextTo(&t.PartNumber)
		case "partName":
			return r.TextTo(&t.PartName)
		}
		return r.Unknown()
	})
	*dst = append(*dst, t)
	return err
}

func (r reader) name(dst *[]Name, e xmlstream.Element) error {
	n := Name{Type: e.Attr("type"), Authority: e.Attr("authority"), AuthorityURI: e.Attr("authorityURI"),
		ValueURI: e.Attr("valueURI")}
	err := r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "namePart":
			p := NamePart{Type: e.Attr("type")}
			err := r.TextTo(&p.Text)
			n.Parts = append(n.Parts, p)
			return err
		case "displayForm":
			return r.TextTo(&n.DisplayForm)
		case "affiliation":
			return r.text(&n.Affiliations)
		case "role":
			return r.role(&n.Roles)
		case "description":
			return r.text(&n.Descriptions)
		case "nameIdentifier":
			return r.identifier(&n.Identifiers, e)
		}
		return r.Unknown()
	})
	*dst = append(*dst, n)
	return err
}

func (r reader) role(dst *[]Role) error {
	var role Role
	err := r.each(func(e xmlstream.Element) error {
		if e.Local != "roleTerm" {
			return r.Unknown()
		}
		return r.term(&role.Terms, e)
	})
	*dst = append(*dst, role)
	return err
}

func (r reader) identifier(dst *[]Identifier, e xmlstream.Element) error {
	id := Identifier{Type: e.Attr("type"), Label: e.Attr("displayLabel"), Invalid: e.Attr("invalid") == "yes"}
	err := r.TextTo(&id.Text)
	*dst = append(*dst, id)
	return err
}
