package premis

import "quire/metadata/xmlstream"

// ReadRights reads the current premis:rights. The content of a rightsExtension goes to ext, element
// by element.
func ReadRights(x *xmlstream.Reader, ext Extension) (Rights, error) {
	r := newReader(x, ext)
	out := Rights{XMLID: r.Element().Attr("xmlID")}
	err := r.root("rights", func(c xmlstream.Element) error {
		switch c.Local {
		case "rightsStatement":
			s, err := r.statement()
			out.Statements = append(out.Statements, s)
			return err
		case "rightsExtension":
			return r.extensions()
		}
		return r.Unknown()
	})
	return out, err
}

func (r reader) statement() (Statement, error) {
	var s Statement
	err := r.each(func(local string) (err error) {
		switch local {
		case "rightsStatementIdentifier":
			s.Identifier, err = r.identifier(&statementIdentifier, nil)
			return err
		case "rightsBasis":
			return r.termTo(&s.Basis)
		case "copyrightInformation":
			return r.copyright(&s)
		case "licenseInformation":
			return r.license(&s)
		case "statuteInformation":
			return r.statute(&s)
		case "otherRightsInformation":
			return r.otherRights(&s)
		case "rightsGranted":
			return r.grant(&s)
		case "linkingObjectIdentifier":
			return r.addLink(&linkingObject, &s.Objects)
		case "linkingAgentIdentifier":
			return r.addLink(&linkingAgent, &s.Agents)
		}
		return r.Unknown()
	})
	return s, err
}

func (r reader) copyright(s *Statement) error {
	c := &Copyright{}
	s.Copyright = c
	return r.each(func(local string) error {
		switch local {
		case "copyrightStatus":
			return r.termTo(&c.Status)
		case "copyrightJurisdiction":
			return r.termTo(&c.Jurisdiction)
		case "copyrightStatusDeterminationDate":
			return r.TextTo(&c.Determined)
		case "copyrightNote":
			return r.addText(&c.Notes)
		case "copyrightDocumentationIdentifier":
			return r.addDocument(&copyrightDocument, &c.Documents)
		case "copyrightApplicableDates":
			return r.datesTo(&c.Applies)
		}
		return r.Unknown()
	})
}

func (r reader) license(s *Statement) error {
	l := &License{}
	s.License = l
	return r.each(func(local string) error {
		switch local {
		case "licenseDocumentationIdentifier":
			return r.addDocument(&licenseDocument, &l.Documents)
		case "licenseIdentifier": // of PREMIS 2.1, allowed in all versions 2
			if !r.old() {
				return r.Unknown()
			}
			return r.addDocument(&licenseIdentifier, &l.Documents)
		case "licenseTerms":
			return r.TextTo(&l.Terms)
		case "licenseNote":
			return r.addText(&l.Notes)
		case "licenseApplicableDates":
			return r.datesTo(&l.Applies)
		}
		return r.Unknown()
	})
}

func (r reader) statute(s *Statement) error {
	var st Statute
	err := r.each(func(local string) error {
		switch local {
		case "statuteJurisdiction":
			return r.termTo(&st.Jurisdiction)
		case "statuteCitation":
			return r.termTo(&st.Citation)
		case "statuteInformationDeterminationDate":
			return r.TextTo(&st.Determined)
		case "statuteNote":
			return r.addText(&st.Notes)
		case "statuteDocumentationIdentifier":
			return r.addDocument(&statuteDocument, &st.Documents)
		case "statuteApplicableDates":
			return r.datesTo(&st.Applies)
		}
		return r.Unknown()
	})
	s.Statutes = append(s.Statutes, st)
	return err
}

func (r reader) otherRights(s *Statement) error {
	o := &OtherRights{}
	s.Other = o
	return r.each(func(local string) error {
		switch local {
		case "otherRightsDocumentationIdentifier":
			return r.addDocument(&otherRightsDocument, &o.Documents)
		case "otherRightsBasis":
			return r.termTo(&o.Basis)
		case "otherRightsApplicableDates":
			return r.datesTo(&o.Applies)
		case "otherRightsNote":
			return r.addText(&o.Notes)
		}
		return r.Unknown()
	})
}

func (r reader) grant(s *Statement) error {
	var g Grant
	err := r.each(func(local string) error {
		switch local {
		case "act":
			return r.termTo(&g.Act)
		case "restriction":
			return r.addTerm(&g.Restrictions)
		case "termOfGrant":
			return r.datesTo(&g.TermOfGrant)
		case "termOfRestriction":
			return r.datesTo(&g.TermOfRestriction)
		case "rightsGrantedNote":
			return r.addText(&g.Notes)
		}
		return r.Unknown()
	})
	s.Granted = append(s.Granted, g)
	return err
}
