package describe

import (
	"quire/metadata/ead"
	"quire/metadata/oclc"
	"quire/metadata/xmlstream"
)

// eadUnit is a unit and its EAD version.
type eadUnit struct {
	ead.Unit
	version ead.Version
}

type eadCrossing = crossing[eadUnit]

// eadRules map to EAD3 and EAD 2002.
var eadRules = []rule[eadUnit]{
	{oclc.Collector, "did/repository/name", func(c *eadCrossing, s oclc.Statement) {
		c.out.Keepers = append(c.out.Keepers, c.text(s))
		c.loseKind(s)
	}},
	{oclc.Contributor, "controlaccess: persname, corpname, famname by kind, else name; role contributor",
		func(c *eadCrossing, s oclc.Statement) {
			kind, ok := map[string]string{"person": "persname", "organization": "corpname", "family": "famname"}[s.Kind]
			if !ok {
				kind = "name"
				c.loseKind(s)
			}
			c.out.Access = append(c.out.Access, ead.Term{Kind: kind, Text: c.text(s), Role: "contributor"})
		}},
	{oclc.Creator, "did/origination/name, role creator", func(c *eadCrossing, s oclc.Statement) {
		c.out.Originated = append(c.out.Originated, ead.Name{Text: c.text(s), Role: "creator"})
		c.loseKind(s)
	}},
	{oclc.Date, "did/unitdate, datechar the kind; normal where the value is a year, month, day or two of them",
		func(c *eadCrossing, s oclc.Statement) {
			d := ead.Date{Text: c.text(s), Char: s.Kind}
			if ead.IsNormal(s.Value) {
				d.Normal = s.Value
			}
			c.out.Dates = append(c.out.Dates, d)
		}},
	{oclc.Description, "scopecontent/p, head the kind", eadNote("scopecontent")},
	{oclc.Extent, "did/physdesc (EAD 2002: extent in it)", func(c *eadCrossing, s oclc.Statement) {
		c.out.Extents = append(c.out.Extents, c.text(s))
		c.loseKind(s)
	}},
	{oclc.Genre, "controlaccess/genreform", eadTerm("genreform")},
	{oclc.Language, "did/langmaterial/language, langcode of ISO 639-2/B", func(c *eadCrossing, s oclc.Statement) {
		code, _ := libraryCode(s.Value)
		c.out.Languages = append(c.out.Languages, ead.Language{Text: c.text(s), Code: code})
		c.loseKind(s)
	}},
	{oclc.Relation, "relatedmaterial/p, head the kind", eadNote("relatedmaterial")},
	{oclc.Rights, "userestrict/p, head the kind; accessrestrict for the kind access",
		func(c *eadCrossing, s oclc.Statement) {
			if s.Kind == "access" {
				c.out.Notes = append(c.out.Notes, ead.Note{Kind: "accessrestrict", Text: c.text(s)})
				return
			}
			eadNote("userestrict")(c, s)
		}},
	{oclc.SourceOfDescription, "processinfo/p, head the kind", eadNote("processinfo")},
	{oclc.Subject, "controlaccess/subject, or geogname for the kind place", func(c *eadCrossing, s oclc.Statement) {
		if s.Kind == "place" {
			c.out.Access = append(c.out.Access, ead.Term{Kind: "geogname", Text: c.text(s)})
			return
		}
		eadTerm("subject")(c, s)
	}},
	{oclc.Title, "did/unittitle", func(c *eadCrossing, s oclc.Statement) {
		c.out.Titles = append(c.out.Titles, c.text(s))
		c.loseKind(s)
	}},
	{oclc.URL, "did/dao, title the kind; odd/p where the schema takes no such URL", eadURL},
	{oclc.Note, "odd/p, head the kind", eadNote("odd")},
}

// text returns the value with its language, if the target can hold that.
func (c *crossing[T]) text(s oclc.Statement) ead.Text {
	if u, ok := any(&c.out).(*eadUnit); ok && u.version.HasLang() {
		return ead.Text{Text: s.Value, Lang: s.Lang}
	}
	c.loseLang(s)
	return ead.Text{Text: s.Value}
}

func eadNote(kind string) func(*eadCrossing, oclc.Statement) {
	return func(c *eadCrossing, s oclc.Statement) {
		c.out.Notes = append(c.out.Notes, ead.Note{Kind: kind, Text: c.text(s), Head: s.Kind})
	}
}

func eadTerm(kind string) func(*eadCrossing, oclc.Statement) {
	return func(c *eadCrossing, s oclc.Statement) {
		c.out.Access = append(c.out.Access, ead.Term{Kind: kind, Text: c.text(s)})
		c.loseKind(s)
	}
}

func eadURL(c *eadCrossing, s oclc.Statement) {
	if s.Value == "" || !xmlstream.IsURI(s.Value) || xmlstream.Sanitize(s.Value) != s.Value {
		eadNote("odd")(c, s)
		return
	}
	c.out.Addresses = append(c.out.Addresses, ead.Address{Href: s.Value, Title: s.Kind})
	c.loseLang(s)
}

var eadLevels = map[Level]string{Collection: "collection", Site: "website", Page: "item"}

// ToEAD returns the description as a unit of a finding aid. EAD has no level for a website, so it
// uses otherlevel.
func ToEAD(d Description, version ead.Version) (ead.Unit, []Loss) {
	target := EAD3
	if version == ead.EAD2002 {
		target = EAD2002
	}
	c := &eadCrossing{Description: &d, target: string(target)}
	c.out.version, c.out.Level, c.out.ID = version, eadLevels[d.Level], d.ID
	c.take(eadRules)
	if t, said := d.title(); !said {
		c.out.Titles = []ead.Text{{Text: t.Value}}
	}
	return c.out.Unit, c.losses
}
