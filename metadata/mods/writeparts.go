package mods

import (
	"slices"

	"quire/metadata/xmlstream"
)

var dateKinds = []string{"dateCaptured", "dateIssued", "dateCreated", "dateValid", "dateModified", "copyrightDate",
	"dateOther"}

func (w writer) origin(o *Origin) {
	if len(o.Places)+len(o.Publishers)+len(o.Dates) == 0 && o.Edition+o.Issuance+o.Frequency == "" {
		w.failf("originInfo says nothing")
	}
	if w.old && o.EventType+o.EventTypeURI != "" {
		w.failf("MODS 3.4 has no event types: put the type in the label")
	}
	w.Start("mods:originInfo")
	w.AttrOpt("displayLabel", o.Label)
	w.AttrOpt("eventType", o.EventType)
	w.AttrOpt("eventTypeURI", o.EventTypeURI)
	for _, p := range o.Places {
		w.Start("mods:place")
		w.codeOrText("mods:placeTerm", p)
		w.End("mods:place")
	}
	w.texts("mods:publisher", o.Publishers)
	for _, d := range o.Dates {
		if !slices.Contains(dateKinds, d.Kind) {
			w.failf("%q is not a date of originInfo: want one of %q", d.Kind, dateKinds)
			return
		}
		w.date("mods:"+d.Kind, d)
	}
	w.ElementOpt("mods:edition", o.Edition)
	if o.Issuance != "" && !slices.Contains(issuances, o.Issuance) {
		w.failf("issuance %q: want one of %q", o.Issuance, issuances)
	}
	w.ElementOpt("mods:issuance", o.Issuance)
	w.ElementOpt("mods:frequency", o.Frequency)
	w.End("mods:originInfo")
}

var issuances = []string{"continuing", "monographic", "single unit", "multipart monograph", "serial",
	"integrating resource"}

func (w writer) date(name string, d Date) {
	w.Start(name)
	w.oneOf("encoding", d.Encoding, "w3cdtf", "iso8601", "marc", "temper", "edtf")
	w.oneOf("qualifier", d.Qualifier, "approximate", "inferred", "questionable")
	w.oneOf("point", d.Point, "start", "end")
	if d.Key {
		w.Attr("keyDate", "yes")
	}
	w.Text(d.Text)
	w.End(name)
}

func (w writer) language(name string, l *Language) {
	if len(l.Terms) == 0 {
		w.failf("%s needs a term", name)
	}
	w.Start(name)
	for _, t := range l.Terms {
		w.codeOrText("mods:languageTerm", t)
	}
	for _, t := range l.Scripts {
		w.codeOrText("mods:scriptTerm", t)
	}
	w.End(name)
}

var digitalOrigins = []string{"born digital", "reformatted digital", "digitized microfilm", "digitized other analog"}

func (w writer) physical(p *Physical) {
	if len(p.Forms)+len(p.MediaTypes)+len(p.Extents)+len(p.Notes) == 0 && p.DigitalOrigin == "" {
		w.failf("physicalDescription says nothing")
	}
	w.Start("mods:physicalDescription")
	w.terms("mods:form", p.Forms)
	w.texts("mods:internetMediaType", p.MediaTypes)
	w.texts("mods:extent", p.Extents)
	if p.DigitalOrigin != "" && !slices.Contains(digitalOrigins, p.DigitalOrigin) {
		w.failf("digitalOrigin %q: want one of %q", p.DigitalOrigin, digitalOrigins)
	}
	w.ElementOpt("mods:digitalOrigin", p.DigitalOrigin)
	w.notes("mods:note", p.Notes)
	w.End("mods:physicalDescription")
}

func (w writer) subject(s *Subject) {
	w.Start("mods:subject")
	w.authority(s.Authority, s.AuthorityURI, s.ValueURI)
	w.subjectTerms("mods:topic", s.Topics)
	w.subjectTerms("mods:geographic", s.Geographics)
	w.subjectTerms("mods:temporal", s.Temporals)
	w.terms("mods:genre", s.Genres)
	w.End("mods:subject")
}

func (w writer) subjectTerms(name string, list []Term) {
	for _, t := range list {
		if t.Type != "" {
			w.failf("%s cannot have a type", name)
		}
		w.term(name, t)
	}
}

func (w writer) related(r *RelatedItem) {
	w.Start("mods:relatedItem")
	w.oneOf("type", r.Type, "preceding", "succeeding", "original", "host", "constituent", "series", "otherVersion",
		"otherFormat", "isReferencedBy", "references", "reviewOf")
	w.AttrOpt("otherType", r.OtherType)
	w.AttrOpt("displayLabel", r.Label)
	w.href(r.Href)
	w.content(&r.Content)
	w.End("mods:relatedItem")
}

func (w writer) location(l *Location) {
	w.Start("mods:location")
	w.terms("mods:physicalLocation", l.Physical)
	w.texts("mods:shelfLocator", l.ShelfLocators)
	for _, u := range l.URLs {
		if !xmlstream.IsURI(u.Text) {
			w.failf("the schema requires a URI, but the URL %q is not valid; put it in an identifier", u.Text)
		}
		w.Start("mods:url")
		w.AttrOpt("dateLastAccessed", u.LastAccessed)
		w.AttrOpt("displayLabel", u.Label)
		w.AttrOpt("note", u.Note)
		w.oneOf("access", u.Access, "preview", "raw object", "object in context")
		w.oneOf("usage", u.Usage, "primary", "primary display")
		w.Text(u.Text)
		w.End("mods:url")
	}
	w.End("mods:location")
}

func (w writer) recordInfo(r *RecordInfo) {
	if len(r.Sources)+len(r.Created)+len(r.Changed)+len(r.Identifiers)+len(r.Languages)+len(r.Origins)+
		len(r.Standards)+len(r.Notes) == 0 {
		w.failf("recordInfo says nothing")
	}
	w.Start("mods:recordInfo")
	w.subjectTerms("mods:recordContentSource", r.Sources)
	for _, d := range r.Created {
		w.date("mods:recordCreationDate", d)
	}
	for _, d := range r.Changed {
		w.date("mods:recordChangeDate", d)
	}
	for _, id := range r.Identifiers {
		w.Start("mods:recordIdentifier")
		w.AttrOpt("source", id.Source)
		w.Text(id.Text)
		w.End("mods:recordIdentifier")
	}
	for i := range r.Languages {
		w.language("mods:languageOfCataloging", &r.Languages[i])
	}
	w.texts("mods:recordOrigin", r.Origins)
	w.subjectTerms("mods:descriptionStandard", r.Standards)
	w.notes("mods:recordInfoNote", r.Notes)
	w.End("mods:recordInfo")
}
