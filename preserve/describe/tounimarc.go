package describe

import (
	"cmp"
	"time"

	"quire/metadata/marc"
	"quire/metadata/oclc"
)

// unimarcRecord is a record of UNIMARC. It is a type of its own because the rules differ.
type unimarcRecord struct{ marc.Record }

type unimarcCrossing = crossing[unimarcRecord]

// unimarcRules map to UNIMARC (UNIMARC Manual: Bibliographic Format, 3rd edition with its updates).
var unimarcRules = []rule[unimarcRecord]{
	{oclc.Collector, "712 02 $a; that it collected is lost", func(c *unimarcCrossing, s oclc.Statement) {
		unimarcName(nil, "712", "")(c, s)
		c.lose(s, "there is no place for that it is the collector") // no code of the list says it
	}},
	{oclc.Contributor, "702, 712 or 722 by kind, else 730; $4 205", unimarcName(nil, "7_2", "205")},
	{oclc.Creator, "700, 710 or 720 by kind (701, 711, 721 after the first), else 730; $4 070",
		unimarcName(mainEntries, "7_1", "070")},
	{oclc.Date, "210 $d; captured: 318 $a captured $c; else 300 with the kind in words; the first year in 100/9-12",
		unimarcDate},
	{oclc.Description, "330 $a", unimarcNote("330")},
	{oclc.Extent, "215 $a", unimarcNote("215")},
	{oclc.Genre, "608 $a", unimarcNote("608")},
	{oclc.Language, "101 0_ $a (ISO 639-2/B), 302 $a in words", unimarcLanguage},
	{oclc.Relation, "461, 464 or 488: $t", unimarcRelation},
	{oclc.Rights, "371 $a; 310 $a for the kind access", func(c *unimarcCrossing, s oclc.Statement) {
		if s.Kind == "access" {
			c.field(s, "310", ' ', ' ', marc.Subfield{Code: 'a', Value: s.Value})
			return
		}
		unimarcNote("371")(c, s)
	}},
	{oclc.SourceOfDescription, "303 $a", unimarcNote("303")},
	{oclc.Subject, "610 0_ $a", func(c *unimarcCrossing, s oclc.Statement) {
		c.field(s, "610", '0', ' ', marc.Subfield{Code: 'a', Value: s.Value})
		c.loseKind(s)
	}},
	{oclc.Title, "200 1_ $a; after the first 510 1_ $a with $z its language, or 517 1_ $a", unimarcTitle},
	{oclc.URL, "856 4_ $u, $z the kind", func(c *unimarcCrossing, s oclc.Statement) {
		f := []marc.Subfield{{Code: 'u', Value: s.Value}}
		if s.Kind != "" {
			f = append(f, marc.Subfield{Code: 'z', Value: s.Kind})
		}
		c.field(s, "856", '4', ' ', f...)
	}},
	{oclc.Note, "300 $a", unimarcNote("300")},
}

// field adds a field. UNIMARC has no subfield for the language of a value.
func (c *crossing[T]) field(s oclc.Statement, tag string, ind1, ind2 byte, f ...marc.Subfield) {
	if r, ok := any(&c.out).(*unimarcRecord); ok {
		r.Add(tag, ind1, ind2, f...)
	}
	c.loseLang(s)
}

func unimarcNote(tag string) func(*unimarcCrossing, oclc.Statement) {
	return func(c *unimarcCrossing, s oclc.Statement) {
		c.field(s, tag, ' ', ' ', marc.Subfield{Code: 'a', Value: s.Value})
		c.loseKind(s)
	}
}

// mainEntries are the tags of the first creator, whose responsibility is primary.
var mainEntries = []string{"700", "710", "720"}

// unimarcName returns the rule of a name. main are the tags for the first name: a record has one; nil is none. tag is the tag for the others, with _ for the kind of name. code is a
// relator code of the manual's appendix C.
func unimarcName(main []string, tag, code string) func(*unimarcCrossing, oclc.Statement) {
	return func(c *unimarcCrossing, s oclc.Statement) {
		f := []marc.Subfield{{Code: 'a', Value: s.Value}}
		if code != "" {
			f = append(f, marc.Subfield{Code: '4', Value: code})
		}
		kind, stated := c.kindOf(s)
		c.loseNameKind(s)
		if !stated {
			c.field(s, "730", ' ', ' ', f...)
			return
		}
		// Names are entered as they stand in the sheet: a person under the surname.
		at, ind1, ind2 := 0, byte(' '), byte('1')
		switch kind {
		case organization:
			at, ind1, ind2 = 1, '0', '2'
		case meeting:
			at, ind1, ind2 = 1, '1', '2'
		case family:
			at, ind2 = 2, ' '
		}
		chosen := tag[:1] + string(rune('0'+at)) + tag[2:]
		if main != nil && !c.has(main) {
			chosen = main[at]
		}
		c.field(s, chosen, ind1, ind2, f...)
	}
}

// has reports whether the record has a field with one of the tags.
func (c *crossing[T]) has(tags []string) bool {
	r, ok := any(&c.out).(*unimarcRecord)
	for i := 0; ok && i < len(r.Fields); i++ {
		for _, t := range tags {
			if r.Fields[i].Tag == t {
				return true
			}
		}
	}
	return false
}

func unimarcDate(c *unimarcCrossing, s oclc.Statement) {
	switch s.Kind {
	case "", "created", "issued", "published":
		c.field(s, "210", ' ', ' ', marc.Subfield{Code: 'd', Value: s.Value})
		if s.Kind == "created" {
			c.loseKind(s)
		}
	case "copyright":
		c.field(s, "210", ' ', ' ', marc.Subfield{Code: 'd', Value: "cop. " + s.Value})
	case "captured":
		c.field(s, "318", ' ', ' ', marc.Subfield{Code: 'a', Value: "captured"},
			marc.Subfield{Code: 'c', Value: s.Value})
	default:
		c.field(s, "300", ' ', ' ', marc.Subfield{Code: 'a', Value: "Date (" + s.Kind + "): " + s.Value})
	}
}

// unimarcLanguage adds the code of a language to the one field 101.
func unimarcLanguage(c *unimarcCrossing, s oclc.Statement) {
	c.loseLang(s)
	c.loseKind(s)
	code, ok := libraryCode(s.Value)
	if !ok || len(s.Value) > 3 {
		c.lose(s, "there is no place for the language tag; its name is in 302")
	}
	if !ok {
		return
	}
	for i := range c.out.Fields {
		if f := &c.out.Fields[i]; f.Tag == "101" {
			f.Subfields = append(f.Subfields, marc.Subfield{Code: 'a', Value: code})
			return
		}
	}
	c.out.Add("101", '0', ' ', marc.Subfield{Code: 'a', Value: code})
}

func unimarcRelation(c *unimarcCrossing, s oclc.Statement) {
	tag := "488"
	switch relationOf(s) {
	case isPartOf:
		tag = "461"
	case hasPart:
		tag = "464"
	default:
		c.loseKind(s)
	}
	c.field(s, tag, ' ', '0', marc.Subfield{Code: 't', Value: s.Value})
}

// unimarcTitle writes a title. A title in another language than the first is a parallel title, whose
// field can hold the language.
func unimarcTitle(c *unimarcCrossing, s oclc.Statement) {
	c.loseKind(s)
	a := marc.Subfield{Code: 'a', Value: s.Value}
	if !c.has([]string{"200"}) {
		c.field(s, "200", '1', ' ', a)
		return
	}
	first, _ := c.title()
	if code, ok := libraryCode(s.Lang); ok && first.Lang != "" && first.Lang != s.Lang {
		c.out.Add("510", '1', ' ', a, marc.Subfield{Code: 'z', Value: code})
		if len(s.Lang) > 3 {
			c.loseLang(s)
		}
		return
	}
	c.field(s, "517", '1', ' ', a)
}

// ToUNIMARC returns the description in UNIMARC, as a record made at that time.
func ToUNIMARC(d Description, made time.Time) (marc.Record, []Loss) {
	c := cross(&d, string(UNIMARC), unimarcRules)
	r := &c.out
	r.Leader = marc.UNIMARCWebsite
	if d.Level == Collection {
		r.Leader = marc.UNIMARCCollection
	}
	if d.Level == Page {
		c.lose(oclc.Statement{Value: string(d.Level)}, "there is no place for the level of the description")
	}
	title, said := d.title()
	if !said {
		r.Add("200", '1', ' ', marc.Subfield{Code: 'a', Value: title.Value})
	}
	if note := languageNames(d.Record.Values(oclc.Language)); note != "" {
		r.Add("302", ' ', ' ', marc.Subfield{Code: 'a', Value: note})
	}
	if !c.has([]string{"101"}) { // mandatory
		r.Add("101", '0', ' ', marc.Subfield{Code: 'a', Value: "und"})
	}
	made = made.UTC()
	r.Add("100", ' ', ' ', marc.Subfield{Code: 'a', Value: d.processingData(made, title.Value)})
	agency := "not stated"
	if all := d.Record.Values(oclc.Collector); len(all) > 0 {
		agency = all[0]
	}
	r.Add("801", ' ', '0', marc.Subfield{Code: 'b', Value: agency},
		marc.Subfield{Code: 'c', Value: made.Format("20060102")})
	r.Controls = []marc.Control{{Tag: "001", Value: d.ID}, {Tag: "005", Value: made.Format("20060102150405") + ".0"}}
	inOrder(r.Fields)
	return r.Record, c.losses
}

// processingData returns field 100 $a, 36 characters: the date of entry, the type and years of
// publication, audience, government publication and language of cataloguing unknown, not modified,
// no transliteration, UTF-8, and the script of the title.
func (d *Description) processingData(made time.Time, title string) string {
	dates := "u        " // unknown
	if first, last := d.years(); first != "" {
		dates = "c" + first + "    " // of unknown status
		if d.Level == Collection {
			dates = "g" + first + last // continues for more than a year
		}
	}
	const charset = "50      " // ISO 10646; no second set
	return made.Format("20060102") + dates + "u  " + "u" + "0" + "und" + "y" + charset + cmp.Or(scriptCode(title), "zz")
}
