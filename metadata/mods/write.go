package mods

import (
	"cmp"
	"fmt"
	"slices"

	"quire/metadata/xmlstream"
)

// Write writes the record as a mods element.
func Write(x *xmlstream.Writer, r Record) error {
	w := writer{x, r.Version == Version34}
	w.Declare("mods", Namespace)
	w.Declare("xlink", xlink)
	w.Start("mods:mods")
	if r.ID != "" && !xmlstream.IsNCName(r.ID) {
		w.failf("%q cannot be an ID: want a letter or _, then letters, digits, . _ -", r.ID)
	}
	w.AttrOpt("ID", r.ID)
	if r.Version != "" && r.Version != Version && r.Version != Version34 {
		w.failf("version %q: want %s or %s", r.Version, Version, Version34)
	}
	w.Attr("version", cmp.Or(r.Version, Version))
	if r.isEmpty() {
		w.failf("the record is empty: it needs at least a title")
	}
	w.content(&r.Content)
	if r.Constituents != nil {
		for item := range r.Constituents {
			w.related(&item)
		}
	}
	w.End("mods:mods")
	return w.Err()
}

// isEmpty reports whether nothing would be written. The schema does not allow an empty record.
func (c *Content) isEmpty() bool {
	return len(c.Titles)+len(c.Names)+len(c.Types)+len(c.Genres)+len(c.Origins)+len(c.Languages)+len(c.Physical)+
		len(c.Abstracts)+len(c.TableOfContents)+len(c.Notes)+len(c.Subjects)+len(c.Related)+len(c.Identifiers)+
		len(c.Locations)+len(c.Access)+len(c.RecordInfo) == 0
}

// writer adds the elements of MODS to an XML writer.
type writer struct {
	*xmlstream.Writer
	old bool // MODS 3.4
}

func (w writer) failf(format string, args ...any) {
	w.Fail(fmt.Errorf("mods: "+format, args...))
}

// oneOf writes an attribute with a value from a closed list.
func (w writer) oneOf(name, value string, list ...string) {
	if value != "" && !slices.Contains(list, value) {
		w.failf("%s=%q: want one of %q", name, value, list)
	}
	w.AttrOpt(name, value)
}

func (w writer) content(c *Content) {
	for i := range c.Titles {
		w.title(&c.Titles[i])
	}
	for i := range c.Names {
		w.name(&c.Names[i])
	}
	w.terms("mods:typeOfResource", c.Types)
	w.terms("mods:genre", c.Genres)
	for i := range c.Origins {
		w.origin(&c.Origins[i])
	}
	for i := range c.Languages {
		w.language("mods:language", &c.Languages[i])
	}
	for i := range c.Physical {
		w.physical(&c.Physical[i])
	}
	w.notes("mods:abstract", c.Abstracts)
	w.notes("mods:tableOfContents", c.TableOfContents)
	w.notes("mods:note", c.Notes)
	for i := range c.Subjects {
		w.subject(&c.Subjects[i])
	}
	for i := range c.Related {
		w.related(&c.Related[i])
	}
	for _, id := range c.Identifiers {
		w.identifier("mods:identifier", id)
	}
	for i := range c.Locations {
		w.location(&c.Locations[i])
	}
	w.notes("mods:accessCondition", c.Access)
	for i := range c.RecordInfo {
		w.recordInfo(&c.RecordInfo[i])
	}
}

func (w writer) term(name string, t Term) {
	w.Start(name)
	w.AttrOpt("type", t.Type)
	w.AttrOpt("lang", t.Lang)
	w.authority(t.Authority, t.AuthorityURI, t.ValueURI)
	w.Text(t.Text)
	w.End(name)
}

// codeOrText writes a term whose type is code or text.
func (w writer) codeOrText(name string, t Term) {
	if t.Type != "" && t.Type != "code" && t.Type != "text" {
		w.failf("%s: type %q, want code or text", name, t.Type)
	}
	w.term(name, t)
}

func (w writer) terms(name string, list []Term) {
	for _, t := range list {
		if name == "mods:typeOfResource" && t.Type != "" {
			w.failf("typeOfResource cannot have a type")
		}
		w.term(name, t)
	}
}

func (w writer) authority(name, uri, value string) {
	if !xmlstream.IsURI(uri) || !xmlstream.IsURI(value) {
		w.failf("authority %q: %q and %q must be URIs", name, uri, value)
	}
	w.AttrOpt("authority", name)
	w.AttrOpt("authorityURI", uri)
	w.AttrOpt("valueURI", value)
}

func (w writer) texts(name string, list []string) {
	for _, s := range list {
		w.Element(name, s)
	}
}

func (w writer) notes(name string, list []Note) {
	for i := range list {
		n := &list[i]
		w.Start(name)
		w.AttrOpt("type", n.Type)
		w.AttrOpt("displayLabel", n.Label)
		w.AttrOpt("lang", n.Lang)
		w.href(n.Href)
		w.Text(n.Text)
		w.End(name)
	}
}

func (w writer) href(href string) {
	if !xmlstream.IsURI(href) {
		w.failf("xlink:href %q is not a URI", href)
	}
	if href != "" {
		w.Attr("xlink:type", "simple")
		w.Attr("xlink:href", href)
	}
}

func (w writer) title(t *Title) {
	w.Start("mods:titleInfo")
	w.oneOf("type", t.Type, "abbreviated", "translated", "alternative", "uniform")
	w.AttrOpt("displayLabel", t.Label)
	w.AttrOpt("lang", t.Lang)
	w.ElementOpt("mods:nonSort", t.NonSort)
	w.ElementOpt("mods:title", t.Title)
	w.ElementOpt("mods:subTitle", t.SubTitle)
	w.ElementOpt("mods:partNumber", t.PartNumber)
	w.ElementOpt("mods:partName", t.PartName)
	w.End("mods:titleInfo")
}

func (w writer) name(n *Name) {
	w.Start("mods:name")
	w.oneOf("type", n.Type, "personal", "corporate", "conference", "family")
	w.authority(n.Authority, n.AuthorityURI, n.ValueURI)
	for _, p := range n.Parts {
		w.Start("mods:namePart")
		w.oneOf("type", p.Type, "date", "family", "given", "termsOfAddress")
		w.Text(p.Text)
		w.End("mods:namePart")
	}
	w.ElementOpt("mods:displayForm", n.DisplayForm)
	w.texts("mods:affiliation", n.Affiliations)
	for _, r := range n.Roles {
		if len(r.Terms) == 0 {
			w.failf("a role needs a term")
		}
		w.Start("mods:role")
		for _, t := range r.Terms {
			w.codeOrText("mods:roleTerm", t)
		}
		w.End("mods:role")
	}
	w.texts("mods:description", n.Descriptions)
	for _, id := range n.Identifiers {
		w.identifier("mods:nameIdentifier", id)
	}
	w.End("mods:name")
}

func (w writer) identifier(name string, id Identifier) {
	w.Start(name)
	w.AttrOpt("type", id.Type)
	w.AttrOpt("displayLabel", id.Label)
	if id.Invalid {
		w.Attr("invalid", "yes")
	}
	w.Text(id.Text)
	w.End(name)
}
