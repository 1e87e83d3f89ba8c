package describe

import (
	"cmp"
	"strings"

	"quire/metadata/mods"
	"quire/metadata/oclc"
	"quire/metadata/xmlstream"
)

type modsCrossing = crossing[mods.Record]

// modsRules map to MODS. They are the same for 3.4 and 3.8, except for the name of an event.
var modsRules = []rule[mods.Record]{
	{oclc.Collector, "name, role collector", modsName("collector")},
	{oclc.Contributor, "name, role contributor", modsName("contributor")},
	{oclc.Creator, "name, role creator", modsName("creator")},
	{oclc.Date,
		"originInfo: dateCaptured, dateCreated, dateIssued, dateModified, copyrightDate or dateOther; the event as " +
			"eventType (3.8) or displayLabel (3.4)", modsDate},
	{oclc.Description, "abstract", func(c *modsCrossing, s oclc.Statement) {
		c.out.Abstracts = append(c.out.Abstracts, modsNote(s, ""))
	}},
	{oclc.Extent, "physicalDescription/extent", func(c *modsCrossing, s oclc.Statement) {
		c.out.Physical = append(c.out.Physical, mods.Physical{Extents: []string{s.Value}})
		c.loseLang(s)
		c.loseKind(s)
	}},
	{oclc.Genre, "genre", func(c *modsCrossing, s oclc.Statement) {
		c.out.Genres = append(c.out.Genres, mods.Term{Text: s.Value, Lang: s.Lang, Type: s.Kind})
	}},
	{oclc.Language, "language/languageTerm, code or text", modsLanguage},
	{oclc.Relation, "relatedItem: host, constituent or no type, titleInfo", modsRelation},
	{oclc.Rights, "accessCondition", func(c *modsCrossing, s oclc.Statement) {
		c.out.Access = append(c.out.Access, modsNote(s, ""))
	}},
	{oclc.SourceOfDescription, "note of type source of description", func(c *modsCrossing, s oclc.Statement) {
		c.out.Notes = append(c.out.Notes, modsNote(s, "source of description"))
	}},
	{oclc.Subject, "subject/topic, or geographic for the kind place", modsSubject},
	{oclc.Title, "titleInfo; those after the first are translated or alternative", modsTitle},
	{oclc.URL, "location/url with the kind as displayLabel; identifier where the schema takes no such URL", modsURL},
	{oclc.Note, "note", func(c *modsCrossing, s oclc.Statement) { c.out.Notes = append(c.out.Notes, modsNote(s, "")) }},
}

func modsNote(s oclc.Statement, kind string) mods.Note {
	n := mods.Note{Text: s.Value, Lang: s.Lang, Type: cmp.Or(kind, s.Kind)}
	if kind != "" {
		n.Label = s.Kind
	}
	return n
}

func modsName(role string) func(*modsCrossing, oclc.Statement) {
	return func(c *modsCrossing, s oclc.Statement) {
		kind, _ := c.kindOf(s)
		n := mods.Name{Type: modsNames[kind], Parts: []mods.NamePart{{Text: s.Value}},
			Roles: []mods.Role{mods.Marc(role)}}
		if n.Type == "" && s.Kind != "" {
			n.Roles = append(n.Roles, mods.Role{Terms: []mods.Term{{Text: s.Kind, Type: "text"}}})
		}
		c.out.Names = append(c.out.Names, n)
		c.loseLang(s)
	}
}

var modsDates = map[string]string{"captured": "dateCaptured", "created": "dateCreated", "issued": "dateIssued",
	"published": "dateIssued", "modified": "dateModified", "copyright": "copyrightDate"}

func modsDate(c *modsCrossing, s oclc.Statement) {
	o := mods.Origin{Dates: []mods.Date{{Kind: cmp.Or(modsDates[s.Kind], "dateOther"), Text: s.Value}}}
	if c.out.Version == mods.Version34 {
		o.Label = s.Kind
	} else {
		o.EventType = s.Kind
	}
	c.out.Origins = append(c.out.Origins, o)
	c.loseLang(s)
}

func modsLanguage(c *modsCrossing, s oclc.Statement) {
	t := mods.Term{Text: s.Value, Lang: s.Lang, Type: "text"}
	switch code, ok := libraryCode(s.Value); {
	case ok && code == s.Value:
		t.Type, t.Authority = "code", "iso639-2b"
	case KnownLanguage(s.Value) && !strings.Contains(s.Value, "_"): // en_US is a locale, not a code of BCP 47
		t.Type, t.Authority = "code", "rfc4646" // the predecessor of BCP 47, the newest name that 3.4 allows
	}
	c.out.Languages = append(c.out.Languages, mods.Language{Terms: []mods.Term{t}})
	c.loseKind(s)
}

func modsRelation(c *modsCrossing, s oclc.Statement) {
	r := mods.RelatedItem{Type: map[relation]string{isPartOf: "host", hasPart: "constituent"}[relationOf(s)]}
	if r.Type == "" {
		r.Label = s.Kind
	}
	r.Titles = []mods.Title{{Title: s.Value, Lang: s.Lang}}
	c.out.Related = append(c.out.Related, r)
}

func modsSubject(c *modsCrossing, s oclc.Statement) {
	term := []mods.Term{{Text: s.Value, Lang: s.Lang}}
	if s.Kind == "place" {
		c.out.Subjects = append(c.out.Subjects, mods.Subject{Geographics: term})
		return
	}
	c.out.Subjects = append(c.out.Subjects, mods.Subject{Topics: term})
	c.loseKind(s)
}

func modsTitle(c *modsCrossing, s oclc.Statement) {
	t := mods.Title{Title: s.Value, Lang: s.Lang, Label: s.Kind}
	if len(c.out.Titles) > 0 {
		t.Type = "alternative"
		if first := c.out.Titles[0].Lang; first != "" && s.Lang != "" && s.Lang != first {
			t.Type = "translated"
		}
	}
	c.out.Titles = append(c.out.Titles, t)
}

func modsURL(c *modsCrossing, s oclc.Statement) {
	if !xmlstream.IsURI(s.Value) {
		c.out.Identifiers = append(c.out.Identifiers, mods.Identifier{Text: s.Value, Type: "uri", Label: s.Kind})
	} else {
		c.out.Locations = append(c.out.Locations, mods.Location{URLs: []mods.URL{{Text: s.Value, Label: s.Kind}}})
	}
	c.loseLang(s)
}

// ToMODS returns the description in MODS of the version, mods.Version or mods.Version34.
func ToMODS(d Description, version string) (mods.Record, []Loss) {
	target := MODS
	if version == mods.Version34 {
		target = MODS34
	}
	c := &modsCrossing{Description: &d, target: string(target)}
	c.out.Version = version
	c.take(modsRules)
	if t, said := d.title(); !said {
		c.out.Titles = []mods.Title{{Title: t.Value}}
	}
	c.out.Types = []mods.Term{mods.Text("text")} // as leader/06 of MARC
	if d.Level == Collection {
		c.out.Types = []mods.Term{mods.Text("mixed material")}
		c.out.Genres = append(c.out.Genres, mods.Term{Text: "collection", Type: "level"})
	}
	if d.Level == Page {
		c.out.Genres = append(c.out.Genres, mods.Term{Text: "web page", Type: "level"})
	}
	return c.out, c.losses
}
