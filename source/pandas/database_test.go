package pandas

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"quire/internal/testsamples"
	"quire/model"
)

// The rows of a dump about the title 13982. The tables come from the sample's schema.
const rows = `
insert into individual (individual_id, userid, name_given, name_family, email, password) values (1, 'curator',` +
	` 'Ann', 'Lee', 'ann@nla.example', 'd0d0'), (2, 'pub', 'Bo', 'Li', null, null);
insert into organisation (organisation_id, name) values (10, 'National Library of Australia'), (11, ` +
	`'Department of Industry');
insert into agency (agency_id, organisation_id) values (3, 10);
insert into publisher (publisher_id, organisation_id) values (4, 11);
insert into format (format_id, name) values (1, 'Integrating');
insert into permission_state (permission_state_id, permission_state) values (1, 'Granted');
insert into permission_type (permission_type_id, permission_type) values (1, 'Title');
insert into permission (permission_id, title_id, publisher_id, individual_id, permission_state_id, ` +
	`permission_type_id, is_blanket, domain, note, local_reference, status_set_date) values (20, 100, 4, 2, 1,` +
	` 1, 1, '*.gov.au', 'it\'s fine', 'F1', '2003-01-01 00:00:00.000000'), (21, 999, 4, 2, 1, 1, 0, null, ` +
	`null, null, null);
insert into title (title_id, pi, name, title_url, seed_url, legacy_purl, anbd_number, publisher_id, agency_id,` +
	` permission_id, current_owner_id, format_id, tep_id, content_warning) values (100, 13982, 'Acreage ` +
	`releases', 'http://www.industry.gov.au/a', 'http://www.industry.gov.au/a.html', ` +
	`'nla.gov.au/nla.arc-13982', '000012345', 4, 3, 20, 1, 1, 30, 'W');
insert into tep (tep_id, title_id, display_title, copyright_note, copyright_url, general_note, is_published) ` +
	`values (30, 100, 'Acreage', 'C', 'http://c/', 'G', 1);
insert into title_gather (title_id, gather_url, additional_urls, username, password, notes, gather_method_id) ` +
	`values (100, 'http://me:secret@www.industry.gov.au/a.html', 'http://x.example/ http://y.example/', 'me', ` +
	`'secret', 'GN', 1);
insert into state (state_id, state_name) values (10, 'gathered');
insert into instance (instance_id, title_id, instance_date, current_state_id, gather_method_name, ` +
	`gathered_url, gather_command, tep_url, type_name, display_note, is_displayed) values (7, 100, ` +
	`'2003-04-03 01:00:00.000000', 1, 'HTTrack', 'http://www.industry.gov.au/a.html', 'httrack -O x', ` +
	`'/pan/13982/20030403/a.html', 'pandas2', 'DN', 1), (8, 100, '2004-04-03 01:00:00.000000', 1, null, null, ` +
	`null, null, null, null, 0);
insert into ins_gather (instance_id, gather_files, gather_size, gather_rate, gather_time, gather_start, ` +
	`gather_finish) values (7, 3, 30, 4, 7, '2003-04-03 01:00:14.000000', '2003-04-03 01:00:21.000000');
insert into state_history (state_history_id, instance_id, state_id, individual_id, start_date, end_date) ` +
	`values (2, 7, 1, 1, '2003-04-05 09:00:00.000000', null), (1, 7, 10, 1, '2003-04-03 01:00:21.000000', ` +
	`'2003-04-05 09:00:00.000000'), (3, 8, 1, 1, '2004-01-01 00:00:00.000000', null);
insert into agency_area (agency_area_id, area_name) values (5, 'Main reading room');
insert into ` + "`condition`" + ` (condition_id, name) values (6, 'Enabled');
insert into date_restr (title_date_restriction_id, title_id, agency_area_id, condition_id, ` +
	`restiction_start_date, restriction_end_date) values (1, 100, 5, 6, '2003-01-01 00:00:00', '2010-01-01 00:00:00');
insert into period_type (period_type_id, period_type) values (1, 'year');
insert into period_restr (period_restriction_id, title_id, condition_id, period_multiplier, period_type_id) ` +
	`values (1, 100, 6, 2, 1);
insert into auth_restr (title_auth_restr_id, title_id, condition_id) values (1, 100, 6);
insert into col (col_id, name, display_comment) values (40, 'Resources', 'CD');
insert into title_col (collection_id, title_id) values (40, 100);
insert into subject (subject_id, subject_name) values (50, 'Mining');
insert into subject_titles (title_id, subject_id) values (100, 50);
`

func TestDatabase(t *testing.T) {
	schema, err := os.ReadFile(testsamples.Path(t, "samples/nla_pandas4/migrations/mysql/V55__Mysql_base_version.sql"))
	if err != nil {
		t.Fatal(err)
	}
	files := under("13982/20030403", instance2003())
	files["pandas.sql"] = string(schema) + rows
	a := only(t, folder(t, files)).About()
	at := func(table string, row int) string { return fmt.Sprintf("row %d of table %s in pandas.sql", row, table) }
	value := func(name string) string {
		for _, f := range a.Description.Fields {
			if f.Name == name {
				return f.Value
			}
		}
		return ""
	}
	if len(a.Rights.Permissions) != 1 || len(a.Rights.Access) != 5 {
		t.Fatalf("%+v", a.Rights)
	}
	for _, c := range [][2]string{
		{a.Title, "Acreage releases"}, {a.Collection, "Acreage releases"}, {a.Operator, "curator"},
		{a.Organization, "National Library of Australia"}, {a.Software, "HTTrack3.21-4"},
		{strings.Join(a.Seeds, " "), "http://www.industry.gov.au/a.html http://x.example/ http://y.example/"},
		{a.Start.Format(time.RFC3339), "2003-04-02T15:00:14Z"},
		{evidence(a, "gather command"), "httrack -O x | " + at("INSTANCE", 1)},
		{evidence(a, "state"), "archived | " + at("INSTANCE", 1)},
		{evidence(a, "organization"), "National Library of Australia | " + at("ORGANISATION", 1)},
		{value("pandas:ANBDNumber"), "000012345"}, {value("pandas:LegacyPURL"), "nla.gov.au/nla.arc-13982"},
		{value("pandas:Publisher"), "Department of Industry"}, {value("pandas:DisplayTitle"), "Acreage"},
		{value("pandas:GeneralNote"), "G"}, {value("pandas:Subject"), "Mining"},
		{value("pandas:Format"), "Integrating"}, {value("pandas:GatherNotes"), "GN"},
		{value("pandas:ContentWarning"), "W"},
		{fmt.Sprintf("%+v", a.Description.Groups),
			"[{Reference: Name:Resources Description:CD Type:collection Ownership: Source:" + at("COL", 1) + "}]"},
		{fmt.Sprintf("%+v", a.Description.States),
			"[{Name:gathered Start:2003-04-03 01:00:21.000000 End:2003-04-05 09:00:00.000000 Who:curator Source:" +
				at("STATE_HISTORY", 2) + "} {Name:archived Start:2003-04-05 09:00:00.000000 End: Who:curator Source:" +
				at("STATE_HISTORY", 1) + "}]"},
		{fmt.Sprintf("%+v", a.Rights.Permissions[0]),
			"{State:Granted Basis:Title BasisNote:(blanket: for all titles of the publisher) Order: Published: " +
				"Start: End: Requested: Decided:2003-01-01 00:00:00.000000 AccessStatus: OpenAccessDate: Special: " +
				"Copyright:C CopyrightURL:http://c/ FileReference:F1 Note:it's fine Agent:Department of Industry " +
				"Contact:Bo Li Patterns:[*.gov.au] Exclusions:[] Seeds:[] Source:" + at("PERMISSION", 1) + "}"},
		{fmt.Sprintf("%+v", a.Rights.Access[0]),
			"{Of:title Zone:onsite Written:DATE_RESTR Displayed: Note: Reason: From:2003-01-01 00:00:00 " +
				"To:2010-01-01 00:00:00 For:Main reading room State:Enabled Source:" + at("DATE_RESTR", 1) + "}"},
		{a.Rights.Access[1].Note, "for 2 year behind the date of each instance"},
		{a.Rights.Access[2].For, "readers who log in"},
		{a.Rights.Access[3].Note + a.Rights.Access[3].Displayed, "DNtrue"}, {a.Rights.Access[4].Of, "title entry page"},
		{fmt.Sprint(a.Counted), "[{files 3} {bytes 30} {bytes per second 4} {time 7}]"},
		{codes(a.Findings), "SOURCE-SECRET SOURCE-PERSONAL"},
	} {
		if c[0] != c[1] {
			t.Errorf("got  %s\nwant %s", c[0], c[1])
		}
	}
	for _, f := range a.Files {
		if f.Path == "pandas.sql" && (!strings.Contains(f.Restricted, "TITLE_GATHER.PASSWORD") ||
			!strings.Contains(f.Restricted, "INDIVIDUAL.PASSWORD") || f.Role != model.RoleDescription) {
			t.Errorf("%+v", f)
		}
	}
	if text := fmt.Sprintf("%+v", *a); strings.Contains(text, ":secret@") || strings.Contains(text, "d0d0") {
		t.Error("a password is repeated")
	}
}

// TestWhichInstance has a title with an instance that the dump lacks, and two instances in one
// minute that cannot be distinguished.
func TestWhichInstance(t *testing.T) {
	for _, c := range []struct{ date, rows, codes, state string }{
		{"20030403-0100", rows, "SOURCE-SECRET SOURCE-PERSONAL", "archived"},
		{"20050101", rows, "SOURCE-DIFFERS SOURCE-SECRET SOURCE-PERSONAL", ""},
		{"20030403",
			rows +
				"insert into instance (instance_id, title_id, instance_date, current_state_id) values (9, 100, " +
				"to_date('2003-04-03 05:00:00','YYYY-MM-DD HH24:MI:SS'), 6);",
			"SOURCE-DIFFERS SOURCE-SECRET SOURCE-PERSONAL", "archived"},
	} {
		mirror := instance2003()
		delete(mirror, "hts-log.txt")
		files := under("13982/"+c.date, mirror)
		files["pandas.sql"] = c.rows
		a := only(t, folder(t, files)).About()
		state, _, _ := strings.Cut(evidence(a, "state"), " | ")
		if codes(a.Findings) != c.codes || state != c.state || a.Title != "Acreage releases" {
			t.Errorf("%s: %q, %q, %q: %v", c.date, codes(a.Findings), state, a.Title, a.Findings)
		}
	}
}

// TestZoneThatHTTrackTells has a gather outside Sydney: HTTrack's rows show the zone, which also
// applies to the times of the database.
func TestZoneThatHTTrackTells(t *testing.T) {
	adelaide := strings.NewReplacer("etag:x", "date:Wed,%2002%20Apr%202003%2015:30:14%20GMT", "etag:y",
		"date:Wed,%2002%20Apr%202003%2015:30:15%20GMT").Replace(rows2003)
	files := under("13982/20030403", with(instance2003(), "hts-cache/new.txt", adelaide))
	files["pandas.sql"] = rows
	a := only(t, folder(t, files)).About()
	if got := evidence(a, "start"); a.Start.Format(time.RFC3339) != "2003-04-02T15:30:14Z" ||
		!strings.Contains(got,
			"2003-04-02T15:30:14Z | GATHER_START of row 1 of table INS_GATHER in pandas.sql; the zone inferred from ") {
		t.Errorf("%v: %s", a.Start, got)
	}
}

// TestSeedsHoldNoPassword checks an instance without its own URL. The instance gets the URL of the
// title's gather, without the password in this URL.
func TestSeedsHoldNoPassword(t *testing.T) {
	mirror := instance2003()
	delete(mirror, "hts-log.txt")
	files := under("13982/20040403-0100", mirror)
	files["pandas.sql"] = rows
	a := only(t, folder(t, files)).About()
	if got := strings.Join(a.Seeds,
		" "); got != "http://me:…@www.industry.gov.au/a.html http://x.example/ http://y.example/" ||
		strings.Contains(fmt.Sprintf("%+v", *a), ":secret@") {
		t.Errorf("seeds %s", got)
	}
}
