package statements

import (
	"fmt"
	"testing"

	"quire/model"
)

// everything is a permission with a value in every field.
var everything = model.Permission{
	State: "Granted", Basis: "NZ E-Legal Deposit", BasisNote: "all websites", Order: "O1", Published: "false",
	Start: "2006-08-12", End: "2020-01-01 00:00:00.0",
	Requested: "2006-01-01", Decided: "2006-02-01", AccessStatus: "Restricted by location",
	OpenAccessDate: "2030-01-01", Special: "none", Copyright: "© A",
	CopyrightURL: "http://c/", FileReference: "F1", Note: "N", Agent: "Government", Contact: "Ann",
	Patterns:   []string{"http://*.nz/*"},
	Exclusions: []model.Exclusion{{Pattern: "http://x.nz/", Reason: "R"}}, Seeds: []string{"http://s.nz/"},
	Source: "wct:Permission in m.xml",
}

func TestNothingOfAPermissionIsLost(t *testing.T) {
	got := OfHarvest(&model.Harvest{System: model.WebCurator,
		Rights: model.Rights{Permissions: []model.Permission{everything}}}, 2, nil)
	want := []string{
		`{ license NZ E-Legal Deposit   Restricted by location 2006-08-12 2020-01-01 [{file reference F1}] [all ` +
			`websites N special requirements: none] Government ` +
			`{2 [http://*.nz/*] [http://x.nz/]} [{harvest  2006-08-12 2020-01-01 } {disseminate onsite  2029-12-31 ` +
			`Restricted by location: open from 2030-01-01} ` +
			`{disseminate open 2030-01-01  Restricted by location: open from 2030-01-01}] [{state Granted} {order ` +
			`number O1} {published false} {requested 2006-01-01} ` +
			`{decided 2006-02-01} {contact Ann} {seed http://s.nz/} {end as written 2020-01-01 00:00:00.0}] true ` +
			`wct:Permission in m.xml}`,
		`{ license NZ E-Legal Deposit   not part of the permission   [] [] Government {2 [http://x.nz/] []} ` +
			`[{disseminate restricted   left out of the permission: R}] [] false wct:Permission in m.xml}`,
		`{ copyright  unknown unknown    [{URL http://c/}] [© A]  {2 [http://*.nz/*] []} [] [] false wct:Permission ` +
			`in m.xml}`,
	}
	if len(got) != len(want) {
		t.Fatalf("%d statements", len(got))
	}
	for i := range got {
		if s := fmt.Sprint(got[i]); s != want[i] {
			t.Errorf("%d:\n%s\nwant\n%s", i, s, want[i])
		}
	}
}

func TestPermissions(t *testing.T) {
	for _, c := range []struct {
		name string
		p    model.Permission
		want string
	}{
		{"granted, of the web", model.Permission{State: "Granted", AccessStatus: "Open (unrestricted) access"}, "open"},
		{"approved", model.Permission{State: "Approved", AccessStatus: "Open (unrestricted) access"}, "open"},
		{"of readers that are counted",
			model.Permission{State: "Granted", AccessStatus: "Limited to 3 concurrent users"}, "onsite"},
		{"of a place", model.Permission{State: "Granted", AccessStatus: "Restricted by location"}, "onsite"},
		{"of people", model.Permission{State: "Granted", AccessStatus: "Restricted by person"}, "restricted"},
		{"an embargo", model.Permission{State: "Granted", AccessStatus: "Embargoed", OpenAccessDate: "2030-01-01"},
			"restricted 2030-01-01:open"},
		{"an embargo without end", model.Permission{State: "Granted", AccessStatus: "Embargoed"}, "restricted"},
		{"an embargo until an unknown date",
			model.Permission{State: "Granted", AccessStatus: "Embargoed", OpenAccessDate: "01-JAN-20"}, "restricted"},
		{"open, but later", model.Permission{State: "Granted", AccessStatus: "Open (unrestricted) access",
			OpenAccessDate: "2030-01-01"}, "restricted 2030-01-01:open"},
		{"open since", model.Permission{State: "Granted", OpenAccessDate: "2020-01-01"}, "open"},
		{"words of the house", model.Permission{State: "Granted", AccessStatus: "Lesesaal"}, "onsite"},
		{"unknown terms", model.Permission{State: "Granted", AccessStatus: "Offentlig"}, "restricted"},
		{"the time is that of harvesting",
			model.Permission{State: "Granted", AccessStatus: "Open (unrestricted) access", Start: "2001-01-01",
				End: "2002-01-01"}, "open"},
		{"denied", model.Permission{State: "Denied", AccessStatus: "Open (unrestricted) access"}, "restricted"},
		{"rejected", model.Permission{State: "Rejected"}, "restricted"},
		{"asked for", model.Permission{State: "Requested", AccessStatus: "Open (unrestricted) access"}, ""},
		{"unknown", model.Permission{State: "Unknown"}, ""},
	} {
		set := Set{Statements: OfHarvest(&model.Harvest{System: model.WebCurator,
			Rights: model.Rights{Permissions: []model.Permission{c.p}}}, 1, TermZones{"lesesaal": model.Onsite})}
		if got := result(set.Decide(Query{At: "2026-06-15"})); got != c.want {
			t.Errorf("%s: %s; want %s", c.name, got, c.want)
		}
	}
}

func TestAccess(t *testing.T) {
	for _, c := range []struct {
		name   string
		system model.System
		a      model.Access
		want   string
	}{
		{"WCT's zone", model.WebCurator, model.Access{Of: "target", Zone: model.Onsite, Written: "1 Onsite"}, "onsite"},
		{"an unknown zone", model.WebCurator, model.Access{Of: "target", Written: "7 Staff"}, "restricted"},
		{"public, but not displayed", model.WebCurator,
			model.Access{Of: "target", Zone: model.Open, Written: "0 Public", Displayed: "false"}, "restricted"},
		{"displayed, without a zone", model.WebCurator, model.Access{Of: "target instance", Displayed: "true"}, ""},
		{"PANDAS shows it", model.Pandas, model.Access{Of: "instance", Displayed: "true"}, "open"},
		{"PANDAS does not", model.Pandas, model.Access{Of: "instance", Displayed: "false"}, "restricted"},
		{"the entry page is not published", model.Pandas, model.Access{Of: "title entry page", Displayed: "false"},
			"restricted"},
		{"until a date", model.Pandas,
			model.Access{Of: "title", Zone: model.Onsite, Written: "DATE_RESTR", From: "2003-01-01 00:00:00",
				To: "2030-01-01 00:00:00", State: "Enabled"}, "onsite 2030-01-02:"},
		{"until a date that is past", model.Pandas,
			model.Access{Of: "title", Zone: model.Onsite, Written: "DATE_RESTR", To: "2010-01-01", State: "Enabled"},
			""},
		{"until an invalid date", model.Pandas,
			model.Access{Of: "title", Zone: model.Onsite, Written: "DATE_RESTR", To: "01-JAN-10"}, "onsite"},
		{"disabled", model.Pandas, model.Access{Of: "title", Zone: model.Restricted, Written: "AUTH_RESTR",
			State: "Disabled"}, ""},
		{"expired", model.Pandas, model.Access{Of: "title", Zone: model.Restricted, Written: "AUTH_RESTR",
			State: "Expired"}, ""},
	} {
		set := Set{Statements: OfHarvest(&model.Harvest{System: c.system,
			Rights: model.Rights{Access: []model.Access{c.a}}}, 1, nil)}
		if got := result(set.Decide(Query{At: "2026-06-15"})); got != c.want {
			t.Errorf("%s: %s; want %s", c.name, got, c.want)
		}
		if len(set.Statements) != 1 {
			t.Errorf("%s: %d statements", c.name, len(set.Statements))
		}
	}
}
