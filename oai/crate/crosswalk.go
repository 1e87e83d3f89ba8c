package crate

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"quire/metadata/dc"
	"quire/metadata/marc"
	"quire/metadata/mods"
	"quire/metadata/oclc"
	"quire/metadata/xmlstream"
	"quire/oai/resource"
	"quire/preserve/describe"
)

// Dublin Core and MARC are made from a description in MODS through the elements of the crosswalks
// of preserve/describe. Thus a value has the same mapping whether it comes from a curator's sheet
// or from MODS. docs/reference/585_crate-format.md has the table.

// writeDC writes oai_dc.
func (d *Disseminator) writeDC(ctx context.Context, r *resource.Resource, x *xmlstream.Writer) error {
	m, err := d.describe(ctx, r)
	if err != nil {
		return err
	}
	record, _ := describe.ToDC(describe.Description{ID: r.URL, Level: describe.Site, Record: statements(&m)})
	for _, p := range m.Physical {
		for _, t := range p.MediaTypes {
			record = append(record, dc.Statement{Element: dc.Format, Value: t})
		}
	}
	for _, t := range m.Types {
		record = append(record, dc.Statement{Element: dc.Type, Value: cmp.Or(dcmiTypes[t.Text], t.Text)})
	}
	x.Locate(dc.OAINamespace, dc.SchemaLocation)
	return dc.Write(x, record)
}

// dcmiTypes maps MODS types to terms of the DCMI Type Vocabulary.
var dcmiTypes = map[string]string{"text": "Text", "still image": "StillImage", "moving image": "MovingImage",
	"sound recording": "Sound"}

// writeMARC writes marc21.
func (d *Disseminator) writeMARC(ctx context.Context, r *resource.Resource, x *xmlstream.Writer) error {
	m, err := d.describe(ctx, r)
	if err != nil {
		return err
	}
	record, _ := describe.ToMARC(describe.Description{ID: r.Identifier, Level: describe.Site, Record: statements(&m)},
		r.Datestamp)
	for _, p := range m.Physical {
		for _, t := range p.MediaTypes {
			record.Add("856", '4', '0', marc.Subfield{Code: 'q', Value: t}, marc.Subfield{Code: 'u', Value: r.URL})
		}
	}
	slices.SortStableFunc(record.Fields, func(a, b marc.Field) int { return strings.Compare(a.Tag, b.Tag) })
	x.Locate(marc.Namespace, marcSchema)
	return marc.WriteXML(x, record)
}

// statements converts a description in MODS to the elements of the crosswalks.
func statements(m *mods.Record) oclc.Record {
	s := &elementList{}
	for _, t := range m.Titles {
		s.add(oclc.Title, titleOf(&t), t.Lang, "")
	}
	for i := range m.Names {
		s.name(&m.Names[i])
	}
	for _, g := range m.Genres {
		s.add(oclc.Genre, g.Text, g.Lang, "")
	}
	for i := range m.Origins {
		s.origin(&m.Origins[i])
	}
	for _, l := range m.Languages {
		for _, t := range l.Terms {
			s.add(oclc.Language, t.Text, t.Lang, "")
		}
	}
	for _, p := range m.Physical {
		for _, e := range p.Extents {
			s.add(oclc.Extent, e, "", "")
		}
	}
	s.notes(oclc.Description, m.Abstracts)
	s.notes(oclc.Description, m.TableOfContents)
	s.notes(oclc.Note, m.Notes)
	for i := range m.Subjects {
		s.subject(&m.Subjects[i])
	}
	for i := range m.Related {
		s.related(&m.Related[i])
	}
	s.places(m)
	s.notes(oclc.Rights, m.Access)
	for _, info := range m.RecordInfo {
		for _, o := range info.Origins {
			s.add(oclc.SourceOfDescription, o, "", "")
		}
	}
	return s.record
}

// elementList collects elements of the crosswalks.
type elementList struct{ record oclc.Record }

func (s *elementList) add(e oclc.Element, value, lang, kind string) {
	if strings.TrimSpace(value) != "" {
		s.record = append(s.record, oclc.Statement{Element: e, Value: value, Lang: lang, Kind: kind})
	}
}

func (s *elementList) notes(e oclc.Element, list []mods.Note) {
	for _, n := range list {
		if e == oclc.Note && technical[n.Type] {
			continue
		}
		to := e
		if e == oclc.Note && n.Type == "source of description" {
			to = oclc.SourceOfDescription
		}
		s.add(to, n.Text, n.Lang, "")
	}
}

// technical lists the types of notes that preserve/pages makes on the form of a page. They are only
// in MODS.
var technical = map[string]bool{"charset": true, "base": true, "scheme": true, "left out": true, "language": true}

func titleOf(t *mods.Title) string {
	title := t.Title
	if t.NonSort != "" {
		title = strings.TrimRight(t.NonSort, " ") + " " + title
	}
	for _, part := range []struct {
		before, text string
	}{{" : ", t.SubTitle}, {". ", t.PartNumber}, {". ", t.PartName}} {
		if part.text != "" {
			title += part.before + part.text
		}
	}
	return title
}

// nameKinds maps MODS types of names to the types of names in the crosswalks.
var nameKinds = map[string]string{"personal": "person", "corporate": "organization", "conference": "meeting",
	"family": "family"}

func (s *elementList) name(n *mods.Name) {
	parts := map[string][]string{}
	for _, p := range n.Parts {
		parts[p.Type] = append(parts[p.Type], p.Text)
	}
	name := strings.Join(parts[""], " ")
	if name == "" {
		name = strings.Join(append(parts["family"], parts["given"]...), ", ")
	}
	name = cmp.Or(name, n.DisplayForm)
	element := oclc.Contributor
	for _, role := range n.Roles {
		for _, t := range role.Terms {
			switch strings.ToLower(t.Text) {
			case "creator", "cre", "author", "aut":
				element = oclc.Creator
			case "collector", "col":
				element = oclc.Collector
			}
		}
	}
	s.add(element, name, "", nameKinds[n.Type])
}

// dateKinds maps MODS dates to the kinds of dates in the crosswalks.
var dateKinds = map[string]string{"dateCaptured": "captured", "dateCreated": "created", "dateIssued": "issued",
	"dateModified": "modified", "copyrightDate": "copyright"}

func (s *elementList) origin(o *mods.Origin) {
	for _, p := range o.Publishers {
		s.add(oclc.Contributor, p, "", "")
	}
	for _, d := range o.Dates {
		s.add(oclc.Date, d.Text, "", dateKinds[d.Kind])
	}
}

func (s *elementList) subject(t *mods.Subject) {
	for _, terms := range [][]mods.Term{t.Topics, t.Temporals, t.Genres} {
		for _, term := range terms {
			s.add(oclc.Subject, term.Text, term.Lang, "")
		}
	}
	for _, term := range t.Geographics {
		s.add(oclc.Subject, term.Text, term.Lang, "place")
	}
}

func (s *elementList) related(r *mods.RelatedItem) {
	kind := map[string]string{"host": "isPartOf", "constituent": "hasPart"}[r.Type]
	for _, t := range r.Titles {
		s.add(oclc.Relation, titleOf(&t), t.Lang, kind)
	}
	if len(r.Titles) > 0 {
		return
	}
	s.add(oclc.Relation, r.Href, "", kind)
	for _, id := range r.Identifiers {
		s.add(oclc.Relation, id.Text, "", kind)
	}
}

func (s *elementList) places(m *mods.Record) {
	seen := map[string]bool{}
	for _, l := range m.Locations {
		for _, u := range l.URLs {
			seen[u.Text] = true
			s.add(oclc.URL, u.Text, "", "")
		}
	}
	for _, id := range m.Identifiers {
		if !seen[id.Text] {
			s.add(oclc.URL, id.Text, "", "")
		}
	}
}
