package dspace

import (
	"slices"
	"strings"

	"quire/metadata/mods"
	"quire/metadata/xmlstream"
	"quire/preserve/describe"
)

// Field is one value of an item's metadata: of dc.title, dcterms.source.
type Field struct {
	Schema, Element, Qualifier string
	Language                   string
	Value                      string
}

// Name returns the name of the field in DSpace's form: "dc.contributor.author".
func (f *Field) Name() string {
	if f.Qualifier == "" {
		return f.Schema + "." + f.Element
	}
	return f.Schema + "." + f.Element + "." + f.Qualifier
}

// fields collects values. It trims them and drops empty values, as DSpace does.
type fields struct{ list []Field }

// add adds values of a field, by its name, without duplicates.
func (f *fields) add(name string, values ...string) {
	for _, v := range values {
		f.addIn(name, v, "")
	}
}

// addIn adds a value in a language.
func (f *fields) addIn(name, value, language string) {
	parts := strings.SplitN(name, ".", 3)
	field := Field{Schema: parts[0], Element: parts[1], Language: language, Value: strings.TrimSpace(value)}
	if len(parts) == 3 {
		field.Qualifier = parts[2]
	}
	if field.Value != "" && !slices.Contains(f.list, field) {
		f.list = append(f.list, field)
	}
}

// FromMODS converts a description to fields in the registries of every DSpace (dc, dcterms). An
// unknown field would make the whole import fail. Information without a matching field is only in
// the accompanying MODS.
func FromMODS(c *mods.Content) []Field {
	var f fields
	f.titles(c)
	f.names(c)
	f.origins(c)
	for _, s := range c.Subjects {
		f.terms("dc.subject", s.Topics)
		f.terms("dc.coverage.spatial", s.Geographics)
		f.terms("dc.coverage.temporal", s.Temporals)
		f.terms("dc.type", s.Genres)
	}
	f.terms("dc.type", c.Genres)
	f.terms("dc.type", c.Types)
	for _, n := range c.Abstracts {
		f.addIn("dc.description.abstract", n.Text, n.Lang)
	}
	for _, n := range c.TableOfContents {
		f.addIn("dc.description.tableofcontents", n.Text, n.Lang)
	}
	for i := range c.Notes {
		f.addIn("dc.description", noteOf(&c.Notes[i]), c.Notes[i].Lang)
	}
	for _, p := range c.Physical {
		f.add("dc.format.mimetype", p.MediaTypes...)
		f.add("dc.format.extent", p.Extents...)
	}
	for _, l := range c.Languages {
		for _, t := range l.Terms {
			f.language(t.Text)
		}
	}
	f.addresses(c)
	f.access(c)
	for i := range c.Related {
		f.related(&c.Related[i])
	}
	return f.list
}

func (f *fields) terms(name string, list []mods.Term) {
	for _, t := range list {
		f.addIn(name, t.Text, t.Lang)
	}
}

// attributes are the attributes that name a meta element, and the type of its note in MODS.
var attributes = []string{"name", "property", "itemprop", "http-equiv"}

// noteOf formats a note with its name: "viewport: width=device-width".
func noteOf(n *mods.Note) string {
	if n.Text == "" {
		return ""
	}
	var names []string
	for _, name := range []string{n.Label, n.Type} {
		if name != "" && (n.Label == "" || name == n.Label || !slices.Contains(attributes, name)) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return n.Text
	}
	return strings.Join(names, " ") + ": " + n.Text
}

// language adds a language. Codes of ISO 639-2 and BCP 47 are in dc.language.iso; a locale becomes
// such a code (fr_FR is fr-FR). Other text is in dc.language, DSpace's field for forms without a
// standard.
func (f *fields) language(text string) {
	tag, ok := describe.LanguageTag(text)
	switch {
	case !ok:
		f.add("dc.language", text)
	case describe.KnownLanguage(text) && !strings.Contains(text, "_"):
		f.add("dc.language.iso", text)
	default:
		f.add("dc.language.iso", tag)
	}
}

// titles adds the titles; the first is the item's.
func (f *fields) titles(c *mods.Content) {
	for i, t := range c.Titles {
		name := "dc.title"
		if t.Type != "" || i > 0 {
			name = "dc.title.alternative"
		}
		f.addIn(name, titleOf(t), t.Lang)
	}
}

// titleOf formats a title as catalogues show it.
func titleOf(t mods.Title) string {
	s := strings.TrimSpace(t.NonSort + " " + t.Title)
	if t.SubTitle != "" {
		s += ": " + t.SubTitle
	}
	for _, part := range []string{t.PartNumber, t.PartName} {
		if part != "" {
			s += ". " + part
		}
	}
	return s
}

// contributors are the roles with a qualifier in DSpace; all other roles become "other".
var contributors = map[string]string{
	"author": "author", "aut": "author", "creator": "author", "cre": "author", "editor": "editor", "edt": "editor",
	"illustrator": "illustrator", "ill": "illustrator", "advisor": "advisor", "thesis advisor": "advisor",
	"ths": "advisor",
}

func (f *fields) names(c *mods.Content) {
	for i := range c.Names {
		f.add("dc.contributor."+contributor(&c.Names[i]), nameOf(&c.Names[i]))
	}
}

func contributor(n *mods.Name) string {
	for _, r := range n.Roles {
		for _, t := range r.Terms {
			if q := contributors[strings.ToLower(t.Text)]; q != "" {
				return q
			}
		}
	}
	return "other"
}

// nameOf formats a name in the order of its parts: family, given; then dates and titles.
func nameOf(n *mods.Name) string {
	if n.DisplayForm != "" {
		return n.DisplayForm
	}
	var parts []string
	for _, p := range n.Parts {
		if p.Text != "" {
			parts = append(parts, p.Text)
		}
	}
	return strings.Join(parts, ", ")
}

// dates are the fields of dates. By DSpace's registry, dc.date.created is the creation of the
// intellectual content; its capture is later, and has no qualifier. So it is dc.date, as in the
// Library of Congress's mapping of MODS.
var dates = map[string]string{
	"dateCaptured": captured, "dateIssued": "dc.date.issued", "dateCreated": "dc.date.created",
	"copyrightDate": "dc.date.copyright",
	"dateModified":  "dcterms.modified", "dateValid": "dcterms.valid", "dateOther": "dcterms.date",
}

// captured is the field of the date of capture. The history of the item says that it is one.
const (
	captured = "dc.date"
	history  = "dc.description.provenance"
)

func (f *fields) origins(c *mods.Content) {
	for _, o := range c.Origins {
		f.add("dc.publisher", o.Publishers...)
		for i := 0; i < len(o.Dates); i++ {
			d, text := o.Dates[i], o.Dates[i].Text
			if d.Point == "start" && i+1 < len(o.Dates) && o.Dates[i+1].Kind == d.Kind && o.Dates[i+1].Point == "end" {
				i++
				if end := o.Dates[i].Text; end != text {
					text += "/" + end // ISO 8601 interval
				}
			}
			if name := dates[d.Kind]; name != "" {
				f.add(name, text)
			}
		}
		if o.Frequency != "" {
			f.add("dcterms.accrualPeriodicity", o.Frequency)
		}
	}
}

// addresses adds the original addresses of the website as the item's source.
func (f *fields) addresses(c *mods.Content) {
	for _, id := range c.Identifiers {
		switch {
		case id.Text == "" || id.Invalid || isHandle(id):
		case id.Type == "uri" && xmlstream.IsURI(id.Text):
			f.url(id.Text)
		case id.Type == "doi", id.Type == "isbn", id.Type == "issn":
			f.add("dc.identifier."+id.Type, id.Text)
		default:
			f.add("dc.identifier.other", id.Text)
		}
	}
	for _, l := range c.Locations {
		for _, u := range l.URLs {
			f.url(u.Text)
		}
	}
}

// url adds an original address. DSpace shows dc.identifier.uri, and searches it; dcterms.source states
// that the item is made of the resource there.
func (f *fields) url(text string) {
	f.add("dc.identifier.uri", text)
	f.add("dcterms.source", text)
}

func (f *fields) access(c *mods.Content) {
	for _, n := range c.Access {
		if n.Type == "use and reproduction" || n.Type == "" {
			f.addIn("dc.rights", n.Text, n.Lang)
		} else {
			f.addIn("dcterms.accessRights", n.Text, n.Lang)
		}
		f.add("dc.rights.uri", n.Href)
	}
}

// relations are the fields of related resources.
var relations = map[string]string{
	"host": "dc.relation.ispartof", "series": "dc.relation.ispartofseries", "constituent": "dc.relation.haspart",
	"preceding": "dc.relation.replaces", "succeeding": "dc.relation.isreplacedby", "original": "dc.relation.isformatof",
	"otherVersion": "dc.relation.hasversion", "otherFormat": "dc.relation.isformatof",
	"isReferencedBy": "dc.relation.isreferencedby",
	"references":     "dc.relation.references",
}

func (f *fields) related(r *mods.RelatedItem) {
	name := relations[r.Type]
	if name == "" {
		name = "dc.relation"
	}
	for _, t := range r.Titles {
		f.add(name, titleOf(t))
	}
	if len(r.Titles) == 0 {
		for _, id := range r.Identifiers {
			f.add(name, id.Text)
		}
	}
}

// isHandle reports whether an identifier is a Handle, as DSpace assigns them to items.
func isHandle(id mods.Identifier) bool { return id.Type == "hdl" || id.Type == "handle" }

// Handle returns the Handle in a description without its resolver, such as "10.1/2", or "" if the
// description has no Handle.
func Handle(c *mods.Content) string {
	for _, id := range c.Identifiers {
		if !isHandle(id) || id.Invalid {
			continue
		}
		text := id.Text
		for _, prefix := range []string{"http://hdl.handle.net/", "https://hdl.handle.net/", "hdl:", "info:hdl/"} {
			text = strings.TrimPrefix(text, prefix)
		}
		if prefix, suffix, ok := strings.Cut(text, "/"); ok && prefix != "" && suffix != "" &&
			!strings.ContainsAny(text, " \t\r\n") {
			return text
		}
	}
	return ""
}
