package premis

import "quire/metadata/xmlstream"

// WriteRights writes a premis:rights (entity 4) in PREMIS 3.0.
func WriteRights(x *xmlstream.Writer, r Rights) error { return V3.WriteRights(x, r) }

// WriteRights writes a premis:rights (entity 4).
func (d Dialect) WriteRights(x *xmlstream.Writer, r Rights) error {
	w := writer{x, d}
	if len(r.Statements) == 0 {
		w.failf("rights needs a statement")
	}
	w.root("premis:rights", r.XMLID)
	for i := range r.Statements {
		w.statement(&r.Statements[i])
	}
	w.extension("premis:rightsExtension", r.Extension)
	w.End("premis:rights")
	return w.Err()
}

func (w writer) statement(s *Statement) {
	w.Start("premis:rightsStatement")
	w.identifier(&statementIdentifier, s.Identifier)
	w.required("premis:rightsBasis", s.Basis)
	w.copyright(s.Copyright)
	w.license(s.License)
	for i := range s.Statutes {
		w.statute(&s.Statutes[i])
	}
	w.otherRights(s.Other)
	for i := range s.Granted {
		w.grant(&s.Granted[i])
	}
	w.links(&linkingObject, s.Objects)
	w.links(&linkingAgent, s.Agents)
	w.End("premis:rightsStatement")
}

func (w writer) copyright(c *Copyright) {
	if c == nil {
		return
	}
	w.Start("premis:copyrightInformation")
	w.required("premis:copyrightStatus", c.Status)
	w.required("premis:copyrightJurisdiction", c.Jurisdiction)
	w.date("premis:copyrightStatusDeterminationDate", c.Determined)
	w.texts("premis:copyrightNote", c.Notes)
	w.documents(&copyrightDocument, c.Documents)
	w.dates("premis:copyrightApplicableDates", c.Applies)
	w.End("premis:copyrightInformation")
}

func (w writer) license(l *License) {
	if l == nil {
		return
	}
	if len(l.Documents) == 0 && l.Terms == "" && len(l.Notes) == 0 && l.Applies.Start == "" {
		w.failf("licenseInformation is empty")
	}
	w.Start("premis:licenseInformation")
	w.documents(&licenseDocument, l.Documents)
	w.ElementOpt("premis:licenseTerms", l.Terms)
	w.texts("premis:licenseNote", l.Notes)
	w.dates("premis:licenseApplicableDates", l.Applies)
	w.End("premis:licenseInformation")
}

func (w writer) statute(s *Statute) {
	w.Start("premis:statuteInformation")
	w.required("premis:statuteJurisdiction", s.Jurisdiction)
	w.required("premis:statuteCitation", s.Citation)
	w.date("premis:statuteInformationDeterminationDate", s.Determined)
	w.texts("premis:statuteNote", s.Notes)
	w.documents(&statuteDocument, s.Documents)
	w.dates("premis:statuteApplicableDates", s.Applies)
	w.End("premis:statuteInformation")
}

func (w writer) otherRights(o *OtherRights) {
	if o == nil {
		return
	}
	w.Start("premis:otherRightsInformation")
	w.documents(&otherRightsDocument, o.Documents)
	w.required("premis:otherRightsBasis", o.Basis)
	w.dates("premis:otherRightsApplicableDates", o.Applies)
	w.texts("premis:otherRightsNote", o.Notes)
	w.End("premis:otherRightsInformation")
}

func (w writer) documents(n *identifierNames, list []Document) {
	for _, d := range list {
		w.openIdentifier(n, d.Identifier, "")
		w.term(n.extra, d.Role)
		w.End(n.outer)
	}
}

func (w writer) grant(g *Grant) {
	w.Start("premis:rightsGranted")
	w.required("premis:act", g.Act)
	for _, r := range g.Restrictions {
		w.term("premis:restriction", r)
	}
	w.dates("premis:termOfGrant", g.TermOfGrant)
	w.dates("premis:termOfRestriction", g.TermOfRestriction)
	w.texts("premis:rightsGrantedNote", g.Notes)
	w.End("premis:rightsGranted")
}
