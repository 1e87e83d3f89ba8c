package describe

import (
	"quire/metadata/dc"
	"quire/metadata/oclc"
)

// dcRules map to the fifteen elements of Dublin Core.
var dcRules = []rule[dc.Record]{
	{oclc.Collector, "contributor; that it collected is lost", toDC(dc.Contributor, "that it is the collector")},
	{oclc.Contributor, "contributor", toDC(dc.Contributor, "")},
	{oclc.Creator, "creator", toDC(dc.Creator, "")},
	{oclc.Date, "date; the event is lost", toDC(dc.Date, "")},
	{oclc.Description, "description", toDC(dc.Description, "")},
	{oclc.Extent, "format", toDC(dc.Format, "")},
	{oclc.Genre, "type", toDC(dc.Type, "")},
	{oclc.Language, "language", toDC(dc.Language, "")},
	{oclc.Relation, "relation; the kind is lost", toDC(dc.Relation, "")},
	{oclc.Rights, "rights", toDC(dc.Rights, "")},
	{oclc.SourceOfDescription, "description; that it is about the description is lost",
		toDC(dc.Description, "that it is about the description")},
	{oclc.Subject, "subject", toDC(dc.Subject, "")},
	{oclc.Title, "title", toDC(dc.Title, "")},
	{oclc.URL, "identifier; seed or access is lost", toDC(dc.Identifier, "")},
	{oclc.Note, "description; that it is a note is lost", toDC(dc.Description, "that it is a note")},
}

// toDC puts a value into an element; lost names the lost part of its meaning.
func toDC(e dc.Element, lost string) func(*crossing[dc.Record], oclc.Statement) {
	return func(c *crossing[dc.Record], s oclc.Statement) {
		c.out = append(c.out, dc.Statement{Element: e, Value: s.Value, Lang: s.Lang})
		if lost != "" {
			c.lose(s, "there is no place for "+lost)
		}
		c.loseKind(s)
	}
}

// ToDC returns the description in simple Dublin Core.
func ToDC(d Description) (dc.Record, []Loss) {
	c := cross(&d, string(OAIDC), dcRules)
	if t, said := d.title(); !said {
		c.out = append(dc.Record{{Element: dc.Title, Value: t.Value}}, c.out...)
	}
	if d.Level != Site {
		c.lose(oclc.Statement{Value: string(d.Level)}, "there is no place for the level of the description")
	}
	return c.out, c.losses
}
