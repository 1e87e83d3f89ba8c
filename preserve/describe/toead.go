package describe

import (
	"fmt"
	"regexp"
	"slices"

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
	{oclc.Collector, "did/repository/corpname", func(c *eadCrossing, s oclc.Statement) {
		c.out.Keepers = append(c.out.Keepers, c.text(s))
		c.loseKind(s)
	}},
	{oclc.Contributor, "controlaccess: persname, corpname, famname by kind, else name; role contributor",
		func(c *eadCrossing, s oclc.Statement) {
			c.out.Access = append(c.out.Access, ead.Term{Kind: c.eadName(s), Text: c.text(s), Role: "contributor"})
		}},
	{oclc.Creator, "did/origination: persname, corpname, famname by kind, else name; role creator",
		func(c *eadCrossing, s oclc.Statement) {
			c.out.Originated = append(c.out.Originated,
				ead.Name{Kind: c.eadName(s), Text: c.text(s), Role: "creator"})
		}},
	{oclc.Date, "did/unitdate, datechar the kind; normal where the value is a year, month, day or two of them; " +
		"undated without a date",
		func(c *eadCrossing, s oclc.Statement) {
			d := ead.Date{Text: c.text(s), Char: s.Kind}
			if ead.IsNormal(s.Value) {
				d.Normal = s.Value
			}
			c.out.Dates = append(c.out.Dates, d)
		}},
	{oclc.Description, "scopecontent/p, head the kind", eadNote("scopecontent")},
	{oclc.Extent, "did/physdesc (EAD 2002: extent in it); 1 website, 1 web page or the number of websites is " +
		"added where no extent begins with a number", func(c *eadCrossing, s oclc.Statement) {
		c.out.Extents = append(c.out.Extents, c.text(s))
		c.loseKind(s)
	}},
	{oclc.Genre, "controlaccess/genreform", eadTerm("genreform")},
	{oclc.Language, "did/langmaterial/language, langcode of ISO 639-2/B; und without a language", eadLanguage},
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

// eadName returns the element of a name.
func (c *crossing[T]) eadName(s oclc.Statement) string {
	kind, _ := c.kindOf(s)
	c.loseNameKind(s)
	if element, ok := eadNames[kind]; ok {
		return element
	}
	if kind == meeting {
		c.loseKind(s)
	}
	return "name"
}

// eadLanguage writes the value as it is: finding aids show it beside the code.
func eadLanguage(c *eadCrossing, s oclc.Statement) {
	code, _ := libraryCode(s.Value)
	c.out.Languages = append(c.out.Languages, ead.Language{Text: c.text(s), Code: code})
	c.loseKind(s)
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
// uses otherlevel. A unit always has a date, an extent with a number and a language, because DACS
// 2.4, 2.5 and 4.5 and the importer of ArchivesSpace require them.
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
	if len(c.out.Dates) == 0 {
		c.out.Dates = []ead.Date{{Text: ead.Text{Text: "undated"}}}
	}
	if extent := ownExtents[d.Level]; extent != "" && !slices.ContainsFunc(c.out.Extents, hasNumber) {
		c.out.Extents = append(c.out.Extents, ead.Text{Text: extent})
	}
	if len(c.out.Languages) == 0 {
		c.out.Languages = []ead.Language{{Text: ead.Text{Text: "Undetermined"}, Code: "und"}}
	}
	return c.out.Unit, c.losses
}

// ownExtents are the extents by the level. A collection gets one from the number of its parts.
var ownExtents = map[Level]string{Site: "1 website", Page: "1 web page"}

// numbered is the form of an extent that ArchivesSpace reads: a number, then its unit.
var numbered = regexp.MustCompile(`^[0-9.]+\s+\S`)

func hasNumber(t ead.Text) bool { return numbered.MatchString(t.Text) }

// countParts adds an extent to a collection without one.
func countParts(unit *ead.Unit) {
	if unit.Level != eadLevels[Collection] || slices.ContainsFunc(unit.Extents, hasNumber) {
		return
	}
	sites := 0
	for i := range unit.Parts {
		if unit.Parts[i].Level == eadLevels[Site] {
			sites++
		}
	}
	text := fmt.Sprintf("%d websites", sites)
	if sites == 1 {
		text = ownExtents[Site]
	}
	unit.Extents = append(unit.Extents, ead.Text{Text: text})
}
