package dspace

import (
	"slices"
	"strings"
	"time"

	"quire/metadata/mods"
	"quire/metadata/xmlstream"
)

// submission adapts a description to DSpace's stylesheet for submissions (mods-submission.xsl). The
// stylesheet turns any role of a name into a qualifier, and takes the first part of a name as the
// whole. An unregistered qualifier would make the submission fail. Every title without the type
// alternative would be a title of the item, and related items without a title would be empty values.
func submission(r mods.Record) mods.Record {
	names := make([]mods.Name, 0, len(r.Names))
	for i := range r.Names {
		if name := nameOf(&r.Names[i]); name != "" {
			names = append(names, mods.Name{Parts: []mods.NamePart{{Text: name}},
				Roles: []mods.Role{{Terms: []mods.Term{{Text: contributor(&r.Names[i]), Type: "text"}}}}})
		}
	}
	r.Names = names
	titles := make([]mods.Title, 0, len(r.Titles))
	for i, t := range r.Titles {
		plain := mods.Title{Title: titleOf(t), Lang: t.Lang}
		if i > 0 || t.Type != "" {
			plain.Type = "alternative"
		}
		titles = append(titles, plain)
	}
	r.Titles = titles
	related := make([]mods.RelatedItem, 0, len(r.Related))
	for i := range r.Related {
		if len(r.Related[i].Titles) > 0 {
			related = append(related, r.Related[i])
		}
	}
	r.Related = related
	return r
}

// crosswalked lists the fields that the stylesheet for submissions makes of MODS.
var crosswalked = []string{"dc.title", "dc.contributor.", "dc.date.created", "dc.date.issued", "dc.format.extent",
	"dc.description.abstract", "dc.subject", "dc.coverage.", "dc.relation", "dc.publisher", "dc.identifier.other"}

// dim returns the fields of the website that the stylesheet loses: among them its addresses, dates of
// capture, languages, notes and rights.
func (p *sip) dim() []Field {
	var f fields
	var addresses []string // that the stylesheet reads
	for _, id := range p.about.MODS.Identifiers {
		if id.Type == "uri" {
			addresses = append(addresses, id.Text)
		}
	}
	for _, field := range FromMODS(&p.about.MODS.Content) {
		known := func(name string) bool { return strings.HasPrefix(field.Name(), name) }
		if slices.ContainsFunc(crosswalked, known) ||
			field.Name() == "dc.identifier.uri" && slices.Contains(addresses, field.Value) {
			continue
		}
		f.list = append(f.list, field)
	}
	f.website(p.about, p.source.Version().Number)
	return f.list
}

// dimNamespace is the namespace of DSpace's own form of metadata (DSpace Intermediate Metadata).
const dimNamespace = "http://www.dspace.org/xmlns/dspace/dim"

// writeDIM writes fields in DSpace's own form, which its METS ingester reads under the type DIM.
func writeDIM(x *xmlstream.Writer, list []Field) error {
	x.Declare("dim", dimNamespace)
	x.Start("dim:dim")
	x.Attr("dspaceType", "ITEM")
	for i := range list {
		f := &list[i]
		x.Start("dim:field")
		x.Attr("mdschema", f.Schema)
		x.Attr("element", f.Element)
		x.AttrOpt("qualifier", f.Qualifier)
		x.AttrOpt("lang", f.Language)
		x.Text(xmlstream.Sanitize(f.Value))
		x.End("dim:field")
	}
	x.End("dim:dim")
	return x.Err()
}

// span returns a time or a range of times as a sentence has it.
func span(first, last time.Time) string {
	from, to := first.UTC().Format(time.RFC3339), last.UTC().Format(time.RFC3339)
	if from == to {
		return "on " + from
	}
	return "from " + from + " to " + to
}
