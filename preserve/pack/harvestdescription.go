package pack

import (
	"slices"
	"strings"

	"quire/metadata/dc"
	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/model"
	"quire/preserve/aip"
)

// descriptions writes the curators' description of each harvest
// (docs/reference/310_package-format.md, 2.3). The notes, versions and states of the work on it are
// separate, because they name people.
func (b *builder) descriptions(w *mets.Writer) {
	for i := range b.facts.harvests {
		d := b.facts.harvests[i].description()
		if d == nil {
			continue
		}
		if c := curated(d); len(c.RecordInfo) > 0 {
			b.descriptionSection(w, aip.HarvestDmdID(i+1), mods.Record{Content: c})
		}
		if r := dublinCore(d); len(r) > 0 {
			b.dublinCoreSection(w, aip.HarvestDCID(i+1), r)
		}
		if notes := workOn(d); len(notes) > 0 {
			b.descriptionSection(w, aip.WorkDmdID(i+1), mods.Record{Content: mods.Content{Notes: notes}},
				b.restriction(personal))
		}
	}
	b.ownSections(w)
}

// description returns the description from the harvest's reader, or nil.
func (h *harvest) description() *model.Description {
	if h.about == nil {
		return nil
	}
	d := &h.about.Description
	if len(d.Fields)+len(d.Groups)+len(d.Annotations)+len(d.Versions)+len(d.States) == 0 {
		return nil
	}
	return d
}

// descriptionIDs returns the sections of a harvest, from 1.
func (b *builder) descriptionIDs(n int) []string {
	d := b.facts.harvests[n-1].description()
	ids := b.own.ofHarvest(n)
	if d == nil {
		return ids
	}
	if len(d.Fields)+len(d.Groups) > 0 {
		ids = append(ids, aip.HarvestDmdID(n))
	}
	if len(dublinCore(d)) > 0 {
		ids = append(ids, aip.HarvestDCID(n))
	}
	if len(d.Annotations)+len(d.Versions)+len(d.States) > 0 {
		ids = append(ids, aip.WorkDmdID(n))
	}
	return ids
}

// dublinCore returns the Dublin Core of the source as it is: without a value that two documents of
// the source state, and without elements that simple Dublin Core does not have.
func dublinCore(d *model.Description) dc.Record {
	var r dc.Record
	for _, f := range distinct(d.Fields) {
		name, ok := strings.CutPrefix(f.Name, "dc:")
		if e := dc.Element(name); ok && e.Valid() {
			r = append(r, dc.Statement{Element: e, Value: f.Value})
		}
	}
	return r
}

// distinct omits the fields that a second document of the source repeats, such as the database after
// the METS.
func distinct(fields []model.DescriptiveField) []model.DescriptiveField {
	first := map[model.Field]string{}
	var out []model.DescriptiveField
	for _, f := range fields {
		if source, seen := first[f.Field]; seen && source != f.Source {
			continue
		}
		first[f.Field] = f.Source
		out = append(out, f)
	}
	return out
}

// wctDescription is the field of a target of the Web Curator Tool that describes the website.
const wctDescription = "wct:Description"

// abstract returns the description of the website by the curators of a harvest, and its place in the
// source; "" without one. The crawler's own description is about its profile, not about the website.
func (h *harvest) abstract() named {
	if d := h.description(); d != nil {
		for _, name := range []string{"dc:description", wctDescription} {
			for _, f := range d.Fields {
				if f.Name == name && f.Value != "" {
					return named{f.Value, f.Source}
				}
			}
		}
	}
	return named{}
}

// curated converts the fields and groups to MODS. Dublin Core fields follow the Library of
// Congress's mapping to MODS; the others are notes with their name as type. The recordOrigin states
// the source of each; recordInfoNote came only after MODS 3.4.
func curated(d *model.Description) mods.Content {
	var c mods.Content
	var places []string
	for _, f := range distinct(d.Fields) {
		if !fromDC(&c, f.Name, f.Value) {
			c.Notes = append(c.Notes, mods.Note{Type: f.Name, Text: f.Value})
		}
	}
	for _, f := range d.Fields {
		places = append(places, f.Name+": "+f.Source)
	}
	for _, g := range d.Groups {
		c.Related = append(c.Related, hostOf(&g))
		places = append(places, "relatedItem "+g.Name+": "+g.Source)
	}
	if len(places) > 0 {
		c.RecordInfo = []mods.RecordInfo{{Origins: places}}
	}
	return c
}

// fromDC puts a field of Dublin Core, or the description of a target, into MODS. It returns false for
// other fields, and for fields without a single place in MODS.
func fromDC(c *mods.Content, name, value string) bool {
	switch name {
	case "dc:title":
		title := mods.Title{Title: value}
		if len(c.Titles) > 0 {
			title.Type = "alternative"
		}
		c.Titles = append(c.Titles, title)
	case "dc:creator", "dc:contributor":
		role := strings.TrimPrefix(name, "dc:")
		c.Names = append(c.Names, mods.Name{Parts: []mods.NamePart{{Text: value}}, Roles: []mods.Role{mods.Marc(role)}})
	case "dc:subject":
		c.Subjects = append(c.Subjects, mods.Subject{Topics: []mods.Term{mods.Text(value)}})
	case "dc:description", wctDescription:
		if slices.ContainsFunc(c.Abstracts, func(n mods.Note) bool { return n.Text == value }) {
			return true
		}
		c.Abstracts = append(c.Abstracts, mods.Note{Text: value})
	case "dc:publisher":
		c.Origins = append(c.Origins, mods.Origin{Publishers: []string{value}})
	case "dc:date":
		c.Origins = append(c.Origins, mods.Origin{Dates: []mods.Date{{Kind: "dateOther", Text: value}}})
	case "dc:type":
		c.Genres = append(c.Genres, mods.Text(value))
	case "dc:format":
		c.Physical = append(c.Physical, mods.Physical{Forms: []mods.Term{mods.Text(value)}})
	case "dc:identifier":
		c.Identifiers = append(c.Identifiers, mods.Identifier{Text: value})
	case "dc:source":
		// The Dublin Core beside the MODS has it. In MODS it would be the original of which the website
		// is a reproduction.
	case "dc:relation":
		c.Related = append(c.Related, mods.RelatedItem{Content: mods.Content{Titles: []mods.Title{{Title: value}}}})
	case "dc:language":
		c.Languages = append(c.Languages, mods.Language{Terms: []mods.Term{{Text: value, Type: "text"}}})
	case "dc:rights":
		c.Access = append(c.Access, mods.Note{Text: value})
	default:
		return false
	}
	return true
}

// hostOf returns a group that the harvest is part of.
func hostOf(g *model.Group) mods.RelatedItem {
	var c mods.Content
	c.Titles = []mods.Title{{Title: g.Name}}
	if g.Reference != "" {
		c.Identifiers = []mods.Identifier{{Type: "local", Text: g.Reference}}
	}
	if g.Description != "" {
		c.Abstracts = []mods.Note{{Text: g.Description}}
	}
	if g.Type != "" {
		c.Genres = []mods.Term{mods.Text(g.Type)}
	}
	if g.Ownership != "" {
		c.Notes = []mods.Note{{Type: "ownership", Text: g.Ownership}}
	}
	return mods.RelatedItem{Type: "host", Content: c}
}

// workOn describes the work on a harvest: its notes, sources and states, each with person, time and
// place.
func workOn(d *model.Description) []mods.Note {
	var notes []mods.Note
	add := func(kind, text string, about ...string) {
		notes = append(notes, mods.Note{Type: kind, Label: joined("; ", about...), Text: text})
	}
	for i := range d.Versions {
		v := &d.Versions[i]
		add("version", joined("; ", append([]string{v.Note}, v.Changes...)...), phrase("number ", v.Number),
			phrase("by ", v.Creator), phrase("on ", v.Date),
			phrase("state ", v.State), phrase("in ", v.Source))
	}
	for i := range d.States {
		s := &d.States[i]
		add("state", s.Name,
			phrase("by ", s.Who), phrase("from ", s.Start), phrase("until ", s.End), phrase("in ", s.Source))
	}
	for i := range d.Annotations {
		a := &d.Annotations[i]
		add("annotation", a.Text,
			phrase("of the ", a.Of), phrase("by ", a.Who), phrase("on ", a.Date), phrase("in ", a.Source))
	}
	return notes
}

// phrase returns the words before a value with the value, or "" without a value.
func phrase(words, value string) string {
	if value == "" {
		return ""
	}
	return words + value
}

// joined joins the parts that are not empty.
func joined(between string, parts ...string) string {
	var there []string
	for _, p := range parts {
		if p != "" {
			there = append(there, p)
		}
	}
	return strings.Join(there, between)
}
