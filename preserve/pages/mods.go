package pages

import (
	"fmt"
	"strings"

	"quire/metadata/mods"
	"quire/metadata/oclc"
	"quire/preserve/describe"
)

// ByThePage marks a description without any statement of a curator.
const ByThePage = "declared by the page itself"

// elements maps meta elements, by name or property in lower case, to elements of descriptions.
// Sources are HTML, 4.2.5.1; Dublin Core in HTML (DC-HTML, and RFC 2731 before it), with names that
// may continue after the element (DC.Date.Created); Open Graph; and common usage.
var elements = map[string]oclc.Element{
	"author": oclc.Creator, "dc.creator": oclc.Creator, "dcterms.creator": oclc.Creator, "article:author": oclc.Creator,
	"dc.contributor": oclc.Contributor, "dcterms.contributor": oclc.Contributor,
	"dc.publisher": oclc.Contributor, "dcterms.publisher": oclc.Contributor, "publisher": oclc.Contributor,
	"description": oclc.Description, "dc.description": oclc.Description, "dcterms.description": oclc.Description,
	"dcterms.abstract": oclc.Description, "og:description": oclc.Description, "twitter:description": oclc.Description,
	"keywords": oclc.Subject, "dc.subject": oclc.Subject, "dcterms.subject": oclc.Subject, "article:tag": oclc.Subject,
	"date": oclc.Date, "dc.date": oclc.Date, "dcterms.date": oclc.Date, "dcterms.created": oclc.Date,
	"dcterms.modified": oclc.Date,
	"dcterms.issued":   oclc.Date, "last-modified": oclc.Date, "article:published_time": oclc.Date,
	"article:modified_time": oclc.Date,
	"copyright":             oclc.Rights, "dc.rights": oclc.Rights, "dcterms.rights": oclc.Rights,
	"dcterms.license": oclc.Rights,
	"dc.language":     oclc.Language, "dcterms.language": oclc.Language, "language": oclc.Language,
	"og:locale": oclc.Language,
	"dc.type":   oclc.Genre, "dcterms.type": oclc.Genre, "og:type": oclc.Genre,
	"dc.relation": oclc.Relation, "dcterms.relation": oclc.Relation, "dcterms.ispartof": oclc.Relation,
	"og:site_name": oclc.Relation,
	"dc.title":     oclc.Title, "dcterms.title": oclc.Title, "og:title": oclc.Title, "twitter:title": oclc.Title,
	"og:url": oclc.URL,
}

// kinds maps the same names to the kinds of values in the crosswalk.
var kinds = map[string]string{
	"dcterms.created": "created", "dc.date.created": "created", "dcterms.modified": "modified",
	"dc.date.modified": "modified",
	"dcterms.issued":   "issued", "dc.date.issued": "issued", "last-modified": "modified",
	"article:published_time": "published",
	"article:modified_time":  "modified", "dcterms.ispartof": "isPartOf", "dc.relation.ispartof": "isPartOf",
	"og:site_name": "isPartOf",
}

// HasMetadata reports whether a page declares any metadata, or has omitted data, besides its charset.
func (d *Declared) HasMetadata() bool {
	return d.Title != nil || len(d.Languages) > 0 || len(d.Meta) > 0 || d.LeftOut != LeftOut{}
}

// MODS converts the declared metadata by the crosswalk of descriptions
// (docs/reference/335_crosswalks.md), and marks its origin. Metadata without an element in the
// crosswalk becomes a note under its name: nothing is lost.
func (d *Declared) MODS(uri string) mods.Record {
	r := oclc.Record{}
	if d.Title != nil {
		r = append(r, oclc.Statement{Element: oclc.Title, Value: d.Title.Text})
	}
	seen := map[string]bool{}
	for _, l := range d.Languages {
		if key := strings.ToLower(l.Value.Text); !seen[key] {
			seen[key] = true
			r = append(r, oclc.Statement{Element: oclc.Language, Value: l.Value.Text})
		}
	}
	var rest []mods.Note
	for _, m := range d.Meta {
		if m.Scheme != "" {
			rest = append(rest, mods.Note{Type: "scheme", Label: m.Name, Text: m.Scheme})
		}
		if s := m.statements(); s != nil {
			r = append(r, s...)
			continue
		}
		rest = append(rest, mods.Note{Type: m.Attribute, Label: m.Name, Text: m.Content.Text, Lang: token(m.Lang)})
	}
	r = append(r, oclc.Statement{Element: oclc.URL, Value: uri})
	// only a kind or a language is lost
	made, _ := describe.ToMODS(describe.Description{ID: uri, Level: describe.Page, Record: r}, mods.Version)
	if d.Title == nil && len(made.Titles) > 0 && made.Titles[0].Title == "["+uri+"]" {
		made.Titles = made.Titles[1:] // a supplied title, which no page declares
	}
	made.Notes = append(append(made.Notes, rest...), d.notes()...)
	made.RecordInfo = append(made.RecordInfo, mods.RecordInfo{Origins: []string{ByThePage}})
	return made
}

// statements returns a meta element's statements about elements of descriptions, or nil.
func (m *Meta) statements() []oclc.Statement {
	name := strings.ToLower(m.Name)
	name = strings.Replace(strings.Replace(name, "dc:", "dc.", 1), "dcterms:", "dcterms.", 1)
	element, ok := elements[name]
	if parts := strings.SplitN(name, ".", 3); !ok && len(parts) == 3 {
		element, ok = elements[parts[0]+"."+parts[1]]
	}
	if !ok || m.Attribute == "itemprop" || strings.TrimSpace(m.Content.Text) == "" {
		return nil
	}
	s := oclc.Statement{Element: element, Value: m.Content.Text, Lang: token(m.Lang), Kind: kinds[name]}
	if name == "og:locale" { // language_TERRITORY by the Open Graph protocol
		if tag, ok := describe.LanguageTag(s.Value); ok {
			s.Value = tag
		}
	}
	if s.Kind == "" && element != oclc.Creator && element != oclc.Contributor {
		s.Kind = token(name)
	}
	if name != "keywords" {
		return []oclc.Statement{s}
	}
	var all []oclc.Statement
	for _, word := range strings.Split(m.Content.Text, ",") {
		if s.Value = strings.TrimSpace(word); s.Value != "" {
			all = append(all, s)
		}
	}
	return all
}

// token reduces a text to a valid kind or language: letters, digits and hyphens.
func token(s string) string {
	b := []byte(s[:min(len(s), 100)])
	for i, c := range b {
		if (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') {
			b[i] = '-'
		}
	}
	return string(b)
}

// notes describes the page's encoding with its source, and the omitted data.
func (d *Declared) notes() (all []mods.Note) {
	if d.Charset.Source != "" {
		all = append(all, mods.Note{Type: "charset",
			Text: fmt.Sprintf("%s (%s: %s)", d.Charset.Name, d.Charset.Source, d.Charset.Label)})
	}
	for _, l := range d.Languages {
		if !strings.HasPrefix(l.Source, "html ") {
			all = append(all, mods.Note{Type: "language", Label: l.Source, Text: l.Value.Text})
		}
	}
	if d.Base != nil {
		all = append(all, mods.Note{Type: "base", Text: d.Base.Text})
	}
	if said := d.LeftOut.String(); said != "" {
		all = append(all, mods.Note{Type: "left out", Text: said})
	}
	return all
}
