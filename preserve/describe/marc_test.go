package describe

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/metadata/marc"
	"quire/metadata/oclc"
)

// row returns a description of a site. Statements are "element value", or "element/kind value".
func row(statements ...string) Description {
	d := Description{ID: "x", Level: Site, Row: 1}
	for _, s := range statements {
		name, value, _ := strings.Cut(s, " ")
		name, kind, _ := strings.Cut(name, "/")
		d.Record = append(d.Record, oclc.Statement{Element: oclc.Element(name), Kind: kind, Value: value})
	}
	return d
}

// fields writes the data fields of a record as catalogues print them.
func fields(r marc.Record) []string {
	var out []string
	for _, f := range r.Fields {
		line := f.Tag + " " + strings.ReplaceAll(string([]byte{f.Ind1, f.Ind2}), " ", "_")
		for _, s := range f.Subfields {
			line += fmt.Sprintf(" $%c %s", s.Code, s.Value)
		}
		out = append(out, line)
	}
	return out
}

// TestMARCFields: each statement becomes these fields of MARC 21 and of UNIMARC.
func TestMARCFields(t *testing.T) {
	for _, c := range []struct {
		statements    []string
		marc, unimarc []string // by tag and indicators; without the fields that all records have
	}{
		{[]string{"title T", "language fr"},
			[]string{"041 __ $a fre", "245 00 $a T", "546 __ $a French."},
			[]string{"101 0_ $a fre", "200 1_ $a T", "302 __ $a French."}},
		{[]string{"title T", "language nl-BE", "language zh-Hant", "language dut", "language gsw"},
			[]string{"041 __ $a dut $a chi $a dut", "041 _7 $a nl-BE $2 rfc5646", "041 _7 $a zh-Hant $2 rfc5646",
				"041 _7 $a gsw $2 rfc5646", "245 00 $a T",
				"546 __ $a Flemish, Traditional Chinese, Dutch and Swiss German."},
			[]string{"101 0_ $a dut $a chi $a dut", "200 1_ $a T",
				"302 __ $a Flemish, Traditional Chinese, Dutch and Swiss German."}},
		{[]string{"title T", "date 2010", "date/issued 2009", "date/created 2008", "date/copyright 2007",
			"date/captured 2015-07-08", "date/modified 2006"},
			[]string{"245 00 $a T", "260 __ $c 2010", "264 _1 $c 2009", "264 _0 $c 2008", "264 _4 $c 2007",
				"264 _0 $3 Archived copy $c 2015-07-08", "500 __ $a Date (modified): 2006",
				"583 __ $a captured $c 2015-07-08"},
			[]string{"101 0_ $a und", "200 1_ $a T", "210 __ $d 2010", "210 __ $d 2009", "210 __ $d 2008",
				"210 __ $d cop. 2007", "300 __ $a Date (modified): 2006", "318 __ $a captured $c 2015-07-08"}},
		{[]string{"title T", "creator/person Dupont, Jean", "creator/corporate Bureau", "contributor/meeting M",
			"contributor/Family F", "collector Library"},
			[]string{"100 1_ $a Dupont, Jean $e creator $4 cre", "245 10 $a T", "700 3_ $a F $e contributor $4 ctb",
				"710 2_ $a Bureau $e creator $4 cre", "710 2_ $a Library $e collector $4 col",
				"711 2_ $a M $j contributor $4 ctb"},
			[]string{"101 0_ $a und", "200 1_ $a T", "700 _1 $a Dupont, Jean $4 070", "711 02 $a Bureau $4 070",
				"712 12 $a M $4 205", "712 02 $a Library", "722 __ $a F $4 205"}},
		// The collector is an organization by its definition, so the same name as creator is one too.
		{[]string{"title T", "creator Library", "collector Library", "contributor Unknown"},
			[]string{"110 2_ $a Library $e creator $4 cre", "245 10 $a T", "710 2_ $a Library $e collector $4 col",
				"720 __ $a Unknown $e contributor $4 ctb"},
			[]string{"101 0_ $a und", "200 1_ $a T", "710 02 $a Library $4 070", "712 02 $a Library",
				"730 __ $a Unknown $4 205"}},
		{[]string{"title T", "relation/ispartof Whole", "relation/hasPart Part", "relation Other"},
			[]string{"245 00 $a T", "773 0_ $t Whole", "774 0_ $t Part", "787 0_ $t Other"},
			[]string{"101 0_ $a und", "200 1_ $a T", "461 _0 $t Whole", "464 _0 $t Part", "488 _0 $t Other"}},
	} {
		d := row(c.statements...)
		m, _ := ToMARC(d, made)
		if got := fields(m); !slices.Equal(got, c.marc) {
			t.Errorf("MARC 21 of %q:\n%s\nwant\n%s", c.statements, strings.Join(got, "\n"), strings.Join(c.marc, "\n"))
		}
		u, _ := ToUNIMARC(d, made)
		got := slices.DeleteFunc(fields(u), func(f string) bool { return f[:3] == "100" || f[:3] == "801" })
		if !slices.Equal(got, c.unimarc) {
			t.Errorf("UNIMARC of %q:\n%s\nwant\n%s", c.statements, strings.Join(got, "\n"),
				strings.Join(c.unimarc, "\n"))
		}
	}
}

// TestMARCFixedData: the coded dates and languages.
func TestMARCFixedData(t *testing.T) {
	d := row("title 統計", "date/captured 2015-07-08/2016", "language fr", "collector Library")
	collection := d
	collection.Level = Collection
	for _, c := range []struct {
		d        Description
		m008     string // 06 to 14, and the language
		u100     string // positions 8 to 16
		mlead    marc.Leader
		ulead    marc.Leader
		u801, lg string
	}{
		{d, "u2015uuuu", "c2015    ", marc.Website, marc.UNIMARCWebsite, "801 _0 $b Library $c 20260102", "fre"},
		{collection, "i20152016", "g20152016", marc.Collection, marc.UNIMARCCollection,
			"801 _0 $b Library $c 20260102", "fre"},
		{row("title T"), "nuuuuuuuu", "u        ", marc.Website, marc.UNIMARCWebsite,
			"801 _0 $b not stated $c 20260102", "und"},
	} {
		m, _ := ToMARC(c.d, made)
		if f := m.Controls[2].Value; len(f) != 40 || f[6:15] != c.m008 || f[35:38] != c.lg || m.Leader != c.mlead {
			t.Errorf("008 %q, leader %q", f, m.Leader)
		}
		u, _ := ToUNIMARC(c.d, made)
		f := u.Values("100", 'a')[0]
		if len(f) != 36 || f[:8] != "20260102" || f[8:17] != c.u100 || f[26:28] != "50" || u.Leader != c.ulead {
			t.Errorf("100 %q, leader %q", f, u.Leader)
		}
		if all := fields(u); all[len(all)-1] != c.u801 {
			t.Errorf("%q, want %q", all[len(all)-1], c.u801)
		}
	}
	u, _ := ToUNIMARC(d, made)
	if f := u.Values("100", 'a')[0]; f[34:] != "ea" {
		t.Errorf("the script of the title in %q", f)
	}
}

// TestUNIMARCTitles: a title in another language is a parallel title with its language.
func TestUNIMARCTitles(t *testing.T) {
	d := Description{ID: "x", Level: Site, Record: oclc.Record{{Element: oclc.Title, Value: "Un", Lang: "fr"},
		{Element: oclc.Title, Value: "Een", Lang: "nl"}, {Element: oclc.Title, Value: "Autre", Lang: "fr"}}}
	u, losses := ToUNIMARC(d, made)
	for tag, want := range map[string]string{"200": "Un", "510": "Een", "517": "Autre"} {
		if got := u.Values(tag, 'a'); len(got) != 1 || got[0] != want {
			t.Errorf("%s $a %q, want %q", tag, got, want)
		}
	}
	if z := u.Values("510", 'z'); len(z) != 1 || z[0] != "dut" || len(losses) != 2 {
		t.Errorf("510 $z %q; %v", z, losses)
	}
}

// TestUNIMARCForms: MarcXchange names its format, and ISO 2709 has the label of UNIMARC.
func TestUNIMARCForms(t *testing.T) {
	list := []Description{row("title Été", "language fr")}
	xml, _ := exported(t, list, MarcXchange)
	doc, err := os.ReadFile(filepath.Join(xml, "records.xml"))
	if err != nil || !strings.Contains(string(doc), `<mxc:collection xmlns:mxc="info:lc/xmlns/marcxchange-v2">`) ||
		!strings.Contains(string(doc), `<mxc:record format="UNIMARC" type="Bibliographic">`) {
		t.Errorf("%v\n%s", err, doc)
	}
	iso, _ := exported(t, list, UNIMARC)
	if doc, err = os.ReadFile(filepath.Join(iso, "records.mrc")); err != nil || string(doc[5:12]) != "nli  22" ||
		string(doc[17:24]) != "3n 450 " {
		t.Errorf("%v, label %q", err, doc[:24])
	}
}

// TestFindingAidForArchivesSpace: the importer refuses a resource without a date, an extent that
// begins with a number, a language, or a level, and reads names only by their kind.
func TestFindingAidForArchivesSpace(t *testing.T) {
	site := row("title T", "url http://a.example/", "creator/person Ann", "extent large")
	collection := Description{ID: "c", Level: Collection, Record: oclc.Record{{Element: oclc.Title, Value: "All"}}}
	out, _ := exported(t, []Description{collection, site, site}, EAD2002)
	doc, err := os.ReadFile(filepath.Join(out, "c.xml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<ead:unitdate>undated</ead:unitdate>", "<ead:extent>2 websites</ead:extent>",
		"<ead:extent>1 website</ead:extent>", `<ead:language langcode="und">Undetermined</ead:language>`,
		`<ead:persname role="creator">Ann</ead:persname>`, `<ead:language langcode="und" scriptcode="Zyyy">`} {
		if !strings.Contains(string(doc), want) {
			t.Errorf("no %s in\n%s", want, doc)
		}
	}
}
