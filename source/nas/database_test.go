package nas

import (
	"slices"
	"testing"

	"quire/model"
)

const dump = `-- PostgreSQL database dump
CREATE TABLE jobs (job_id bigint NOT NULL, harvest_id bigint, status int, channel varchar(300), forcemaxbytes ` +
	`bigint, startdate timestamp, resubmitted_as_job bigint, continuationof bigint);
COPY public.jobs (job_id, harvest_id, status, channel, forcemaxbytes, startdate, resubmitted_as_job, ` +
	`continuationof) FROM stdin;
7	2	3	FOCUSED	-1	2012-12-19 20:18:30.5	\N	5
8	9	4	SNAPSHOT	1000	2013-01-01 00:00:00	11	\N
\.
INSERT INTO harvestdefinitions (harvest_id, name, comments, audience, channel_id) VALUES (2, 'Weekly', 'all ` +
	`of it', 'readers', 1), (9, 'Broad', NULL, NULL, 2);
INSERT INTO harvestchannel (id, name) VALUES (1, 'FOCUSED');
INSERT INTO partialharvests (harvest_id, schedule_id) VALUES (2, 4);
INSERT INTO schedules (schedule_id, name) VALUES (4, 'Once_a_week');
INSERT INTO fullharvests (harvest_id, maxbytes, maxobjects, previoushd) VALUES (9, 5000, -1, 3);
INSERT INTO historyinfo (historyinfo_id, stopreason, objectcount, bytecount, config_id, harvest_id, job_id) VALUES
 (1, 0, 12, 3456, 21, 2, 7), (2, 2, 2000, 500000000, 22, 2, 7), (3, 2, 1, 1, 23, 2, 7), (4, 1, 1, 1, 21, 9, 8);
INSERT INTO configurations (config_id, name, domain_id) VALUES (21, 'default', 31), (22, 'default', 32);
INSERT INTO domains (domain_id, name) VALUES (31, 'a.dk'), (32, 'b.dk');
INSERT INTO passwords (password_id, name, password, domain_id) VALUES (1, 'x', 'geheim', 31);
`

func TestDatabase(t *testing.T) {
	metadata := func(job, definition string) string {
		return plain(arcOf(job+"-metadata-1.arc", numbered(job, definition, standard()[:2])))
	}
	tr := folderOf(t, map[string]string{"7-metadata-1.arc": metadata("7", "2"), "8-metadata-1.arc": metadata("8", "3"),
		"db/harvestdb.sql": dump})
	all := jobs(t, tr)
	if len(all) != 2 {
		t.Fatalf("%d jobs", len(all))
	}
	about := all[0].About()
	if about.Collection != "Weekly" || about.Note != "all of it" {
		t.Errorf("%q, %q", about.Collection, about.Note)
	}
	const row = " | row 1 of table JOBS in db/harvestdb.sql"
	for fact, want := range map[string][]string{
		"job status":            {"3 DONE" + row},
		"channel":               {"FOCUSED" + row, "FOCUSED | row 1 of table HARVESTCHANNEL in db/harvestdb.sql"},
		"continuation of job":   {"5" + row},
		"job started (no zone)": {"2012-12-19 20:18:30.5" + row},
		"limit":                 {"forcemaxbytes is not limited (-1)" + row},
		"schedule":              {"Once_a_week | row 1 of table SCHEDULES in db/harvestdb.sql"},
		"end of a domain": {"a.dk: 0 DOWNLOAD_COMPLETE, 12 objects, 3456 bytes | row 1 of table HISTORYINFO in " +
			"db/harvestdb.sql",
			"b.dk: 2 SIZE_LIMIT, 2000 objects, 500000000 bytes | row 2 of table HISTORYINFO in db/harvestdb.sql",
			"configuration 23: 2 SIZE_LIMIT, 1 objects, 1 bytes | row 3 of table HISTORYINFO in db/harvestdb.sql"},
		"resubmitted as job": nil,
	} {
		if got := told(all[0], fact); !slices.Equal(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", fact, got, want)
		}
	}
	if want := []model.Field{{Name: "domains that ended with DOWNLOAD_COMPLETE", Value: "1"},
		{Name: "domains that ended with SIZE_LIMIT", Value: "2"}}; !slices.Equal(about.Counted, want) {
		t.Errorf("counted %v", about.Counted)
	}
	if f := file(t, all[0], "db/harvestdb.sql"); f.Restricted == "" {
		t.Error("a dump with passwords is not restricted")
	}
	// Job 8 of the dump belongs to definition 9, but job 8 of the source belongs to definition 3.
	// Two archives use the same job number.
	if b := all[1].About(); b.Collection != "3" || len(told(all[1], "job status")) != 0 {
		t.Errorf("job 8: %q, %v", b.Collection, told(all[1], "job status"))
	}
}

func TestDumpThatIsNamed(t *testing.T) {
	elsewhere := folderOf(t, map[string]string{"nas.sql": dump})
	tr := folderOf(t, map[string]string{"8-metadata-1.arc": plain(arcOf("8-metadata-1.arc",
		numbered("8", "9", standard()[:2])))})
	claims, err := Reader{Dumps: []string{elsewhere.Path() + "/nas.sql"}}.Find(t.Context(), tr)
	if err != nil || len(claims) != 1 || len(claims[0].Files) != 1 {
		t.Fatalf("%v, %v", claims, err)
	}
	h, err := claims[0].Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if a := h.About(); a.Collection != "Broad" ||
		!slices.Equal(a.Limits, []model.Field{{Name: "forcemaxbytes", Value: "1000"},
			{Name: "maxbytes", Value: "5000"}}) ||
		!slices.Equal(told(h, "resubmitted as job"), []string{"11 | row 2 of table JOBS in nas.sql"}) {
		t.Errorf("%q, %v", a.Collection, a.Limits)
	}
}
