package dspace

import (
	"strings"
	"testing"

	"quire/metadata/mods"
)

// registry lists the permitted fields, from the registries of DSpace 7 to 9 (dublin-core-types.xml,
// dcterms-types.xml): the import fails on any other field.
const registry = ` dc.contributor.advisor dc.contributor.author dc.contributor.editor ` +
	`dc.contributor.illustrator dc.contributor.other
 dc.coverage.spatial dc.coverage.temporal dc.date dc.date.copyright dc.date.created dc.date.issued dc.identifier.doi ` +
	`dc.identifier.isbn dc.identifier.issn
 dc.identifier.other dc.identifier.uri dc.description dc.description.provenance ` +
	`dc.description.abstract dc.description.tableofcontents dc.format.extent ` +
	`dc.format.mimetype dc.language
 dc.language.iso dc.publisher dc.relation dc.relation.isformatof dc.relation.ispartof ` +
	`dc.relation.ispartofseries dc.relation.haspart
 dc.relation.hasversion dc.relation.isreferencedby dc.relation.replaces dc.relation.isreplacedby ` +
	`dc.relation.references dc.rights dc.rights.uri
 dc.subject dc.title dc.title.alternative dc.type dcterms.accessRights dcterms.accrualPeriodicity ` +
	`dcterms.conformsTo dcterms.date
 dcterms.modified dcterms.source dcterms.valid `

func known(t *testing.T, name string) {
	t.Helper()
	for k := range strings.FieldsSeq(registry) {
		if k == name {
			return
		}
	}
	t.Errorf("%s is in no registry", name)
}

// full has a value in every field.
func full() *mods.Content {
	c := &mods.Content{
		Titles: []mods.Title{{NonSort: "The", Title: "Site", SubTitle: "a sub", Lang: "en"},
			{Type: "alternative", Title: "Alt"}, {Title: "Second"}},
		Names: []mods.Name{
			{Parts: []mods.NamePart{{Text: "Doe"}, {Text: "Jane"}}, Roles: []mods.Role{mods.Marc("creator")}},
			{DisplayForm: "The Library", Roles: []mods.Role{mods.Marc("collector")}},
			{Parts: []mods.NamePart{{Text: "Ed"}}, Roles: []mods.Role{mods.Marc("editor")}},
		},
		Types: []mods.Term{mods.Text("text")}, Genres: []mods.Term{mods.Text("web archives")},
		Abstracts: []mods.Note{{Text: "About"}}, TableOfContents: []mods.Note{{Text: "Contents"}},
		Notes: []mods.Note{{Type: "source of description", Text: "Seen"},
			{Type: "name", Label: "viewport", Text: "w=1"},
			{Type: "http-equiv", Label: "Refresh", Text: "5"}, {Type: "scheme", Label: "DC.date", Text: "W3CDTF"},
			{Type: "name", Text: "no name"}, {Label: "empty"}, {Text: "bare"}},
		Languages: []mods.Language{{Terms: []mods.Term{{Text: "eng", Type: "code"}, {Text: "English", Type: "text"}}},
			{Terms: []mods.Term{{Text: "fr_FR", Type: "code"}}}},
		Physical: []mods.Physical{{MediaTypes: []string{"text/html"}, Extents: []string{"3 files"}}},
		Subjects: []mods.Subject{{Topics: []mods.Term{mods.Text("Cats")}, Geographics: []mods.Term{mods.Text("Oslo")},
			Temporals: []mods.Term{mods.Text("1990s")}}},
		Identifiers: []mods.Identifier{{Type: "uri", Text: "http://a.example/"}, {Type: "doi", Text: "10.1/2"},
			{Type: "isbn", Text: "1"}, {Type: "issn", Text: "2"},
			{Type: "local", Text: "site-1"}, {Type: "hdl", Text: "https://hdl.handle.net/123456789/7"},
			{Type: "uri", Text: "http://a.example/100%"}},
		Locations: []mods.Location{{URLs: []mods.URL{{Text: "http://b.example/"}}}},
		Access: []mods.Note{{Type: "use and reproduction", Text: "CC", Href: "http://cc.example/"},
			{Type: "restriction on access", Text: "None"}},
	}
	for kind := range dates {
		c.Origins = append(c.Origins, mods.Origin{Publishers: []string{"Pub"}, Frequency: "daily",
			Dates: []mods.Date{{Kind: kind, Text: "2015", Point: "start"}, {Kind: kind, Text: "2016", Point: "end"}}})
	}
	for kind := range relations {
		r := mods.RelatedItem{Type: kind}
		r.Titles = []mods.Title{{Title: "Related " + kind}}
		c.Related = append(c.Related, r)
	}
	return c
}

func TestFields(t *testing.T) {
	said := map[string][]string{}
	for _, f := range FromMODS(full()) {
		known(t, f.Name())
		said[f.Name()] = append(said[f.Name()], f.Value)
	}
	for name, want := range map[string]string{
		"dc.title": "The Site: a sub", "dc.title.alternative": "Alt|Second", "dc.contributor.author": "Doe, Jane",
		"dc.contributor.other":  "The Library",
		"dc.contributor.editor": "Ed", "dc.date.created": "2015/2016", "dc.date": "2015/2016",
		"dc.language.iso": "eng|fr-FR", "dc.language": "English", "dc.subject": "Cats",
		"dc.identifier.uri":   "http://a.example/|http://b.example/",
		"dc.identifier.other": "site-1|http://a.example/100%",
		"dcterms.source":      "http://a.example/|http://b.example/", "dc.rights": "CC",
		"dc.rights.uri": "http://cc.example/", "dcterms.accessRights": "None",
		"dc.description": "source of description: Seen|viewport: w=1|Refresh: 5|DC.date scheme: W3CDTF|name: no name|" +
			"bare",
		"dc.relation.ispartof": "Related host",
	} {
		if got := strings.Join(said[name], "|"); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := Handle(full()); got != "123456789/7" {
		t.Errorf("handle %q", got)
	}
	for _, bad := range []string{"x", "/", "a/", "/b", "a/b c", ""} {
		if got := Handle(&mods.Content{Identifiers: []mods.Identifier{{Type: "hdl", Text: bad}}}); got != "" {
			t.Errorf("%q is the handle %q", bad, got)
		}
	}
}

// TestSubmission: the MODS for submissions has only roles with a field in DSpace.
func TestSubmission(t *testing.T) {
	for _, n := range submission(mods.Record{Content: *full()}).Names {
		if len(n.Parts) != 1 || len(n.Roles) != 1 || len(n.Roles[0].Terms) != 1 {
			t.Fatalf("%+v", n)
		}
		known(t, "dc.contributor."+n.Roles[0].Terms[0].Text)
	}
}
