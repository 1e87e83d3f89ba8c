package wct

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/internal/archivefs"
)

// dump is a database with two target instances, with tables in an arbitrary order.
const dump = `create table DB_WCT.AGENCY (AGC_OID int8 not null, AGC_NAME varchar(80) not null unique, ` +
	`AGC_ADDRESS varchar(255), AGC_EMAIL varchar(80), primary key (AGC_OID));
insert into DB_WCT.AGENCY values (2, 'NLNZ', 'Wellington', 'desk@nlnz.example');
insert into DB_WCT.PERMISSION (PE_OID, PE_STATUS, PE_START_DATE, PE_END_DATE, PE_ACCESS_STATUS, PE_NOTES, ` +
	`PE_SITE_ID, PE_AUTH_AGENT_ID, PE_PERMISSION_GRANTED_DATE, PE_OPEN_ACCESS_DATE) values (50, 2, ` +
	`'2020-01-21 00:00:00', null, 'Open', 'it''s fine', 60, 70, now(), to_date('2030-01-01','YYYY-MM-DD')), ` +
	`(51, 3, null, null, null, null, 60, 70, null, null);
insert into DB_WCT.SITE (ST_OID, ST_TITLE, ST_DESC, ST_LIBRARY_ORDER_NO, ST_PUBLISHED) values (60, 'Law', ` +
	`'LD', 'ytr', true);
insert into DB_WCT.AUTHORISING_AGENT (AA_OID, AA_NAME, AA_CONTACT, AA_EMAIL) values (70, 'Gov', 'Desk', ` +
	`'gov@example.org');
insert into DB_WCT.URL_PATTERN (UP_OID, UP_PATTERN) values (80, 'http://*.nz/*');
insert into DB_WCT.PERMISSION_URLPATTERN (PU_PERMISSION_ID, PU_URLPATTERN_ID) values (50, 80);
insert into DB_WCT.PERMISSION_EXCLUSION (PEX_OID, PEX_REASON, PEX_URL, PEX_PERMISSION_OID) values (90, ` +
	`'private', 'http://a.nz/x', 50);
insert into DB_WCT.SEED_PERMISSION (SP_SEED_ID, SP_PERMISSION_ID) values (40, 50), (41, 51), (41, 50);
insert into DB_WCT.SEED (S_OID, S_SEED, S_TARGET_ID, S_PRIMARY) values (40, 'https://a.example/', 10, true), ` +
	`(41, 'https://b.example/', 10, false);
insert into DB_WCT.SEED_HISTORY (SH_OID, SH_TI_OID, SH_SEED, SH_PRIMARY) values (1, 3459, ` +
	`'https://a.example/', true), (2, 3459, 'https://old.example/', false), (3, 1, 'https://other.example/', true);
insert into DB_WCT.ANNOTATIONS (AN_OID, AN_DATE, AN_NOTE, AN_USER_OID, AN_OBJ_OID, AN_OBJ_TYPE) values (1, ` +
	`'2021-07-03 10:00:00', 'on it', 3, 3459, 'org.webcurator.domain.model.core.TargetInstance'), (2, ` +
	`'2021-07-03', 'not on it', 3, 3459, 'org.webcurator.domain.model.core.Site'), (3, '2021-01-01', 'on ` +
	`target', 3, 10, 'org.webcurator.domain.model.core.Target');
insert into DB_WCT.WCTUSER (USR_OID, USR_EMAIL, USR_FIRSTNAME, USR_PASSWORD, USR_USERNAME, USR_AGC_OID) ` +
	`values (3, 'lql@example.org', 'F', 'd0d0', 'lql', 2);
insert into DB_WCT.HARVEST_RESULT (HR_OID, HR_HARVEST_NO, HR_TARGET_INSTANCE_ID, HR_PROVENANCE_NOTE, ` +
	`HR_CREATED_DATE, HR_CREATED_BY_ID, HR_STATE, HR_DERIVED_FROM) values (100, 1, 3459, 'Original Harvest', ` +
	`'2021-07-02', 3, 0, null), (101, 2, 3459, 'Pruned', '2021-07-04', 3, 1, 1);
insert into DB_WCT.HR_MODIFICATION_NOTE (HMN_HR_OID, HMN_INDEX, HMN_NOTE) values (101, 0, 'Pruned x');
insert into DB_WCT.HARVEST_STATUS (HS_OID, HS_URLS_DOWN, HS_URLS_FAILED, HS_ELAPSED_TIME, HS_HRTX_VERSION, ` +
	`HS_APP_VERSION) values (3459, 517, 2, 60772, 'Heritrix 3.4.0', '3.1.0');
insert into DB_WCT.GROUP_MEMBER (AT_OID, GM_CHILD_ID, GM_PARENT_ID) values (1, 10, 20), (2, 20, 21), (3, 21, 10);
insert into DB_WCT.TARGET_GROUP (TG_AT_OID, TG_TYPE, TG_OWNERSHIP_METADATA) values (20, 'Event', 'O');
insert into DB_WCT.ABSTRACT_TARGET (AT_OID, AT_NAME, AT_DESC, AT_REFERENCE, AT_OWNER_ID, AT_DUBLIN_CORE_OID, ` +
	`AT_ACCESS_ZONE, AT_DISPLAY_TARGET, AT_DISPLAY_NOTE, AT_DISPLAY_CHG_REASON) values (10, 'N', 'D', '77', 3,` +
	` 30, 2, 'f', 'DN', 'R'), (20, 'Elections', 'GD', 'G1', 3, null, 0, 't', null, null), (21, 'All', null, ` +
	`null, 3, null, 0, 't', null, null);
insert into DB_WCT.TARGET (T_AT_OID, T_SELECTION_NOTE, T_SELECTION_DATE) values (10, 'SN', '2020-01-01');
insert into DB_WCT.DUBLIN_CORE (DC_OID, DC_TITLE, DC_IDENTIFIER, DC_IDENTIFIER_ISSN, DC_CREATOR) values (30, ` +
	`'A title', 'x', '1234-5679', null);
insert into DB_WCT.SIP_PART_ELEMENT (SPE_TARGET_INSTANCE_OID, SPE_KEY, SPE_VALUE) values (3459, ` +
	`'permissionSection', '<wct:Permissions><wct:Permission><wct:State>Granted</wct:State><wct:StartDate>` +
	`2019-01-01</wct:StartDate></wct:Permission></wct:Permissions>'), (3459, 'profileNoteSection', ` +
	`'<wct:ProfileNote>then</wct:ProfileNote>');
COPY db_wct.target_instance (ti_oid, ti_target_id, ti_owner_id, ti_state, ti_start_time, ti_harvest_server, ` +
	`ti_display_target_instance, ti_display_note) FROM stdin;
1	11	3	Archived	2021-01-01 00:00:00	x	t	\N
3459	10	3	Endorsed	2021-07-02 20:57:13	Agent	t	TIN
\.
`

// store returns a target instance that was never archived: without a METS.
func store() map[string]string {
	return map[string]string{"3459/1/" + stored: container, "3459/logs/crawl.log": logLine,
		"3459/reports/crawler-beans.cxml": cxml}
}

func TestDatabase(t *testing.T) {
	files := store()
	files["wct.sql"] = dump
	a := only(t, folder(t, "x", files))
	p := a.Rights.Permissions
	if len(p) != 3 {
		t.Fatalf("%d permissions: %+v", len(p), p)
	}
	for _, c := range [][2]string{
		{a.ID, "3459"}, {a.Title, "A title"}, {a.Collection, "N"}, {a.Operator, "lql"}, {a.Organization, "NLNZ"},
		{a.Software, "Heritrix 3.4.0"}, {a.Host, "Agent"},
		{strings.Join(a.Seeds, " "), "https://a.example/ https://old.example/"},
		{strings.Join(evidence(a, "seeds"), "; "),
			"Primary https://a.example/ | row 1 of table SEED_HISTORY in wct.sql; Secondary https://old.example/ | " +
				"row 2 of table SEED_HISTORY in wct.sql"},
		{a.Start.Format(time.RFC3339), "2021-07-02T08:57:14Z"},
		{field(a, "dc:identifier"), "x | 1234-5679"}, {field(a, "wct:SelectionNote"), "SN"},
		{field(a, "wct:ProfileNote"), "then"}, {field(a, "dc:creator"), ""},
		{fmt.Sprintf("%+v", a.Description.Groups),
			"[{Reference:G1 Name:Elections Description:GD Type:Event Ownership:O Source:row 2 of table " +
				"ABSTRACT_TARGET in wct.sql} {Reference: Name:All Description: Type: Ownership: Source:row 3 of " +
				"table ABSTRACT_TARGET in wct.sql}]"},
		{fmt.Sprintf("%+v", a.Description.Annotations),
			"[{Of:target instance Date:2021-07-03 10:00:00 Who:lql Text:on it Source:row 1 of table ANNOTATIONS in " +
				"wct.sql} {Of:target Date:2021-01-01 Who:lql Text:on target Source:row 3 of table ANNOTATIONS in " +
				"wct.sql}]"},
		{fmt.Sprintf("%+v", a.Description.Versions),
			"[{Number:2 Creator:lql Date:2021-07-04 Note:Pruned (derived from 1) Changes:[Pruned x] State:Endorsed " +
				"Source:row 2 of table HARVEST_RESULT in wct.sql} {Number:1 Creator:lql Date:2021-07-02 " +
				"Note:Original Harvest Changes:[] State:Unassessed Source:row 1 of table HARVEST_RESULT in wct.sql}]"},
		{fmt.Sprintf("%+v", p[0]),
			"{State:Granted Basis:Law BasisNote:LD Order:ytr Published:true Start:2020-01-21 00:00:00 End: " +
				"Requested: Decided:now() AccessStatus:Open OpenAccessDate:to_date('2030-01-01','YYYY-MM-DD') " +
				"Special: Copyright: CopyrightURL: FileReference: Note:it's fine Agent:Gov Contact:Desk " +
				"Patterns:[http://*.nz/*] Exclusions:[{Pattern:http://a.nz/x Reason:private}] " +
				"Seeds:[https://a.example/ https://b.example/] Source:row 1 of table PERMISSION in wct.sql}"},
		{p[1].State + p[1].Source, "Deniedrow 2 of table PERMISSION in wct.sql"}, {p[2].Start, "2019-01-01"},
		{fmt.Sprintf("%+v", a.Rights.Access[0]),
			"{Of:target Zone:restricted Written:2 Displayed:false Note:DN Reason:R From: To: For: State: Source:row " +
				"1 of table ABSTRACT_TARGET in wct.sql}"},
		{a.Rights.Access[1].Note, "TIN"}, {codes(a.Findings), "SOURCE-SECRET SOURCE-PERSONAL"},
	} {
		if c[0] != c[1] {
			t.Errorf("got  %s\nwant %s", c[0], c[1])
		}
	}
	f := fileOf(a, "wct.sql")
	if f == nil || !strings.Contains(f.Restricted, "WCTUSER.USR_PASSWORD") ||
		strings.Contains(fmt.Sprint(a.Findings), "AGC_") ||
		!strings.Contains(fmt.Sprint(a.Findings), "WCTUSER.USR_EMAIL, WCTUSER.USR_FIRSTNAME") {
		t.Errorf("the dump is %+v, %v", f, a.Findings)
	}
}

// TestDatabaseBehindMETS checks that submitted values come first if there is a METS, and the
// database second.
func TestDatabaseBehindMETS(t *testing.T) {
	files := store()
	files["wct.sql"], files["3459/METS-3459.xml"] = dump, whole("")
	a := only(t, folder(t, "x", files))
	if n := len(a.Rights.Permissions); n != 3 || !strings.Contains(a.Rights.Permissions[0].Source, "METS") ||
		a.Organization != "Boot" {
		t.Errorf("%d permissions, %q", n, a.Organization)
	}
	if got := evidence(a, "organization"); len(got) != 2 || got[1] != "NLNZ | row 1 of table AGENCY in wct.sql" {
		t.Errorf("%q", got)
	}
	if got := field(a, "dc:identifier"); got != "x | 978 | 1234-5679" {
		t.Errorf("identifiers %q", got)
	}
}

func TestDumpsElsewhere(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write([]byte(dump)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	whole := zipped.String()
	for _, c := range []struct {
		name, dump, content string
		named               bool
		place               string
		codes               string
	}{
		{"beside the source", "wct.sql", dump, false, "wct.sql, beside the source", ""},
		{"beside, compressed", "wct.sql.gz", whole, false, "wct.sql.gz, beside the source", ""},
		{"named", "a.dump", dump, true, "a.dump", ""},
		{"torn", "wct.sql", dump[:len(dump)-3], false, "wct.sql, beside the source", CodeDump},
		{"torn gzip", "wct.sql.gz", whole[:len(whole)-6], false, "wct.sql.gz, beside the source", CodeDump},
		{"of something else", "x.sql", "create table x (a int);", false, "", ""},
		{"not gzip", "x.sql.gz", dump, false, "", ""},
		{"empty", "x.sql.gz", "", false, "", ""},
	} {
		tr := folder(t, "source", store())
		p := filepath.Join(filepath.Dir(tr.Path()), c.dump)
		if err := os.WriteFile(p, []byte(c.content), 0o666); err != nil {
			t.Fatal(err)
		}
		r := Reader{}
		if c.named {
			r.Dumps = []string{p}
		}
		claims, err := r.Find(t.Context(), tr)
		if err != nil || len(claims) != 1 {
			t.Fatal(c.name, claims, err)
		}
		h, err := claims[0].Read(t.Context())
		if err != nil {
			t.Fatal(c.name, err)
		}
		place := ""
		for _, e := range evidence(h.About(), "state") {
			_, place, _ = strings.Cut(e, "TARGET_INSTANCE in ")
		}
		if place != c.place || codes(h.About().Findings) != c.codes {
			t.Errorf("%s: from %q, %v", c.name, place, h.About().Findings)
		}
	}
	if _, err := (Reader{Dumps: []string{"/nowhere/x.sql"}}).Find(t.Context(),
		folder(t, "source", store())); err != nil {
		t.Errorf("a dump that is not there fails before anything is read: %v", err)
	}
	claims, err := Reader{Dumps: []string{"/nowhere/x.sql"}}.Find(t.Context(), folder(t, "source", store()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := claims[0].Read(t.Context()); err == nil {
		t.Error("a named dump that is not there is passed over in silence")
	}
}

// TestVirtualTreesHaveNothingBeside checks that Find accepts a virtual Tree, and claims nothing in
// an empty Tree.
func TestVirtualTreesHaveNothingBeside(t *testing.T) {
	tr := archivefs.Of("x", nil, nil)
	claims, err := Reader{}.Find(t.Context(), tr)
	if err != nil || claims != nil {
		t.Errorf("%v, %v", claims, err)
	}
}
