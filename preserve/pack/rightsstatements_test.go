package pack

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/schematest"
	"quire/internal/testsamples"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/statements"
)

// given writes a rights file.
func given(t *testing.T, text string) string {
	t.Helper()
	p := filepath.Join(t.TempDir(), "rights.yaml")
	if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

// zoneOf returns the zone of a URL in a package.
func zoneOf(t *testing.T, dir, url string, at statements.Day) model.Zone {
	t.Helper()
	set, err := statements.Load(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	return set.Decide(statements.Query{URL: url, At: at}).Zone
}

// valid validates the METS with both validators.
func valid(t *testing.T, dir, driver string) {
	t.Helper()
	schematest.Valid(t, testsamples.Path(t, "schemas/drivers", driver), []byte(read(t, dir, "mets.xml")))
}

const staff = `access: open
embargo: {until: 2030-12-31, access: onsite}
permissions:
- {basis: license, granted-by: The harbour, from: 2020-01-01}
rules:
- {urls: "http://x.example/staff/", access: restricted}
`

func TestRightsThatAreGiven(t *testing.T) {
	o := options(t)
	o.Rights = given(t, staff)
	r := mustPack(t, o, crawlOf(t, map[string]string{"b.warc": good}))
	if r.Access != model.Onsite || r.Rights != 3 {
		t.Errorf("access %q by %d statements", r.Access, r.Rights)
	}
	if got := read(t, o.Out, "documentation/rights.yaml"); got != staff {
		t.Errorf("the file became %q", got)
	}
	for _, c := range []struct {
		url  string
		at   statements.Day
		want model.Zone
	}{
		{"http://x.example/", "2026-01-01", model.Onsite},
		{"http://x.example/", "2030-12-31", model.Onsite},
		{"http://x.example/", "2031-01-01", model.Open},
		{"http://x.example/", "2019-12-31", model.Restricted},
		{"http://x.example/staff/x", "2031-01-01", model.Restricted},
	} {
		if got := zoneOf(t, o.Out, c.url, c.at); got != c.want {
			t.Errorf("%s on %s: %q; want %q", c.url, c.at, got, c.want)
		}
	}
	mets := read(t, o.Out, "mets.xml")
	for _, want := range []string{`ADMID="OBJ-website OBJ-package RGT-1 RGT-2 RGT-3"`,
		`<mets:digiprovMD ID="AGT-grantor-1">`} {
		if !strings.Contains(mets, want) {
			t.Errorf("the METS does not say %s", want)
		}
	}
	check(t, o.Out, aip.Options{})
	valid(t, o.Out, "mets-all.xsd")
}

// A page refers to the rights statements on some URLs only.
func TestRightsOfPages(t *testing.T) {
	for _, c := range []struct{ urls, want string }{
		{"http://x.example/",
			`TYPE="web page" LABEL="http://x.example/" ORDERLABEL="2024-01-02T03:04:05Z" ADMID="RGT-1"`},
		{"http://y.example/", `TYPE="web page" LABEL="http://x.example/" ORDERLABEL="2024-01-02T03:04:05Z"`},
	} {
		o := options(t)
		o.Profile = Full
		o.Rights = given(t, "rules: [{urls: '"+c.urls+"', access: restricted}]\n")
		mustPack(t, o, crawlOf(t, map[string]string{"b.warc": good}))
		attributes := func(s string) map[string]bool {
			set := map[string]bool{}
			for _, a := range strings.Split(s, `" `) {
				set[strings.Trim(a, `" `)] = true
			}
			return set
		}
		_, div, _ := strings.Cut(read(t, o.Out, "mets.xml"), `<mets:div ORDERLABEL`)
		if div == "" {
			t.Fatal("there is no page")
		}
		div, _, _ = strings.Cut("ORDERLABEL"+div, ">")
		if got := attributes(div); !maps.Equal(got, attributes(c.want)) {
			t.Errorf("%s: %s; want %s", c.urls, div, c.want)
		}
		valid(t, o.Out, "mets-all.xsd")
	}
}

// An error in a rights file ends the call before anything is read or made.
func TestRightsThatAreWrong(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"access: public\n", "reading rights.yaml: line 1, access"},
		{"rules: [{harvest: 7, access: open}]\n", `rights.yaml, line 1: the package has no harvest "7"`},
	} {
		o := options(t)
		o.Rights = given(t, c.text)
		_, err := Pack(context.Background(), []string{crawlOf(t, map[string]string{"b.warc": good})}, o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.text, err)
		}
		if _, err := os.Stat(o.Out); err == nil {
			t.Error("a package is there")
		}
	}
}

// The package contains the Web Curator Tool's records beside the institution's statements. The
// stricter statement applies. The contact person is personal data, and is marked as personal data.
func TestRightsOfWebCuratorTool(t *testing.T) {
	source := testsamples.Path(t, "samples/WebCuratorTool_webcurator/webcurator-submit-to-rosetta")
	dir := t.TempDir()
	for _, name := range []string{"METS-11141123.xml", "WctFiles"} {
		if err := os.Symlink(filepath.Join(source, name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		version SchemaVersion
		driver  string
	}{{Current, "mets-all.xsd"}, {Legacy, "mets-all-legacy.xsd"}} {
		o := options(t)
		o.SchemaVersion = c.version
		o.Rights = given(t, "rules: [{urls: www.nzcee.co.nz, embargo: {until: 2030-12-31}}]\n")
		mustPack(t, o, filepath.Join(dir, "METS-11141123.xml"), filepath.Join(dir, "WctFiles"))
		for _, q := range []struct {
			url  string
			at   statements.Day
			want model.Zone
		}{
			{"http://www.nzcee.co.nz/", "2026-01-01", model.Restricted},
			{"http://www.nzcee.co.nz/", "2031-01-01", model.Open},
			{"http://www.osc.govt.nz/", "2026-01-01", model.Open},
			{"http://a.example/", "2026-01-01", ""},
		} {
			if got := zoneOf(t, o.Out, q.url, q.at); got != q.want {
				t.Errorf("%s on %s: %q; want %q", q.url, q.at, got, q.want)
			}
		}
		mets := read(t, o.Out, "mets.xml")
		for _, want := range []string{
			"<premis:licenseTerms>Open (unrestricted) access<", ">New Zealand Government<",
			">e-Publications Librarian<", ">http://*.nz/*<", ">a copyright statement<",
			">NZ E-Legal Deposit<", ">All websites in the New Zealand domain", ">2006-08-12<",
			`name="published">false<`, ">a CopyrightURL<", `name="seed">http://www.nzcee.co.nz/<`,
			`<mets:rightsMD ID="RGT-2" ADMID="RGT-restricted-1">`,
		} {
			if !strings.Contains(mets, want) {
				t.Errorf("the METS does not say %s", want)
			}
		}
		valid(t, o.Out, c.driver)
	}
}

// A gather of PANDAS, with rows of its database as in a dump.
var pandas = map[string]string{
	"13982/20030403/hts-log.txt": "HTTrack2.2x/3.23 launched on Thu, 03 Apr 2003 01:00:14 at " +
		"http://www.industry.gov.au/a.html\r\n",
	"13982/20030403/www.industry.gov.au/a.html": "<p>!",
	"pandas.sql": `create table TITLE_GATHER (x int); create table INS_GATHER (x int);
insert into individual (individual_id, userid, name_given, name_family) values (2, 'pub', 'Bo', 'Li');
insert into organisation (organisation_id, name) values (11, 'Department of Industry');
insert into publisher (publisher_id, organisation_id) values (4, 11);
insert into permission (permission_id, title_id, publisher_id, individual_id, permission_state, ` +
		`permission_type, is_blanket, domain, note, local_reference) values (20, 100, 4, 2, 'Granted', ` +
		`'Title', 1, '*.gov.au', 'fine', 'F1');
insert into title (title_id, pi, name, publisher_id, permission_id, tep_id) values (100, 13982, 'Acreage ` +
		`releases', 4, 20, 30);
insert into tep (tep_id, title_id, copyright_note, copyright_url, is_published) values (30, 100, 'C', 'http://c/', 1);
insert into instance (instance_id, title_id, instance_date, is_displayed) values (7, 100, '2003-04-03 ` +
		`01:00:00.000000', 1);
insert into agency_area (agency_area_id, area_name) values (5, 'Main reading room');
insert into ` + "`condition`" + ` (condition_id, name) values (6, 'Enabled'), (7, 'Disabled');
insert into date_restr (title_date_restriction_id, title_id, agency_area_id, condition_id, ` +
		`restiction_start_date, restriction_end_date) values (1, 100, 5, 6, '2003-01-01 00:00:00', ` +
		`'2010-01-01 00:00:00');
insert into period_type (period_type_id, period_type) values (1, 'year/s');
insert into period_restr (period_restriction_id, title_id, condition_id, period_multiplier, period_type_id) ` +
		`values (1, 100, 6, 2, 1);
insert into auth_restr (title_auth_restr_id, title_id, condition_id) values (1, 100, 7);
`,
}

func TestRightsOfPandas(t *testing.T) {
	o := options(t)
	mustPack(t, o, crawlOf(t, pandas))
	for _, c := range []struct {
		at   statements.Day
		want model.Zone
	}{
		{"2005-04-03", model.Restricted}, // for two years after the gather
		{"2005-04-04", model.Onsite},     // until a date
		{"2010-01-01", model.Onsite},
		{"2010-01-02", model.Open}, // displayed
	} {
		if got := zoneOf(t, o.Out, "http://www.industry.gov.au/a.html", c.at); got != c.want {
			t.Errorf("on %s: %q; want %q", c.at, got, c.want)
		}
	}
	mets := read(t, o.Out, "mets.xml")
	for _, want := range []string{`name="for">Main reading room<`, `name="for">readers who log in<`,
		`name="state">Disabled<`, ">Department of Industry<", ">Bo Li<", `>F1<`, ">fine<"} {
		if !strings.Contains(mets, want) {
			t.Errorf("the METS does not say %s", want)
		}
	}
	check(t, o.Out, aip.Options{})
	valid(t, o.Out, "mets-all.xsd")
}
