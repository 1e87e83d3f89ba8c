package describe

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/internal/schematest"
	"quire/internal/testsamples"
	"quire/metadata/ead"
	"quire/metadata/mods"
	"quire/metadata/oclc"
)

var made = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// full has two values of each element, in two languages, of all kinds in the rules.
func full() []Description {
	var r oclc.Record
	for _, e := range oclc.Elements {
		r = append(r, oclc.Statement{Element: e, Value: "first " + string(e), Lang: "fr"},
			oclc.Statement{Element: e, Value: "second " + string(e) + " \x00\xe9 ]]>", Lang: "nl", Kind: "special"})
	}
	for _, k := range []string{"person", "organization", "meeting", "family"} {
		r = append(r, oclc.Statement{Element: oclc.Creator, Value: k, Kind: k},
			oclc.Statement{Element: oclc.Contributor, Value: k, Kind: k})
	}
	for _, k := range []string{"captured", "created", "issued", "modified", "copyright", "other"} {
		r = append(r, oclc.Statement{Element: oclc.Date, Value: "2015-07-08", Kind: k})
	}
	for _, l := range []string{"fr", "fre", "nl-BE", "gsw", "xx", "mul"} {
		r = append(r, oclc.Statement{Element: oclc.Language, Value: l})
	}
	r = append(r, oclc.Statement{Element: oclc.Relation, Value: "whole", Kind: "isPartOf"},
		oclc.Statement{Element: oclc.Relation, Value: "part", Kind: "hasPart"},
		oclc.Statement{Element: oclc.Rights, Value: "on site", Kind: "access"},
		oclc.Statement{Element: oclc.Subject, Value: "Gent", Kind: "place"},
		oclc.Statement{Element: oclc.URL, Value: "http://example.be/", Kind: "seed"},
		oclc.Statement{Element: oclc.URL, Value: "http://a/100%", Kind: "seed"})
	return []Description{{"c", Collection, r, 1}, {"s", Site, r, 2}, {"p", Page, r, 3}, {"empty", Site, nil, 4}}
}

func exported(t *testing.T, list []Description, f Format) (string, []Loss) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	result, err := Export(list, ExportOptions{Format: f, Out: out, Made: made, Software: "Quire test"})
	if err != nil {
		t.Fatal(f, err)
	}
	report, err := os.ReadFile(filepath.Join(out, LossFile))
	if err != nil {
		t.Fatal(err)
	}
	var losses []Loss
	for line := range bytes.Lines(report) {
		var l Loss
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		losses = append(losses, l)
	}
	if len(losses) != result.Losses {
		t.Errorf("%s: %d losses in the report, %d reported", f, len(losses), result.Losses)
	}
	return out, losses
}

// Exports of every level are valid. xmllint validates EAD3, in interop/crosswalks.
func TestExportIsValid(t *testing.T) {
	drivers := map[Format]string{OAIDC: "mets-all.xsd", MODS: "mets-all.xsd", MODS34: "mets-all-legacy.xsd",
		MARCXML: "mets-all.xsd", EAD2002: "mets-all.xsd"}
	for f, driver := range drivers {
		out, _ := exported(t, full(), f)
		files, err := filepath.Glob(filepath.Join(out, "*.xml"))
		if err != nil || len(files) == 0 {
			t.Fatal(f, files, err)
		}
		for _, name := range files {
			doc, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			schematest.Valid(t, testsamples.Path(t, "schemas", "drivers", driver), doc)
		}
	}
}

// Every value is in the target or in the report.
func TestNothingIsLostUnseen(t *testing.T) {
	site := full()[1]
	for _, f := range []Format{OAIDC, MODS, MODS34, MARCXML, MARC, MarcXchange, UNIMARC, EAD3, EAD2002, JSON} {
		out, losses := exported(t, []Description{site}, f)
		var all strings.Builder
		err := filepath.WalkDir(out, func(p string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || d.Name() == LossFile {
				return err
			}
			doc, err := os.ReadFile(p)
			all.Write(doc)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range site.Record {
			clean := strings.TrimSuffix(s.Value, " \x00\xe9 ]]>")
			if !strings.Contains(all.String(), clean) && !lost(losses, s, "") {
				t.Errorf("%s: %s %q went without a trace", f, s.Element, s.Value)
			}
			// UNIMARC holds the language of a parallel title by its code: see TestUNIMARCTitles.
			coded := s.Element == oclc.Title && (f == UNIMARC || f == MarcXchange)
			if s.Lang != "" && !coded && !strings.Contains(all.String(), `"`+s.Lang+`"`) &&
				!lost(losses, s, "language") {
				t.Errorf("%s: the language of %s %q went without a trace", f, s.Element, s.Value)
			}
			if s.Kind == "special" && !strings.Contains(all.String(), "special") && !lost(losses, s, "kind") {
				t.Errorf("%s: the kind of %s %q went without a trace", f, s.Element, s.Value)
			}
		}
	}
}

func lost(losses []Loss, s oclc.Statement, why string) bool {
	shown := strings.ToValidUTF8(s.Value, "\ufffd")
	for _, l := range losses {
		if l.Element == s.Element && l.Value == shown && strings.Contains(l.Why, why) {
			return true
		}
	}
	return false
}

// The losses that each target reports, value by value.
func TestLosses(t *testing.T) {
	for _, c := range []struct {
		f    Format
		s    oclc.Statement
		want string
	}{
		{OAIDC, oclc.Statement{Element: oclc.URL, Value: "a", Kind: "seed"}, "kind"},
		{OAIDC, oclc.Statement{Element: oclc.Collector, Value: "a"}, "that it is the collector"},
		{OAIDC, oclc.Statement{Element: oclc.Title, Value: "a", Lang: "fr"}, ""},
		{MODS, oclc.Statement{Element: oclc.Date, Value: "2015", Kind: "moved"}, ""},
		{MODS34, oclc.Statement{Element: oclc.Date, Value: "2015", Kind: "moved"}, ""},
		{MODS, oclc.Statement{Element: oclc.Creator, Value: "a", Lang: "fr"}, "language"},
		{MARCXML, oclc.Statement{Element: oclc.Title, Value: "a", Lang: "fr"}, "language"},
		{MARC, oclc.Statement{Element: oclc.Description, Value: strings.Repeat("x", 10000)},
			"field 520: the field has 10005 bytes"},
		{MARC, oclc.Statement{Element: oclc.Description, Value: "a\nb"}, "control characters"},
		{EAD3, oclc.Statement{Element: oclc.Title, Value: "a", Lang: "fr"}, ""},
		{EAD2002, oclc.Statement{Element: oclc.Title, Value: "a", Lang: "fr"}, "language"},
	} {
		_, losses := exported(t, []Description{{"x", Site, oclc.Record{c.s}, 7}}, c.f)
		switch {
		case c.want == "" && len(losses) > 0:
			t.Errorf("%s: %+v, and nothing should be lost", c.f, losses)
		case c.want != "" && (len(losses) != 1 || !strings.Contains(losses[0].Why, c.want) || losses[0].Row != 7):
			t.Errorf("%s: %.300v; want one loss with %q", c.f, losses, c.want)
		}
	}
}

func TestWhereThingsGo(t *testing.T) {
	site := full()[1]
	m, _ := ToMARC(site, made)
	if m.Controls[2].Value[35:38] != "mul" || len(m.Controls[2].Value) != 40 {
		t.Errorf("008 %q", m.Controls[2].Value)
	}
	for _, c := range []struct {
		tag, want string
	}{{"041", "fre fre dut mul"}, {"100", "person"}, {"110", ""}, {"710", "first collector|organization"}} {
		got := strings.Join(m.Values(c.tag, 'a'), " ")
		for part := range strings.SplitSeq(c.want, "|") {
			if !strings.Contains(got, part) {
				t.Errorf("%s $a is %q, want %q", c.tag, got, c.want)
			}
		}
	}
	r, _ := ToMODS(site, mods.Version)
	if len(r.Titles) != 2 || r.Titles[1].Type != "translated" || r.Names[0].Type != "corporate" {
		t.Errorf("%+v", r.Titles)
	}
	u, _ := ToEAD(site, ead.EAD3)
	if u.Level != "website" || len(u.Languages) != 8 || u.Languages[4].Code != "dut" {
		t.Errorf("%s %+v", u.Level, u.Languages)
	}
	bare, _ := ToDC(Description{ID: "x", Level: Site, Record: oclc.Record{{Element: oclc.URL, Value: "http://a/"}}})
	if bare[0].Value != "[http://a/]" {
		t.Errorf("%q: a title that was supplied is in brackets", bare[0].Value)
	}
}

// Pages are inside their site, and sites inside their collection.
func TestFindingAidsNest(t *testing.T) {
	var list []Description
	for i, l := range []Level{Site, Page, Collection, Page, Site, Page, Site, Collection} {
		list = append(list, Description{ID: string(rune('a' + i)), Level: l, Row: i + 1})
	}
	out, _ := exported(t, list, EAD3)
	files, err := filepath.Glob(filepath.Join(out, "*.xml"))
	if err != nil || len(files) != 3 {
		t.Fatal(files, err)
	}
	doc, err := os.ReadFile(filepath.Join(out, "c.xml"))
	if err != nil || strings.Count(string(doc), "<ead:c ") != 4 ||
		strings.Index(string(doc), "<ead:unitid>f<") > strings.Index(string(doc), "<ead:unitid>g<") {
		t.Errorf("%v\n%s", err, doc)
	}
}

// Every element has exactly one rule in each target.
func TestRules(t *testing.T) {
	for _, e := range oclc.Elements {
		for target, w := range map[string]string{"dc": where(dcRules, e), "mods": where(modsRules, e),
			"marc": where(marcRules, e), "unimarc": where(unimarcRules, e), "ead": where(eadRules, e)} {
			if w == "" {
				t.Errorf("%s has no rule for %s", e, target)
			}
		}
	}
	if n := len(oclc.Elements); len(dcRules) != n || len(modsRules) != n || len(marcRules) != n || len(eadRules) != n ||
		len(unimarcRules) != n {
		t.Error("an element has two rules")
	}
}

func TestDocumentedTables(t *testing.T) {
	doc, err := os.ReadFile("../../docs/reference/335_crosswalks.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(doc), Tables()) {
		t.Errorf("docs/reference/335_crosswalks.md does not have these tables:\n%s", Tables())
	}
}

func TestExportRefuses(t *testing.T) {
	out := t.TempDir()
	if err := os.WriteFile(filepath.Join(out, "mine"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Export(full(), ExportOptions{Format: MODS, Out: out, Made: made}); err == nil {
		t.Error("wrote into a folder that holds something")
	}
	gone := filepath.Join(t.TempDir(), "out")
	if _, err := Export(full(), ExportOptions{Format: "bibframe", Out: gone, Made: made}); err == nil {
		t.Error("wrote bibframe")
	}
	if _, err := os.Stat(gone); err == nil {
		t.Error("an export that failed left a folder")
	}
}
