package statements

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"quire/internal/schematest"
	"quire/internal/testsamples"
	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/model"
)

// write returns a METS that has only statements, in the given version of PREMIS.
func write(all []Statement, in premis.Dialect) ([]byte, error) {
	var out bytes.Buffer
	w := mets.NewWriter(&out, mets.Options{})
	w.Start(mets.Root{ObjID: "p", Label: "P"})
	w.StartAmdSec("AMD")
	section := func(id, kind string) mets.Section {
		return mets.Section{ID: id, Wrap: &mets.Wrap{MetadataType: mets.MetadataType{MDType: kind}}}
	}
	for i := range all {
		s := &all[i]
		id := premis.Identifier{Type: "local", Value: "p#" + s.ID}
		var agent *premis.Link
		if s.Agent != "" {
			agent = &premis.Link{Identifier: premis.Identifier{Type: "local", Value: "p#AGT-" + s.Agent},
				Roles: []premis.Term{premis.Text("grantor")}}
		}
		w.Rights(section(s.ID, "PREMIS:RIGHTS"), func(x *xmlstream.Writer) error {
			return in.WriteRights(x, s.Premis(id, agent))
		})
	}
	for i := range all {
		if name := all[i].Agent; name != "" {
			w.Digiprov(section(fmt.Sprint("AGT-", i), "PREMIS:AGENT"), func(x *xmlstream.Writer) error {
				return in.WriteAgent(x, premis.Agent{Identifiers: []premis.Identifier{{Type: "local",
					Value: "p#AGT-" + name}}, Names: []premis.Term{premis.Text(name)}})
			})
		}
	}
	w.EndAmdSec()
	w.StartStructMap(mets.StructMap{})
	w.StartDiv(mets.Div{})
	w.EndDiv()
	w.EndStructMap()
	err := w.Close()
	return out.Bytes(), err
}

// again writes statements in both versions of PREMIS, and reads them unchanged.
func again(t *testing.T, all []Statement) {
	t.Helper()
	for i := range all {
		all[i].ID = fmt.Sprint("RGT-", i+1)
	}
	for _, in := range []premis.Dialect{premis.V3, premis.V22} {
		doc, err := write(all, in)
		if err != nil {
			t.Fatal(err)
		}
		set, err := Read(bytes.NewReader(doc))
		if err != nil {
			t.Fatalf("%v in %s", err, doc)
		}
		if got, want := fmt.Sprint(set.Statements), fmt.Sprint(all); got != want {
			t.Errorf("PREMIS %s:\n%s\nwant\n%s", in.Version(), got, want)
		}
	}
}

func TestWrittenAndReadAgain(t *testing.T) {
	f, err := ReadFile(strings.NewReader(full), "rights.yaml")
	if err != nil {
		t.Fatal(err)
	}
	all, err := f.Statements([]string{"job-6", "job-7"})
	if err != nil {
		t.Fatal(err)
	}
	all = append(all, OfHarvest(&model.Harvest{System: model.WebCurator,
		Rights: model.Rights{Permissions: []model.Permission{everything}}}, 3, nil)...)
	again(t, all)
	doc, err := write(all, premis.V3)
	if err != nil {
		t.Fatal(err)
	}
	schematest.Valid(t, testsamples.Path(t, "schemas/drivers/mets-all.xsd"), doc)
}

func TestDecide(t *testing.T) {
	show := func(zone model.Zone, from, to Day) Grant { return Grant{Act: Show, Zone: zone, From: from, To: to} }
	one := func(g ...Grant) Statement { return Statement{Basis: Other, Authority: "x", Grants: g} }
	by := func(agent string, g ...Grant) Statement {
		return Statement{Basis: License, Terms: "x", Agent: agent, Grants: g}
	}
	on := func(s Statement, urls ...string) Statement { s.Scope.URLs = urls; return s }
	in := func(s Statement, harvest int) Statement { s.Scope.Harvest = harvest; return s }
	private := "http://a.example/private/"
	for _, c := range []struct {
		name string
		all  []Statement
		q    Query
		want string // zone, then the changes
	}{
		{"nothing said", nil, Query{}, ""},
		{"open", []Statement{one(show(model.Open, "", ""))}, Query{}, "open"},
		{"the stricter of two", []Statement{one(show(model.Onsite, "", "")), one(show(model.Open, "", ""))}, Query{},
			"onsite"},
		{"restricted is the strictest",
			[]Statement{one(show(model.Onsite, "", "")), one(show(model.Restricted, "", ""))}, Query{}, "restricted"},
		{"under an embargo", []Statement{one(show(model.Restricted, "", "2026-06-30"),
			show(model.Open, "2026-07-01", ""))}, Query{}, "restricted 2026-07-01:open"},
		{"the last day of an embargo",
			[]Statement{one(show(model.Restricted, "", "2026-06-15"), show(model.Open, "2026-06-16", ""))}, Query{},
			"restricted 2026-06-16:open"},
		{"the day behind it", []Statement{one(show(model.Restricted, "", "2026-06-14"),
			show(model.Open, "2026-06-15", ""))}, Query{}, "open"},
		{"a restriction to come", []Statement{one(show(model.Open, "", "")),
			one(show(model.Onsite, "2030-01-01", "2030-12-31"))}, Query{}, "open 2030-01-01:onsite 2031-01-01:open"},
		{"expired, so no effect", []Statement{one(show(model.Restricted, "2001-01-01", "2002-01-01"))}, Query{},
			""},
		{"a permission has no zone", []Statement{by("A", show("", "", ""))}, Query{}, ""},
		{"leave in force", []Statement{one(show(model.Open, "", "")), by("A", show("", "2020-01-01", "2026-06-15"))},
			Query{}, "open 2026-06-16:restricted"},
		{"leave run out", []Statement{one(show(model.Open, "", "")), by("A", show("", "2020-01-01", "2026-06-14"))},
			Query{}, "restricted"},
		{"leave renewed", []Statement{one(show(model.Open, "", "")), by("A", show("", "", "2025-12-31")),
			by("A", show("", "2026-01-01", ""))}, Query{}, "open"},
		{"leave to be renewed", []Statement{one(show(model.Open, "", "")), by("A", show("", "", "2025-12-31")),
			by("A", show("", "2027-01-01", ""))}, Query{}, "restricted 2027-01-01:open"},
		{"leave of one of two", []Statement{one(show(model.Open, "", "")), by("A", show("", "", "")),
			by("B", show("", "", "2025-12-31"))}, Query{}, "restricted"},
		{"leave to harvest", []Statement{by("A", Grant{Act: Harvest, To: "2001-01-01"}), one(show(model.Open, "", ""))},
			Query{}, "open"},
		{"of the whole, not of a part",
			[]Statement{one(show(model.Open, "", "")), on(one(show(model.Restricted, "", "")), private)}, Query{},
			"open"},
		{"of a part", []Statement{one(show(model.Open, "", "")), on(one(show(model.Restricted, "", "")), private)},
			Query{URL: private + "x"}, "restricted"},
		{"a part cannot be looser", []Statement{one(show(model.Onsite, "", "")),
			on(one(show(model.Open, "", "")), private)}, Query{URL: private + "x"}, "onsite"},
		{"of another part", []Statement{one(show(model.Open, "", "")),
			on(one(show(model.Restricted, "", "")), private)}, Query{URL: "http://a.example/"}, "open"},
		{"of any harvest", []Statement{in(one(show(model.Open, "", "")), 1), in(one(show(model.Onsite, "", "")), 2)},
			Query{}, "onsite"},
		{"of one harvest", []Statement{in(one(show(model.Open, "", "")), 1), in(one(show(model.Onsite, "", "")), 2)},
			Query{Harvest: 1}, "open"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.q.At = "2026-06-15"
			set := Set{Statements: c.all}
			got := result(set.Decide(c.q))
			if got != c.want {
				t.Errorf("%s; want %s", got, c.want)
			}
			for i := range c.all {
				c.all[i].ID = fmt.Sprint("RGT-", i+1)
			}
			doc, err := write(c.all, premis.V3)
			if err != nil {
				t.Fatal(err)
			}
			read, err := Read(bytes.NewReader(doc))
			if err != nil {
				t.Fatal(err)
			}
			if got := result(read.Decide(c.q)); got != c.want {
				t.Errorf("read from a METS: %s; want %s", got, c.want)
			}
		})
	}
}

func result(d *Decision) string {
	s := string(d.Zone)
	for _, c := range d.Changes {
		s += fmt.Sprintf(" %s:%s", c.From, c.Zone)
	}
	return s
}

// The deciding statements and those on parts are reported.
func TestEvidence(t *testing.T) {
	set := Set{Statements: []Statement{
		{ID: "RGT-1", Basis: Other, Authority: "a", Grants: []Grant{{Act: Show, Zone: model.Open}},
			Source: "x, line 1"},
		{ID: "RGT-2", Basis: Other, Authority: "b",
			Grants: []Grant{{Act: Show, Zone: model.Onsite, To: "2030-01-01", Why: "w"}}, Source: "x, line 2"},
		{ID: "RGT-3", Basis: Other, Authority: "c", Grants: []Grant{{Act: Show, Zone: model.Open}},
			Scope: Scope{URLs: []string{"b.example"}}},
	}}
	d := set.Decide(Query{At: "2026-06-15"})
	want := []Evidence{
		{Statement: "RGT-1", Basis: Other, Authority: "a", Zone: model.Open, Notes: []string{}, Source: "x, line 1"},
		{Statement: "RGT-2", Basis: Other, Authority: "b", Zone: model.Onsite, Decides: true, To: "2030-01-01",
			Why: "w", Notes: []string{}, Source: "x, line 2"},
	}
	if !reflect.DeepEqual(d.Evidence, want) {
		t.Errorf("%+v", d.Evidence)
	}
	if want := []Part{{Statement: "RGT-3", URLs: []string{"b.example"}, Except: []string{},
		Zone: model.Onsite}}; !reflect.DeepEqual(d.Parts, want) {
		t.Errorf("%+v", d.Parts)
	}
}

// Foreign rights that Quire does not understand mean restricted, never open.
func TestForeignRights(t *testing.T) {
	statement := func(granted string) string {
		return `<mdWrap MDTYPE="PREMIS:RIGHTS"><xmlData><p:rights xmlns:p="http://www.loc.gov/premis/v3">` +
			`<p:rightsStatement><p:rightsStatementIdentifier>` +
			`<p:rightsStatementIdentifierType>x</p:rightsStatementIdentifierType><p:rightsStatementIdentifierValue>` +
			`1</p:rightsStatementIdentifierValue>` +
			`</p:rightsStatementIdentifier><p:rightsBasis>other</p:rightsBasis>` + granted +
			`</p:rightsStatement></p:rights></xmlData></mdWrap>`
	}
	grant := func(restriction, term string) string {
		return statement(`<p:rightsGranted><p:act>use</p:act><p:restriction>` + restriction + `</p:restriction>` +
			term + `</p:rightsGranted>`)
	}
	term := func(name, start, end string) string {
		return "<p:" + name + "><p:startDate>" + start + "</p:startDate><p:endDate>" + end + "</p:endDate></p:" + name +
			">"
	}
	for _, c := range []struct{ name, section, want string }{
		{"a zone", grant("Onsite", ""), "onsite"},
		{"words", grant("members of the university", ""), "restricted"},
		{"another standard",
			`<mdWrap MDTYPE="METSRIGHTS"><xmlData><r xmlns="http://cosimo.stanford.edu/sdr/metsrights/"/></xmlData>` +
				`</mdWrap>`, "restricted"},
		{"kept elsewhere",
			`<mdRef xmlns:l="http://www.w3.org/1999/xlink" LOCTYPE="URL" MDTYPE="OTHER" l:href="http://x/"/>`,
			"restricted"},
		{"open, by dates that are none", grant("open", term("termOfGrant", "soon", "")), "restricted"},
		{"restricted until a date that is none", grant("restricted", term("termOfRestriction", "2001", "sometime")),
			"restricted"},
		{"restricted until a date", grant("restricted",
			term("termOfRestriction", "2001-01-01T00:00:00Z", "2030-12-31T00:00:00Z")), "restricted 2031-01-01:"},
	} {
		doc := `<mets xmlns="http://www.loc.gov/METS/" OBJID="x"><amdSec><rightsMD ID="R1">` + c.section +
			`</rightsMD></amdSec><structMap><div/></structMap></mets>`
		set, err := Read(strings.NewReader(doc))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := result(set.Decide(Query{At: "2026-06-15"})); got != c.want {
			t.Errorf("%s: %s; want %s", c.name, got, c.want)
		}
	}
}

// A later version of the extension may narrow the scope of a statement. So reading a statement with
// an unknown extension fails, and there is no decision.
func TestLaterExtension(t *testing.T) {
	doc, err := write([]Statement{{ID: "RGT-1", Basis: Other, Authority: "x", Scope: Scope{URLs: []string{"a"}}}},
		premis.V3)
	if err != nil {
		t.Fatal(err)
	}
	doc = bytes.ReplaceAll(doc, []byte("quire:url>"), []byte("quire:country>"))
	if _, err := Read(bytes.NewReader(doc)); err == nil ||
		!strings.Contains(err.Error(), "country of a later version") {
		t.Error(err)
	}
}

func TestLoad(t *testing.T) {
	doc, err := write([]Statement{{ID: "RGT-1", Basis: Other, Authority: "x",
		Grants: []Grant{{Act: Show, Zone: model.Open}}}}, premis.V3)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	put := func(name string, content []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Load(os.DirFS(dir)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("of an empty folder: %v", err)
	}
	put("mets.xml", doc)
	put("mets.xml.sha512", []byte(strings.Repeat("0", 128)+"  mets.xml\n"))
	if _, err := Load(os.DirFS(dir)); err == nil || !strings.Contains(err.Error(), "may have been changed") {
		t.Errorf("of a METS that was changed: %v", err)
	}
}
