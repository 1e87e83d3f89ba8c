package describe

import (
	"strings"
	"time"

	"quire/metadata/marc"
	"quire/metadata/oclc"
)

type marcCrossing = crossing[marc.Record]

// marcRules map to MARC 21.
var marcRules = []rule[marc.Record]{
	{oclc.Collector, "710 2_ $a, $e collector, $4 col", marcName("collector", "col")},
	{oclc.Contributor, "700, 710 or 711 by kind, else 720; $e contributor, $4 ctb", marcName("contributor", "ctb")},
	{oclc.Creator, "100, 110 or 111 by kind (7XX after the first), else 720; $e creator, $4 cre",
		marcName("creator", "cre")},
	{oclc.Date, "264 $c by kind; without a kind 260 $c; captured: 264 _0 $3 Archived copy $c and 583 $a captured $c; " +
		"else 500 with the kind in words; the first year in 008/07-10", marcDate},
	{oclc.Description, "520 $a", marcNote("520", ' ', "")},
	{oclc.Extent, "300 $a", marcNote("300", ' ', "")},
	{oclc.Genre, "655 _4 $a", marcNote("655", '4', "")},
	{oclc.Language, "008/35-37 and 041 $a (ISO 639-2/B; a longer tag also in 041 _7 $a, $2 rfc5646), 546 $a in words",
		marcLanguage},
	{oclc.Relation, "773, 774 or 787: $t", marcRelation},
	{oclc.Rights, "540 $a; 506 $a for the kind access", func(c *marcCrossing, s oclc.Statement) {
		if s.Kind == "access" {
			c.add(s, "506", ' ', ' ', marc.Subfield{Code: 'a', Value: s.Value})
			return
		}
		marcNote("540", ' ', "")(c, s)
	}},
	{oclc.SourceOfDescription, "588 $a", marcNote("588", ' ', "")},
	{oclc.Subject, "653 $a; second indicator 5 for the kind place", func(c *marcCrossing, s oclc.Statement) {
		if s.Kind == "place" {
			c.add(s, "653", ' ', '5', marc.Subfield{Code: 'a', Value: s.Value})
			return
		}
		marcNote("653", ' ', "")(c, s)
	}},
	{oclc.Title, "245 $a; 246 3_ $a after the first", marcTitle},
	{oclc.URL, "856 40 $u, $3 the kind", func(c *marcCrossing, s oclc.Statement) {
		f := []marc.Subfield{{Code: 'u', Value: s.Value}}
		if s.Kind != "" {
			f = append([]marc.Subfield{{Code: '3', Value: s.Kind}}, f...)
		}
		c.add(s, "856", '4', '0', f...)
	}},
	{oclc.Note, "500 $a", marcNote("500", ' ', "")},
}

// add adds a field. MARC has no subfield for the language of a value.
func (c *crossing[T]) add(s oclc.Statement, tag string, ind1, ind2 byte, f ...marc.Subfield) {
	if r, ok := any(&c.out).(*marc.Record); ok {
		r.Add(tag, ind1, ind2, f...)
	}
	c.loseLang(s)
}

func marcNote(tag string, ind2 byte, before string) func(*marcCrossing, oclc.Statement) {
	return func(c *marcCrossing, s oclc.Statement) {
		c.add(s, tag, ' ', ind2, marc.Subfield{Code: 'a', Value: before + s.Value})
		c.loseKind(s)
	}
}

// marcName returns the rule of a name with its role, as a term and as a MARC relator code.
func marcName(role, relator string) func(*marcCrossing, oclc.Statement) {
	return func(c *marcCrossing, s oclc.Statement) {
		f := []marc.Subfield{{Code: 'a', Value: s.Value}, {Code: 'e', Value: role}, {Code: '4', Value: relator}}
		kind, stated := c.kindOf(s)
		tag, ind1 := "20", byte(' ') // uncontrolled: not known whether it is a person or a body
		switch kind {
		case person:
			tag, ind1 = "00", '1'
		case family:
			tag, ind1 = "00", '3'
		case organization:
			tag, ind1 = "10", '2'
		case meeting:
			tag, ind1 = "11", '2'
			f[1].Code = 'j'
		}
		c.loseNameKind(s)
		head := "7"
		if role == "creator" && stated && !c.hasMain() {
			head = "1"
		}
		c.add(s, head+tag, ind1, ' ', f...)
	}
}

// hasMain reports whether there is a main entry; a record has only one.
func (c *crossing[T]) hasMain() bool {
	r, ok := any(&c.out).(*marc.Record)
	for i := 0; ok && i < len(r.Fields); i++ {
		if r.Fields[i].Tag[0] == '1' {
			return true
		}
	}
	return false
}

// marcDate uses field 264 where the kind of a date is one of its functions. Field 260 names no
// function, so it has the dates without a kind.
func marcDate(c *marcCrossing, s oclc.Statement) {
	date := marc.Subfield{Code: 'c', Value: s.Value}
	switch s.Kind {
	case "created":
		c.add(s, "264", ' ', '0', date)
	case "issued", "published":
		c.add(s, "264", ' ', '1', date)
	case "copyright":
		c.add(s, "264", ' ', '4', date)
	case "captured":
		c.add(s, "264", ' ', '0', marc.Subfield{Code: '3', Value: "Archived copy"}, date)
		c.out.Add("583", ' ', ' ', marc.Subfield{Code: 'a', Value: "captured"}, date)
	case "":
		c.add(s, "260", ' ', ' ', date)
	default:
		c.add(s, "500", ' ', ' ', marc.Subfield{Code: 'a', Value: "Date (" + s.Kind + "): " + s.Value})
	}
}

// marcLanguage writes the codes of a language. ToMARC writes one note with the names of all.
func marcLanguage(c *marcCrossing, s oclc.Statement) {
	c.loseLang(s)
	c.loseKind(s)
	code, ok := libraryCode(s.Value)
	if ok {
		c.languageCode(code)
	}
	if (!ok || code != s.Value && len(s.Value) > 3) && KnownLanguage(s.Value) {
		c.out.Add("041", ' ', '7', marc.Subfield{Code: 'a', Value: s.Value}, marc.Subfield{Code: '2', Value: "rfc5646"})
	}
}

// languageCode adds a code to field 041 with the codes of MARC.
func (c *crossing[T]) languageCode(code string) {
	r, ok := any(&c.out).(*marc.Record)
	if !ok {
		return
	}
	for i := range r.Fields {
		if f := &r.Fields[i]; f.Tag == "041" && f.Ind2 == ' ' {
			f.Subfields = append(f.Subfields, marc.Subfield{Code: 'a', Value: code})
			return
		}
	}
	r.Add("041", ' ', ' ', marc.Subfield{Code: 'a', Value: code})
}

func marcRelation(c *marcCrossing, s oclc.Statement) {
	tag := "787"
	switch relationOf(s) {
	case isPartOf:
		tag = "773"
	case hasPart:
		tag = "774"
	default:
		c.loseKind(s)
	}
	c.add(s, tag, '0', ' ', marc.Subfield{Code: 't', Value: s.Value})
}

func marcTitle(c *marcCrossing, s oclc.Statement) {
	c.loseKind(s)
	if len(c.out.Values("245", 'a')) == 0 {
		c.add(s, "245", '0', '0', marc.Subfield{Code: 'a', Value: s.Value})
		return
	}
	c.add(s, "246", '3', ' ', marc.Subfield{Code: 'a', Value: s.Value})
}

// ToMARC returns the description in MARC 21, as a record made at that time.
func ToMARC(d Description, made time.Time) (marc.Record, []Loss) {
	c := cross(&d, string(MARCXML), marcRules)
	r := &c.out
	r.Leader = marc.Website
	if d.Level == Collection {
		r.Leader = marc.Collection
	}
	if d.Level == Page {
		c.lose(oclc.Statement{Value: string(d.Level)}, "there is no place for the level of the description")
	}
	if t, said := d.title(); !said {
		r.Add("245", '0', '0', marc.Subfield{Code: 'a', Value: t.Value})
	}
	if note := languageNames(d.Record.Values(oclc.Language)); note != "" {
		r.Add("546", ' ', ' ', marc.Subfield{Code: 'a', Value: note})
	}
	lang := "und"
	for i := range r.Fields {
		switch f := &r.Fields[i]; {
		case f.Tag == "245" && c.hasMain():
			f.Ind1 = '1' // the title is an added entry beside the main entry
		case f.Tag == "041" && f.Ind2 == ' ' && len(f.Subfields) == 1:
			lang = f.Subfields[0].Value
		case f.Tag == "041" && f.Ind2 == ' ':
			lang = "mul"
		}
	}
	made = made.UTC()
	r.Controls = []marc.Control{{Tag: "001", Value: d.ID}, {Tag: "005", Value: made.Format("20060102150405") + ".0"},
		{Tag: "008", Value: made.Format("060102") + d.fixedDates() + "xx " + strings.Repeat("|", 17) + lang + " d"}}
	inOrder(r.Fields)
	return *r, c.losses
}

// fixedDates returns 008/06-14. A website has the status unknown (u) and the year of its first date;
// a collection has its inclusive years (i).
func (d *Description) fixedDates() string {
	first, last := d.years()
	switch {
	case first == "":
		return "nuuuuuuuu"
	case d.Level == Collection:
		return "i" + first + last
	}
	return "u" + first + "uuuu"
}
